extension PluginTemplate {
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
}
