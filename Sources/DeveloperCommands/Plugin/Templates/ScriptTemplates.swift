extension PluginTemplate {
  var shell: String {
    named(
      #"""
      #!/bin/sh
      # 'ifttt @NAME@' runs this program. ifttt checks the arguments against plugin.json in the same folder and passes them on.
      # Stdin, stdout and stderr are the user's, and the exit status is also the exit status of ifttt.
      # The environment contains IFTTT_PROFILE and IFTTT_OUTPUT (the profile and the output format), IFTTT_PLUGIN_DIR (the
      # folder of this file), a few common variables, and those listed under "environment" in plugin.json.
      set -eu

      loud=
      who=
      options=yes
      for argument do
        case "$options $argument" in
          'yes --loud') loud=yes ;;
          'yes --') options= ;; # All arguments after it are names, even those that begin with a hyphen.
          *) who="${who:+$who }$argument" ;;
        esac
      done

      greeting="Hello, ${who:-$IFTTT_PROFILE}."
      [ -z "$loud" ] || greeting=$(printf '%s' "$greeting" | tr '[:lower:]' '[:upper:]')
      printf '%s\n' "$greeting"

      """#)
  }

  var python: String {
    named(kind == .command ? pythonCommand : pythonProvider + (kind == .both ? pythonCommands : "") + pythonEnd)
  }

  private var pythonCommand: String {
    #"""
    #!/usr/bin/env python3
    """Prints a greeting: 'ifttt @NAME@' runs this program.

    ifttt checks the arguments against plugin.json in the same folder and passes them on. Stdin, stdout and stderr are the
    user's, and the exit status is also the exit status of ifttt. The environment contains IFTTT_PROFILE and IFTTT_OUTPUT
    (the profile and the output format), a few common variables, and those under "environment" in plugin.json.
    """

    import argparse
    import os

    parser = argparse.ArgumentParser(prog="ifttt @NAME@")
    parser.add_argument("--loud", action="store_true")
    parser.add_argument("who", nargs="*")
    arguments = parser.parse_args()

    greeting = f"Hello, {' '.join(arguments.who) or os.environ.get('IFTTT_PROFILE', 'default')}."
    print(greeting.upper() if arguments.loud else greeting)

    """#
  }

  private var pythonProvider: String {
    #"""
    #!/usr/bin/env python3
    """A provider of connections for ifttt: things that are on or off, stored in a JSON file.

    ifttt_plugin.py, in the same folder, implements the protocol. ifttt-plugin(5) describes it.
    """

    import json
    import os

    from ifttt_plugin import Connection, Plugin, PluginError, StatusChange

    FILE = os.path.join(os.environ.get("HOME", "."), ".ifttt-@NAME@", "things.json")
    plugin = Plugin("@NAME@", "0.1.0")


    def load():
        try:
            with open(FILE, encoding="utf-8") as file:
                return [Connection(**thing) for thing in json.load(file)]
        except FileNotFoundError:
            return [Connection("1", "Kettle", "enabled"), Connection("2", "Fan", "disabled")]


    def save(things):
        os.makedirs(os.path.dirname(FILE), exist_ok=True)
        # Replace the file atomically, so that no other process reads a partial file.
        with open(FILE + ".new", "w", encoding="utf-8") as file:
            json.dump([thing.to_json() for thing in things], file, ensure_ascii=False, indent=2)
        os.replace(FILE + ".new", FILE)


    def find(things, identifier):
        for thing in things:
            if thing.id == identifier:
                return thing
        raise PluginError(
            "not_found", f"no thing '{identifier}'", hint="See 'ifttt connections list --provider @NAME@'.")


    def change(identifier, status):
        things = load()
        thing = find(things, identifier)
        result = StatusChange(status, thing.status)
        thing.status = status
        if result.status != result.previous_status:
            save(things)
        return result


    @plugin.list_connections
    def list_things(host, status):
        return [thing for thing in load() if status in (None, thing.status)]


    @plugin.show_connection
    def show(host, identifier):
        return find(load(), identifier)


    @plugin.enable_connection
    def enable(host, identifier, options):
        return change(identifier, "enabled")


    @plugin.disable_connection
    def disable(host, identifier, options):
        return change(identifier, "disabled")


    """#
  }

  private var pythonCommands: String {
    #"""
    @plugin.command("add")
    def add(host, call):
        things = load()
        number = 1 + max((int(thing.id) for thing in things), default=0)
        things.append(Connection(str(number), call.arguments[0], "disabled"))
        save(things)
        return things[-1]


    @plugin.command("file")
    def file(host, call):
        return FILE + "\n"


    """#
  }

  private var pythonEnd: String { "if __name__ == \"__main__\":\n    plugin.run()\n" }

  var javascript: String {
    named(
      kind == .command
        ? javascriptCommand : javascriptProvider + (kind == .both ? javascriptCommands : "") + "plugin.run();\n")
  }

  private var javascriptCommand: String {
    #"""
    #!/usr/bin/env node
    /**
     * Prints a greeting: 'ifttt @NAME@' runs this program.
     *
     * ifttt checks the arguments against plugin.json in the same folder and passes them on. Stdin, stdout and stderr are
     * the user's, and the exit status is also the exit status of ifttt. The environment contains IFTTT_PROFILE and
     * IFTTT_OUTPUT (the profile and the output format), a few common variables, and those under "environment" in
     * plugin.json.
     */
    import { parseArgs } from "node:util";

    const { values, positionals } = parseArgs({ options: { loud: { type: "boolean" } }, allowPositionals: true });

    const greeting = `Hello, ${positionals.join(" ") || process.env.IFTTT_PROFILE}.`;
    console.log(values.loud ? greeting.toUpperCase() : greeting);

    """#
  }

  private var javascriptProvider: String {
    #"""
    #!/usr/bin/env node
    /**
     * A provider of connections for ifttt: things that are on or off, stored in a JSON file.
     *
     * ifttt_plugin.mjs, in the same folder, implements the protocol. ifttt-plugin(5) describes it.
     */
    import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
    import { dirname, join } from "node:path";

    import { Plugin, PluginError, statusChange } from "./ifttt_plugin.mjs";

    const FILE = join(process.env.HOME ?? ".", ".ifttt-@NAME@", "things.json");
    const plugin = new Plugin("@NAME@", "0.1.0");

    function load() {
      try {
        return JSON.parse(readFileSync(FILE, "utf-8"));
      } catch (error) {
        if (error.code !== "ENOENT") throw error;
        return [{ id: "1", name: "Kettle", status: "enabled" }, { id: "2", name: "Fan", status: "disabled" }];
      }
    }

    function save(things) {
      mkdirSync(dirname(FILE), { recursive: true });
      // Replace the file atomically, so that no other process reads a partial file.
      writeFileSync(`${FILE}.new`, JSON.stringify(things, null, 2));
      renameSync(`${FILE}.new`, FILE);
    }

    function find(things, id) {
      const thing = things.find((each) => each.id === id);
      if (thing) return thing;
      throw new PluginError("not_found", `no thing '${id}'`, { hint: "See 'ifttt connections list --provider @NAME@'." });
    }

    function change(id, status) {
      const things = load();
      const thing = find(things, id);
      const result = statusChange(status, thing.status);
      thing.status = status;
      if (result.changed) save(things);
      return result;
    }

    plugin.listConnections((host, status) => load().filter((thing) => status === null || thing.status === status));
    plugin.showConnection((host, id) => find(load(), id));
    plugin.enableConnection((host, id) => change(id, "enabled"));
    plugin.disableConnection((host, id) => change(id, "disabled"));

    """#
  }

  private var javascriptCommands: String {
    #"""
    plugin.command("add", (host, call) => {
      const things = load();
      const number = 1 + Math.max(0, ...things.map((thing) => Number(thing.id)));
      things.push({ id: String(number), name: call.arguments[0], status: "disabled" });
      save(things);
      return things.at(-1);
    });
    plugin.command("file", () => `${FILE}\n`);

    """#
  }
}
