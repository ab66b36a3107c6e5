// Everything that a provider plugin of ifttt needs, in one file: Go 1.19 or later, no dependencies.
//
// Copy this file beside main.go. A provider sets a function for each request that it supports:
//
//	func main() {
//		plugin := NewPlugin("shelf", "1.0.0")
//		plugin.ListConnections = func(host *Host, status string) error {
//			return host.Send(Connection{ID: "lamp", Name: "Lamp", Status: "enabled"})
//		}
//		plugin.Run()
//	}
//
// The library frames and answers the messages, and handles cancellation and errors. What the plugin prints goes to
// stderr, which the user sees with the plugin's name. ifttt-plugin(5) describes the protocol.

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	protocolVersion = "1"
	messageLimit    = 16 << 20
)

// JSON is an object of a message.
type JSON = map[string]any

// PluginError is an error that ifttt shows to the user. Code is one of ifttt's error codes, such as "not_found" or
// "unauthorized"; it determines the exit code. Put a command in the hint in single quotes.
type PluginError struct {
	Code, Message, Reason, Hint string
	// RetryAfter is in seconds. Number is the code of JSON-RPC; 0 for a general error.
	RetryAfter, Status, Number int
}

func (e *PluginError) Error() string { return e.Message }

// ErrCanceled means that the request was canceled. Return it: the library responds to the request.
var ErrCanceled = &PluginError{Message: "canceled", Number: -32800}

// ErrDisconnected means that ifttt closed its end. Return it: the library ends the program.
var ErrDisconnected = errors.New("ifttt closed its end")

func (e *PluginError) toJSON() JSON {
	data := JSON{}
	for name, text := range map[string]string{"code": e.Code, "reason": e.Reason, "hint": e.Hint} {
		if text != "" {
			data[name] = text
		}
	}
	for name, number := range map[string]int{"retry_after": e.RetryAfter, "status": e.Status} {
		if number != 0 {
			data[name] = number
		}
	}
	number := e.Number
	if number == 0 {
		number = -32000
	}
	result := JSON{"code": number, "message": e.Message}
	if len(data) > 0 {
		result["data"] = data
	}
	return result
}

func errorFromJSON(value JSON) *PluginError {
	data, _ := value["data"].(JSON)
	number, _ := value["code"].(float64)
	after, _ := data["retry_after"].(float64)
	status, _ := data["status"].(float64)
	return &PluginError{
		Code: text(data["code"]), Message: text(value["message"]), Reason: text(data["reason"]), Hint: text(data["hint"]),
		RetryAfter: int(after), Status: int(status), Number: int(number),
	}
}

// Connection is a connection of the provider. Status is enabled, disabled, never_enabled or unknown.
type Connection struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Status      string `json:"status"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url,omitempty"`
}

// StatusChange is the result of enabling or disabling a connection.
type StatusChange struct {
	Status   string `json:"status"`
	Previous string `json:"previous_status"`
	Changed  bool   `json:"changed"`
}

// ChangedTo returns the result of a change.
func ChangedTo(status, previous string) StatusChange {
	return StatusChange{status, previous, status != previous}
}

// CredentialState is the state of a stored credential: valid, expired, missing or unknown.
type CredentialState struct {
	Name      string `json:"name"`
	State     string `json:"state"`
	ExpiresAt string `json:"expires_at,omitempty"`
	Account   string `json:"account,omitempty"`
}

// Call is a command to run. The manifest describes its options and arguments, and ifttt has checked them.
type Call struct {
	Command   []string `json:"command"`
	Options   JSON     `json:"options"`
	Arguments []string `json:"arguments"`
	Words     []string `json:"words"`
	Output    string   `json:"output"`
}

// Question is a value to complete, while a shell waits.
type Question struct {
	Kind    string   `json:"kind"`
	Command []string `json:"command"`
	Profile string   `json:"profile"`
	Prefix  string   `json:"prefix"`
}

// Candidate is a completed value.
type Candidate struct {
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
}

// Redirect is the redirect of the browser after a sign-in.
type Redirect struct {
	URI, Query, Via string
	Parameters      url.Values
}

// wire is the two pipes, the requests of the plugin that wait for a response, and the requests that can be canceled.
type wire struct {
	output   *os.File
	writing  sync.Mutex
	guard    sync.Mutex
	last     int
	waiting  map[float64]chan JSON
	running  map[string]context.CancelFunc
	requests chan request
	ended    chan struct{}
}

