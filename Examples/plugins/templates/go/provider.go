// A provider of connections for ifttt: things that are on or off, stored in a JSON file.
//
// ifttt_plugin.go, in the same folder, implements the protocol. ifttt-plugin(5) describes it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

var file = filepath.Join(os.Getenv("HOME"), ".ifttt-@NAME@", "things.json")

func load() ([]Connection, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return []Connection{{ID: "1", Name: "Kettle", Status: "enabled"}, {ID: "2", Name: "Fan", Status: "disabled"}}, nil
	}
	if err != nil {
		return nil, err
	}
	var things []Connection
	return things, json.Unmarshal(text, &things)
}

func save(things []Connection) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	text, err := json.MarshalIndent(things, "", "  ")
	if err != nil {
		return err
	}
	// Replace the file atomically, so that no other process reads a partial file.
	if err := os.WriteFile(file+".new", text, 0o666); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func find(id string) ([]Connection, *Connection, error) {
	things, err := load()
	for place := range things {
		if things[place].ID == id {
			return things, &things[place], err
		}
	}
	if err == nil {
		err = &PluginError{
			Code: "not_found", Message: fmt.Sprintf("no thing '%s'", id),
			Hint: "See 'ifttt connections list --provider @NAME@'.",
		}
	}
	return nil, nil, err
}

func change(id, status string) (StatusChange, error) {
	things, thing, err := find(id)
	if err != nil {
		return StatusChange{}, err
	}
	result := ChangedTo(status, thing.Status)
	thing.Status = status
	if result.Changed {
		err = save(things)
	}
	return result, err
}

func main() {
	plugin := NewPlugin("@NAME@", "0.1.0")
	plugin.ListConnections = func(host *Host, status string) error {
		things, err := load()
		for _, thing := range things {
			if err == nil && (status == "" || thing.Status == status) {
				err = host.Send(thing)
			}
		}
		return err
	}
	plugin.ShowConnection = func(host *Host, id string) (any, error) {
		_, thing, err := find(id)
		return thing, err
	}
	plugin.EnableConnection = func(host *Host, id string, options JSON) (StatusChange, error) {
		return change(id, "enabled")
	}
	plugin.DisableConnection = func(host *Host, id string, options JSON) (StatusChange, error) {
		return change(id, "disabled")
	}
	// @IF both@
	plugin.Commands["add"] = func(host *Host, call Call) (string, error) {
		things, err := load()
		if err != nil {
			return "", err
		}
		number := 0
		for _, thing := range things {
			var id int
			if _, err := fmt.Sscan(thing.ID, &id); err == nil && id > number {
				number = id
			}
		}
		thing := Connection{ID: fmt.Sprint(number + 1), Name: call.Arguments[0], Status: "disabled"}
		if err := save(append(things, thing)); err != nil {
			return "", err
		}
		return "", host.Send(thing)
	}
	plugin.Commands["file"] = func(host *Host, call Call) (string, error) { return file + "\n", nil }
	// @END@
	plugin.Run()
}
