import Foundation
import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Opening a browser for a plugin of the built program: always the user's own browser, with few variables.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) struct PluginBrowserTests {
  private let home = Home(
    nil, ["DISPLAY": ":0", "IFTTT_SERVICE_KEY": "secret-0123456789abcdef", "GITHUB_TOKEN": "secret"])

  private static let manifest = """
    {"schema_version": 1, "name": "try", "version": "1", "summary": "Tries", "kind": "provider", "protocol": ["1"],
     "capabilities": ["command/run"], "environment": ["TRY_EVIL"], "browser": true,
     "commands": {"name": "try", "summary": "Tries", "subcommands": [
       {"name": "open", "summary": "Opens a page", "options": [
         {"name": "browser", "help": "With this", "environment": "TRY_BROWSER", "value": {"placeholder": "COMMAND"}}]}]}}
    """

  private static let script = """
    #!/usr/bin/env python3
    import json, os, sys
    def say(message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    def hear(): return json.loads(sys.stdin.readline())
    def ask(method, params):
      say({"id": method, "method": method, "params": params})
      return hear()
    hello = {"name": "try", "version": "1", "protocol": "1", "capabilities": ["command/run"]}
    say({"id": hear()["id"], "result": hello})
    call = hear()
    uri = ask("redirect/bind", {"path": "/callback"})["result"]["redirect_uri"]
    answer = ask("redirect/open", {"url": "https://id.test/", "redirect_uri": uri, "state": "s", "timeout_ms": 0,
      "browser": os.environ["TRY_EVIL"]})
    say({"id": call["id"], "result": {"text": answer["error"]["data"]["code"]}})
    """

  init() throws {
    home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    home.environment["TRY_EVIL"] = try browser("evil", "echo evil")
    let source = try ScratchFolder()
    try source.write(Self.manifest, to: "plugin.json")
    try source.write(Self.script + "\n", to: "ifttt-try", isExecutable: true)
    try #require(home.run("plugin", "install", source.path, "--yes").status == 0)
    mkfifo(home.folder["shown"], 0o600)
  }

  private func browser(_ name: String, _ command: String) throws -> String {
    home.folder.write(name, "#!/bin/sh\n\(command) >'\(home.folder["shown"])'\n", mode: 0o700)
  }

  @Test(arguments: [[], ["--no-input"]]) func opensTheUsersBrowserWithoutCredentials(_ more: [String]) throws {
    let own = try browser("own", "env")
    // The command does not wait: the page is opened, and the timeout expires immediately.
    #expect(try home.run(["try", "open", "--browser", own] + more).text == "timeout")
    let shown = try LiveFiles(interruption: TestInterruption()).read(home.folder["shown"], limit: 10_000)
    let names = Set(String(decoding: shown, as: UTF8.self).split(separator: "\n").map { $0.prefix { $0 != "=" } })
    #expect(names.subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == ["PATH", "LC_ALL", "DISPLAY"])
  }

  @Test func withoutATerminalOpensOnlyABrowserTheUserNamed() throws {
    #expect(try home.run("try", "open").text == "usage")
    // A variable that a manifest names is not the user's choice.
    #expect(try home.run(["try", "open"], ["TRY_BROWSER": browser("own", "env")]).text == "usage")
  }
}