type request struct {
	id      json.RawMessage
	method  string
	params  JSON
	context context.Context
}

func (w *wire) send(message JSON) error {
	message["jsonrpc"] = "2.0"
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(message); err != nil {
		return err
	}
	if line.Len() > messageLimit+1 {
		return &PluginError{Code: "plugin_failed", Message: "a message is longer than 16 MiB"}
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if _, err := w.output.Write(line.Bytes()); err != nil {
		return ErrDisconnected
	}
	return nil
}

func (w *wire) fail(id any, err *PluginError) error {
	return w.send(JSON{"id": id, "error": err.toJSON()})
}

// read receives messages until ifttt closes its end.
func (w *wire) read(input io.Reader) {
	reader := bufio.NewReaderSize(input, 1<<16)
	var line []byte
	for {
		piece, err := reader.ReadSlice('\n')
		line = append(line, piece...)
		if len(line) > messageLimit+1 {
			break
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			break
		}
		if len(bytes.TrimSpace(line)) > 0 {
			w.receive(line)
		}
		line = line[:0]
	}
	close(w.ended)
	close(w.requests)
	// Requests that arrived before the end still get a response, but no handler keeps the process alive.
	time.Sleep(time.Second)
	os.Exit(0)
}

func (w *wire) receive(line []byte) {
	var whole any
	if err := json.Unmarshal(line, &whole); err != nil || !utf8.Valid(line) {
		_ = w.fail(nil, &PluginError{Message: fmt.Sprintf("not JSON: %v", err), Number: -32700})
		return
	}
	message, isObject := whole.(JSON)
	method, hasMethod := message["method"].(string)
	if !isObject || message["method"] != nil && !hasMethod {
		_ = w.fail(nil, &PluginError{Message: "not a message of the protocol", Number: -32600})
		return
	}
	params, _ := message["params"].(JSON)
	w.guard.Lock()
	defer w.guard.Unlock()
	switch {
	case !hasMethod:
		id, _ := message["id"].(float64)
		if waiting := w.waiting[id]; waiting != nil {
			delete(w.waiting, id)
			waiting <- message
		}
	case method == "$/cancel":
		if cancel := w.running[key(params["id"])]; cancel != nil {
			cancel()
		}
	case message["id"] != nil:
		id := key(message["id"])
		context, cancel := context.WithCancel(context.Background())
		w.running[id] = cancel
		select {
		case w.requests <- request{json.RawMessage(id), method, params, context}:
		default: // ifttt sends one request at a time.
			go func() { _ = w.fail(json.RawMessage(id), &PluginError{Message: "too many requests", Number: -32600}) }()
		}
	}
}

// Host is ifttt during one request: the facts about this run, and the services that a plugin can use. A service that
// ifttt rejects returns a *PluginError, for example if there is no person to prompt.
type Host struct {
	// Context is canceled when the request is canceled; pass it to HTTP requests.
	Context                               context.Context
	Profile, Locale                       string
	Interactive, Offline, DryRun, Verbose bool
	Timeout                               time.Duration
	Capabilities                          []string
	wire                                  *wire
	request                               json.RawMessage
	isTidying                             bool
}

// Send sends one element of a list, or one row of a command.
func (h *Host) Send(item any) error {
	if err := h.CheckCanceled(); err != nil {
		return err
	}
	return h.wire.send(JSON{"method": "item", "params": JSON{"id": h.request, "item": item}})
}

// Progress reports progress, which ifttt shows on a terminal. A total of 0 is unknown.
func (h *Host) Progress(done, total int, message string) error {
	if err := h.CheckCanceled(); err != nil {
		return err
	}
	params := JSON{"id": h.request, "done": done, "message": message}
	if total > 0 {
		params["total"] = total
	}
	return h.wire.send(JSON{"method": "progress", "params": params})
}

// Log shows a line to the user; the level is debug, info or warning. It must not contain secrets.
func (h *Host) Log(level, message string) error {
	return h.wire.send(JSON{"method": "log", "params": JSON{"level": level, "message": message}})
}

// CheckCanceled returns ErrCanceled if the request was canceled. Call it in long loops.
func (h *Host) CheckCanceled() error {
	if h.Context.Err() != nil && !h.isTidying {
		return ErrCanceled
	}
	return nil
}

// Sleep waits, and stops waiting if the request is canceled.
func (h *Host) Sleep(duration time.Duration) error {
	select {
	case <-time.After(duration):
	case <-h.Context.Done():
	case <-h.wire.ended:
		return ErrDisconnected
	}
	return h.CheckCanceled()
}

// Tidying lets services be used for two seconds after a cancellation, to save or delete credentials.
func (h *Host) Tidying(body func() error) error {
	before := h.isTidying
	h.isTidying = true
	defer func() { h.isTidying = before }()
	return body()
}

// Credential returns a stored credential, and whether it exists. Credentials are encrypted, belong to one profile, and
// are limited to the names in the manifest.
func (h *Host) Credential(name string) (string, bool, error) {
	result, err := h.Request("credential/get", JSON{"name": name})
	value, exists := result["value"].(string)
	return value, exists, err
}

// TakeCredential returns a stored credential and deletes it in the same step.
func (h *Host) TakeCredential(name string) (string, bool, error) {
	result, err := h.Request("credential/get", JSON{"name": name, "take": true})
	value, exists := result["value"].(string)
	return value, exists, err
}

// CredentialNames returns the names of the stored credentials.
func (h *Host) CredentialNames(prefix string) ([]string, error) {
	result, err := h.Request("credential/list", JSON{"prefix": prefix})
	return texts(result["names"]), err
}

// SaveCredentials saves and deletes credentials in one transaction.
func (h *Host) SaveCredentials(values map[string]string, remove ...string) error {
	_, err := h.Request("credential/put", JSON{"values": values, "delete": append([]string{}, remove...)})
	return err
}

// DeleteCredential deletes a credential, and returns whether it existed.
func (h *Host) DeleteCredential(name string) (bool, error) {
	result, err := h.Request("credential/delete", JSON{"name": name})
	return result["deleted"] == true, err
}

// WithLock lets only one process at a time do something.
func (h *Host) WithLock(name string, body func() error) error {
	if _, err := h.Request("lock/acquire", JSON{"name": name}); err != nil {
		return err
	}
	defer func() {
		_ = h.Tidying(func() error { _, err := h.Request("lock/release", JSON{"name": name}); return err })
	}()
	return body()
}

// Prompt asks the person for a line. Prompts and the browser are not available in lists, details and completion.
func (h *Host) Prompt(message string, secret bool) (string, error) {
	result, err := h.Request("prompt", JSON{"message": message, "secret": secret})
	return text(result["value"]), err
}

// Confirm asks the person to confirm.
func (h *Host) Confirm(message string) (bool, error) {
	result, err := h.Request("confirm", JSON{"message": message})
	return result["yes"] == true, err
}

// ReadInput reads the stdin of ifttt, for an option whose value is "-".
func (h *Host) ReadInput(limit int) (string, error) {
	result, err := h.Request("input/read", JSON{"limit": limit})
	return text(result["text"]), err
}

// Wait waits while the user does something elsewhere. The request's timeout is paused.
func (h *Host) Wait(duration time.Duration) error {
	_, err := h.Request("wait", JSON{"timeout_ms": duration.Milliseconds()})
	return err
}

// OpenBrowser opens a page, and returns whether it was opened.
func (h *Host) OpenBrowser(page string) (bool, error) {
	result, err := h.Request("browser/open", JSON{"url": page})
	return result["opened"] == true, err
}

// BindRedirect listens for the browser's redirect, and returns the redirect URI with its port.
func (h *Host) BindRedirect(path string) (string, error) {
	result, err := h.Request("redirect/bind", JSON{"redirect_uri": nil, "path": path})
	return text(result["redirect_uri"]), err
}

// OpenRedirect opens a page in the browser, and waits for the redirect with this state.
func (h *Host) OpenRedirect(page, redirectURI, state string) (Redirect, error) {
	result, err := h.Request("redirect/open", JSON{
		"url": page, "redirect_uri": redirectURI, "state": state, "iss": nil, "open_browser": true, "timeout_ms": 300_000,
	})
	query := text(result["query"])
	parameters, _ := url.ParseQuery(query)
	return Redirect{text(result["redirect_uri"]), query, text(result["via"]), parameters}, err
}

// FinishRedirect reports the outcome to the page in the browser, which is waiting for it.
func (h *Host) FinishRedirect(success bool) error {
	outcome := "failure"
	if success {
		outcome = "success"
	}
	_, err := h.Request("redirect/finish", JSON{"outcome": outcome})
	return err
}

// Request sends any request to ifttt and waits for the result.
func (h *Host) Request(method string, params JSON) (JSON, error) {
	if err := h.CheckCanceled(); err != nil {
		return nil, err
	}
	response := make(chan JSON, 1)
	h.wire.guard.Lock()
	h.wire.last++
	id := h.wire.last
	h.wire.waiting[float64(id)] = response
	h.wire.guard.Unlock()
	if err := h.wire.send(JSON{"id": id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	canceled := h.Context.Done()
	if h.isTidying {
		canceled = nil
	}
	select {
	case message := <-response:
		if failure, isFailure := message["error"].(JSON); isFailure {
			return nil, errorFromJSON(failure)
		}
		result, _ := message["result"].(JSON)
		return result, nil
	case <-h.wire.ended:
		return nil, ErrDisconnected
	case <-canceled:
		return nil, ErrCanceled
	}
}

// Plugin is a provider. Its capabilities are the requests whose functions are set.
type Plugin struct {
	Name, Version       string
	ListConnections     func(host *Host, status string) error
	ShowConnection      func(host *Host, id string) (any, error)
	EnableConnection    func(host *Host, id string, options JSON) (StatusChange, error)
	DisableConnection   func(host *Host, id string, options JSON) (StatusChange, error)
	ActivateConnection  func(host *Host, id string, values JSON) (any, error)
	ConfigureConnection func(host *Host, id string, values JSON) (any, error)
	CredentialStatus    func(host *Host) ([]CredentialState, error)
	RefreshCredential   func(host *Host, name string) (bool, error)
	RevokeCredential    func(host *Host, name string) (bool, error)
	Complete            func(host *Host, question Question) ([]Candidate, error)
	// Commands are found by the names after the plugin's name, separated by spaces. A command sends rows, or returns
	// text to print.
	Commands map[string]func(host *Host, call Call) (string, error)
}

// NewPlugin creates a provider without capabilities.
func NewPlugin(name, version string) *Plugin {
	return &Plugin{Name: name, Version: version, Commands: map[string]func(*Host, Call) (string, error){}}
}

type handler = func(host *Host, params JSON) (JSON, error)

func (p *Plugin) handlers() map[string]handler {
	found := map[string]handler{}
	if p.ListConnections != nil {
		found["connections/list"] = func(h *Host, params JSON) (JSON, error) {
			return nil, p.ListConnections(h, text(params["status"]))
		}
	}
	if p.ShowConnection != nil {
		found["connections/show"] = func(h *Host, params JSON) (JSON, error) {
			connection, err := p.ShowConnection(h, text(params["id"]))
			return JSON{"connection": connection}, err
		}
	}
	for method, body := range map[string]func(*Host, string, JSON) (StatusChange, error){
		"connections/enable": p.EnableConnection, "connections/disable": p.DisableConnection,
	} {
		if body := body; body != nil {
			found[method] = func(h *Host, params JSON) (JSON, error) {
				options, _ := params["options"].(JSON)
				change, err := body(h, text(params["id"]), options)
				return JSON{"status": change.Status, "previous_status": change.Previous, "changed": change.Changed}, err
			}
		}
	}
	for method, body := range map[string]func(*Host, string, JSON) (any, error){
		"connections/activate": p.ActivateConnection, "connections/configure": p.ConfigureConnection,
	} {
		if body := body; body != nil {
			found[method] = func(h *Host, params JSON) (JSON, error) {
				values, _ := params["values"].(JSON)
				connection, err := body(h, text(params["id"]), values)
				return JSON{"connection": connection}, err
			}
		}
	}
	if p.CredentialStatus != nil {
		found["credential/status"] = func(h *Host, params JSON) (JSON, error) {
			states, err := p.CredentialStatus(h)
			return JSON{"credentials": append([]CredentialState{}, states...)}, err
		}
	}
	for method, body := range map[string]func(*Host, string) (bool, error){
		"credential/refresh": p.RefreshCredential, "credential/revoke": p.RevokeCredential,
	} {
		if body := body; body != nil {
			found[method] = func(h *Host, params JSON) (JSON, error) {
				changed, err := body(h, text(params["name"]))
				return JSON{"changed": changed}, err
			}
		}
	}
	if p.Complete != nil {
		found["complete"] = func(h *Host, params JSON) (JSON, error) {
			candidates, err := p.Complete(h, Question{
				text(params["kind"]), texts(params["command"]), text(params["profile"]), text(params["prefix"]),
			})
			return JSON{"candidates": append([]Candidate{}, candidates...)}, err
		}
	}
	if len(p.Commands) > 0 {
		found["command/run"] = p.runCommand
	}
	return found
}

func (p *Plugin) runCommand(h *Host, params JSON) (JSON, error) {
	options, _ := params["options"].(JSON)
	call := Call{
		texts(params["command"]), options, texts(params["arguments"]), texts(params["words"]), text(params["output"]),
	}
	body := p.Commands[strings.Join(call.Command, " ")]
	if body == nil {
		return nil, &PluginError{Code: "usage", Message: "no such command"}
	}
	output, err := body(h, call)
	if output == "" {
		return nil, err
	}
	return JSON{"text": output}, err
}

// Run serves requests until ifttt closes its end.
func (p *Plugin) Run() {
	w := &wire{
		output: os.Stdout, waiting: map[float64]chan JSON{}, running: map[string]context.CancelFunc{},
		requests: make(chan request, 64), ended: make(chan struct{}),
	}
	// stdout is reserved for messages.
	os.Stdout = os.Stderr
	handlers := p.handlers()
	go w.read(os.Stdin)
	var facts JSON
	for next := range w.requests {
		result, err := p.serve(w, next, handlers, &facts)
		if errors.Is(err, ErrDisconnected) {
			return
		}
		var failure *PluginError
		switch {
		case err == nil:
			if result == nil {
				result = JSON{}
			}
			err = w.send(JSON{"id": next.id, "result": result})
		case errors.As(err, &failure):
			err = w.fail(next.id, failure)
		case next.context.Err() != nil:
			err = w.fail(next.id, ErrCanceled)
		default:
			fmt.Fprintf(os.Stderr, "%s: %v\n", next.method, err)
			err = w.fail(next.id, &PluginError{Message: err.Error(), Number: -32603})
		}
		if errors.As(err, &failure) { // The result was too large.
			_ = w.fail(next.id, failure)
		}
		w.guard.Lock()
		delete(w.running, string(next.id))
		w.guard.Unlock()
	}
}

func (p *Plugin) serve(w *wire, next request, handlers map[string]handler, facts *JSON) (result JSON, err error) {
	// A fault in one handler must not end the program.
	defer func() {
		if fault := recover(); fault != nil {
			os.Stderr.Write(debug.Stack())
			err = &PluginError{Message: fmt.Sprint(fault), Number: -32603}
		}
	}()
	if next.method == "initialize" {
		return p.initialize(next.params, handlers, facts)
	}
	body := handlers[next.method]
	if body == nil {
		return nil, &PluginError{Message: "no method '" + next.method + "'", Number: -32601}
	}
	if *facts == nil {
		return nil, &PluginError{Message: "'initialize' must be the first request", Number: -32600}
	}
	host := newHost(w, next, *facts)
	if err := host.CheckCanceled(); err != nil {
		return nil, err
	}
	return body(host, next.params)
}

func (p *Plugin) initialize(params JSON, handlers map[string]handler, facts *JSON) (JSON, error) {
	if *facts != nil {
		return nil, &PluginError{Message: "'initialize' was already sent", Number: -32600}
	}
	isOffered := false
	for _, version := range texts(params["protocol"]) {
		isOffered = isOffered || version == protocolVersion
	}
	if !isOffered {
		return nil, &PluginError{
			Message: "this plugin supports only protocol " + protocolVersion, Hint: "Update the plugin or ifttt.", Number: -32602,
		}
	}
	*facts = params
	names := []string{}
	for name := range handlers {
		names = append(names, name)
	}
	return JSON{"name": p.Name, "version": p.Version, "protocol": protocolVersion, "capabilities": names}, nil
}

func newHost(w *wire, next request, facts JSON) *Host {
	milliseconds, _ := facts["timeout_ms"].(float64)
	return &Host{
		Context: next.context, Profile: text(facts["profile"]), Locale: text(facts["locale"]),
		Interactive: facts["interactive"] == true, Offline: facts["offline"] == true, DryRun: facts["dry_run"] == true,
		Verbose: facts["verbose"] == true, Timeout: time.Duration(milliseconds) * time.Millisecond,
		Capabilities: texts(facts["capabilities"]), wire: w, request: next.id,
	}
}

// key returns the JSON text of an id.
func key(id any) string {
	text, _ := json.Marshal(id)
	return string(text)
}

// text returns a string, and "" for any other value.
func text(value any) string {
	found, _ := value.(string)
	return found
}

// texts returns the strings of an array.
func texts(value any) []string {
	list, _ := value.([]any)
	found := []string{}
	for _, each := range list {
		if text, isText := each.(string); isText {
			found = append(found, text)
		}
	}
	return found
}
