import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Command plugins as real programs, run by the built program. They share its terminal, signals and exit status.
@Suite struct PluginProgramTests {
  let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

  /// Install a plugin with this script as its executable.
  private func install(_ script: String) throws {
    let source = try ScratchFolder()
    try source.write(
      #"{"schema_version":1,"name":"try","version":"1","summary":"Tries","kind":"command","environment":["GIVEN"]}"#,
      to: "plugin.json")
    try source.write("#!/bin/sh\n" + script, to: "ifttt-try", isExecutable: true)
    let outcome = try home.run("plugin", "install", source.path, "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: [0, 1, 3, 42, 255]) func exitStatusIsPassedOn(status: Int32) throws {
    try install("exit \(status)\n")
    #expect(try home.run("try").status == status)
  }

  @Test func streamsAndArgumentsArePassedOn() throws {
    try install("cat; printf '<%s>' \"$@\"; echo oops >&2\n")
    let outcome = try home.run(["try", "a b", "--unknown", "", "-q", "--", "-q"], input: "typed\n")
    #expect(outcome.text == "typed\n<a b><--unknown><><--><-q>")
    #expect(outcome.errors == "oops\n")
  }

  @Test func argumentsNeedNotBeUTF8() throws {
    try install("printf '%s' \"$1\"\n")
    let outcome = try home.run(bytes: [Array("try".utf8), [0x61, 0xff, 0xfe]])
    #expect(outcome.output == [0x61, 0xff, 0xfe])
  }

  @Test func seesOnlyAFewVariables() throws {
    try install("env | sed 's/=.*//' | sort | tr '\\n' ' '\n")
    let variables = ["GIVEN": "1", "OTHER": "1", "IFTTT_SERVICE_KEY": "secret-0123456789abcdef", "LANG": "C"]
    let seen = try home.run(["try"], variables).text.split(separator: " ").filter {
      !["_", "PWD", "SHLVL", "OLDPWD"].contains($0)
    }
    #expect(
      seen == [
        "GIVEN", "IFTTT_OUTPUT", "IFTTT_PLUGIN_DIR", "IFTTT_PROFILE", "IFTTT_PROGRAM", "LANG", "LC_ALL",
        "PATH", "PYTHONDONTWRITEBYTECODE",
      ])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signalsReachThePlugin(signal: Int32) throws {
    try install("trap 'echo caught; exit 7' INT TERM HUP\necho ready\nwhile :; do read -r line || exit 9; done\n")
    let running = try home.start(["try"])
    running.read(until: "ready\n")
    running.signal(signal)
    // The shell runs its traps between commands.
    running.type("\n")
    #expect(running.wait() == 7)
    #expect(running.readToEnd() == "caught\n")
  }

  @Test func aFatalSignalIsPassedOn() throws {
    try install("kill -TERM $$\n")
    #expect(try home.run("try").status == -SIGTERM)
    // Signals that the program ignores are not ignored in the plugin.
    try install("kill -PIPE $$\n")
    #expect(try home.run("try").status == -SIGPIPE)
  }

  @Test func thePluginOwnsTheTerminal() throws {
    try install("test -t 0 && test -t 1 && test -t 2 && printf 'who? ' && read -r name && echo \"hello $name\"\n")
    let running = try home.start(onTerminal: ["try"])
    running.read(until: "who? ")
    running.type("Ann\n")
    #expect(running.read(until: "status 0").contains("hello Ann"))
  }

  @Test func aClosedPipeEndsItQuietly() throws {
    try install("while :; do echo line; done\n")
    let running = try home.start(["try"])
    running.read(until: "line\n")
    running.endOutput()
    #expect(running.wait() == -SIGPIPE)
  }

  @Test func aMissingInterpreterIsReported() throws {
    try install("")
    let path = home.folder["plugins/try/ifttt-try"]
    let source = try ScratchFolder()
    try source.write(
      try String(contentsOfFile: home.folder["plugins/try/plugin.json"], encoding: .utf8), to: "plugin.json")
    try source.write("#!/nowhere/interpreter\n", to: "ifttt-try", isExecutable: true)
    #expect(try home.run("plugin", "install", source.path, "--yes").status == 0)
    let outcome = try home.run("try", "--json")
    #expect(outcome.status == 1)
    #expect(outcome.code == "plugin_failed")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func interruptingThePromptInstallsNothing() throws {
    let source = try ScratchFolder()
    try source.write(
      #"{"schema_version":1,"name":"try","version":"1","summary":"Tries","kind":"command"}"#, to: "plugin.json")
    try source.write("#!/bin/sh\n", to: "ifttt-try", isExecutable: true)
    let running = try home.start(onTerminal: ["plugin", "install", source.path])
    running.read(until: "Install plugin 'try'? [y/N] ")
    running.type("\u{3}")
    running.read(until: "status 130")
    #expect(try home.run("plugin", "list", "--json").text == "[]\n")
    #expect(!home.folder.names.contains { $0.hasPrefix("plugins/") })
  }

  /// The last installation wins, and the installed plugin is always complete.
  @Test func concurrentInstallationsLeaveOneCompletePlugin() throws {
    let sources = try (0..<8).map { number in
      let source = try ScratchFolder()
      try source.write(
        #"{"schema_version":1,"name":"try","version":"\#(number)","summary":"Tries","kind":"command"}"#,
        to: "plugin.json")
      try source.write("#!/bin/sh\necho \(number)\n", to: "ifttt-try", isExecutable: true)
      return source
    }
    let running = try sources.map { try home.start(["plugin", "install", $0.path, "--yes", "-o", "csv"]) }
    for program in running {
      _ = program.readToEnd()
      #expect(program.wait() == 0, "\(program.readToEnd(program.errors))")
    }
    let listed = try home.run("plugin", "list", "-o", "csv", "--no-header", "--fields", "version,status").text
    let said = try home.run("try").text
    #expect(listed == said.trimmingCharacters(in: .newlines) + ",ready\n")
    #expect(try home.run("plugin", "verify").status == 0)
    // One of them is kept for a rollback, and is complete too.
    let hidden = home.folder.names.filter { $0.hasPrefix("plugins/.version-") }
    #expect(hidden.count == 3, "\(hidden)")
  }
}
