extension PluginTemplate {
  var python: String {
    named(
      #"""
      #!/usr/bin/env python3
      """A provider of connections for ifttt: things that are on or off, stored in a JSON file.

      ifttt starts this program, writes JSON-RPC requests to its stdin, one per line, and reads the responses from its
      stdout. The user sees what it writes to stderr. The program exits at the end of its stdin.
      ifttt-plugin(5) describes every request.
      """

      import json
      import os
      import sys

      NAME, VERSION, PROTOCOL = "@NAME@", "0.1.0", "1"
      FILE = os.path.join(os.environ.get("HOME", "."), ".ifttt-@NAME@.json")


      class RequestError(Exception):
          """An error that ifttt shows to the user, with one of ifttt's error codes."""

          def __init__(self, code, message, hint=None):
              super().__init__(message)
              self.code, self.hint = code, hint


      def load():
          try:
              with open(FILE, encoding="utf-8") as file:
                  return json.load(file)
          except FileNotFoundError:
              return [{"id": "1", "name": "Kettle", "status": "enabled"}, {"id": "2", "name": "Fan", "status": "disabled"}]


      def save(things):
          # Replace the file atomically, so that no other process reads a partial file.
          with open(FILE + ".new", "w", encoding="utf-8") as file:
              json.dump(things, file, ensure_ascii=False, indent=2)
          os.replace(FILE + ".new", FILE)


      def find(things, identifier):
          for thing in things:
              if thing["id"] == identifier:
                  return thing
          raise RequestError("not_found", f"no thing '{identifier}'", "See 'ifttt connections list --provider @NAME@'.")


      def initialize(params, request):
          if PROTOCOL not in params.get("protocol", []):
              raise RequestError("plugin_failed", f"this plugin supports only protocol {PROTOCOL}")
          capabilities = [method for method in METHODS if method != "initialize"]
          return {"name": NAME, "version": VERSION, "protocol": PROTOCOL, "capabilities": capabilities}


      def list_things(params, request):
          for thing in load():
              if params.get("status") in (None, thing["status"]):
                  item(request, thing)
          return {}


      def show(params, request):
          return {"connection": find(load(), params["id"])}


      def switch(status):
          def change(params, request):
              things = load()
              thing = find(things, params["id"])
              previous = thing["status"]
              thing["status"] = status
              if previous != status:
                  save(things)
              return {"status": status, "previous_status": previous, "changed": previous != status}

          return change


      def run(params, request):
          if params["command"] == ["file"]:
              return {"text": FILE + "\n"}
          if params["command"] == ["add"]:
              things = load()
              number = 1 + max((int(thing["id"]) for thing in things), default=0)
              things.append({"id": str(number), "name": params["arguments"][0], "status": "disabled"})
              save(things)
              item(request, things[-1])
              return {}
          raise RequestError("usage", "no such command")


      METHODS = {
          "initialize": initialize,
          "connections/list": list_things,
          "connections/show": show,
          "connections/enable": switch("enabled"),
          "connections/disable": switch("disabled"),
          "command/run": run,
      }


      def send(message):
          sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False) + "\n")
          sys.stdout.flush()


      def item(request, value):
          send({"method": "item", "params": {"id": request, "item": value}})


      def respond(message):
          request = message.get("id")
          if request is None:
              return  # A notification, such as $/cancel. No request takes long enough to be canceled.
          method = METHODS.get(message.get("method"))
          if method is None:
              send({"id": request, "error": {"code": -32601, "message": f"unknown method {message.get('method')}"}})
              return
          try:
              send({"id": request, "result": method(message.get("params") or {}, request)})
          except RequestError as error:
              data = {"code": error.code, "hint": error.hint}
              send({"id": request, "error": {"code": -32000, "message": str(error), "data": data}})
          except Exception as error:  # A failed request must not end the program.
              print(f"{type(error).__name__}: {error}", file=sys.stderr)
              send({"id": request, "error": {"code": -32603, "message": str(error)}})


      def main():
          # Use UTF-8 in every locale. Read bytes, so that a line that is not UTF-8 does not end the program.
          sys.stdout.reconfigure(encoding="utf-8")
          for line in sys.stdin.buffer:
              try:
                  message = json.loads(line.decode("utf-8"))
                  if not isinstance(message, dict):
                      raise ValueError("not an object")
              except ValueError as error:
                  send({"id": None, "error": {"code": -32700, "message": f"not JSON: {error}"}})
                  continue
              respond(message)


      if __name__ == "__main__":
          main()

      """#)
  }
}
