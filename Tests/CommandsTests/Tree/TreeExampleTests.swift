import Arguments
import Foundation
import Pages
import ProgramDriver
import Support
import Testing

@testable import CommandContext
@testable import Commands

/// Every example of every page works when it is typed into a shell by a user of the sandbox.
@Suite struct TreeExampleTests {
  private static let examples = CommandPlace(root: Root.tree.ownSchema).subtree.flatMap(\.command.examples).map(
    \.arguments)

  @Test(arguments: examples) func everyExampleWorks(example: String) throws {
    let folder = try ScratchFolder()
    try folder.write(try Checkout.text("Examples/location/walk.gpx"), to: "walk.gpx")
    try folder.write("a-service-key-for-an-example\n", to: "key.txt")
    try folder.write(try Checkout.text("Examples/service/definition.json"), to: "definition.json")
    let program = try #require(Tool(path: BuiltProduct.path("ifttt")))
    let bash = try Tool.required("bash")
    var environment = [
      "IFTTT_HOME": folder.path + "/home", "IFTTT_PROFILE": "sandbox", "IFTTT": program.path,
      // The sandbox's own token; an example that reads stdin gets it through the pipe instead.
      "IFTTT_ACCESS_TOKEN": "at_7f20c1",
    ]
    let prepared = try program.run(["-q", "token", "exchange"], in: folder, environment: environment)
    #expect(prepared.status == 0, "\(prepared.errors)")
    // A backup to restore, and a key for a command to print.
    try folder.write(String(repeating: "0123456789abcdef", count: 4), to: "command.key")
    let backup = ["store", "backup", "before.db", "--with-key", "before.key"]
    #expect(try program.run(backup, in: folder, environment: environment).status == 0)
    if example.hasPrefix("sandbox ") { return try workOnAServer(example, program, bash, folder, environment) }
    if example.hasPrefix("plugin test ") {
      for name in ["plugin.json", "ifttt-feeds"] {
        let text = try Checkout.text("Examples/plugins/feeds/\(name)")
        try folder.write(text, to: "ifttt-feeds/\(name)", isExecutable: name != "plugin.json")
      }
    } else if example.hasPrefix("plugin ") {
      for name in try Checkout.files(in: "Examples/plugins/ifttt-hello") {
        let file = name.dropFirst("Examples/plugins/".count)
        try folder.write(try Checkout.text(name), to: String(file), isExecutable: file.hasSuffix("/ifttt-hello"))
      }
      let installed = try program.run(
        ["plugin", "install", "ifttt-hello", "--yes"], in: folder, environment: environment)
      #expect(installed.status == 0, "\(installed.errors)")
    }
    // A change to undo.
    let disabled = try program.run(["-q", "connections", "disable", "Wd5Po8Rk"], in: folder, environment: environment)
    #expect(disabled.status == 0, "\(disabled.errors)")
    let readsInput = example.hasSuffix(" -")
    if readsInput { environment["IFTTT_ACCESS_TOKEN"] = nil }
    let ids = example.utf8.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("--stdin".utf8) }
    let outcome = try bash.run(
      ["-c", "\"$IFTTT\" \(example)"], in: folder, environment: environment,
      input: example.hasPrefix("location ")
        ? #"{"lat":38.7369,"lng":-9.1427} {"lat":38.7469,"lng":-9.1427}"#.replacing(" ", with: "\n") + "\n"
        : readsInput ? "at_7f20c1\n" : ids ? "Fq3Lw8Zt\n" : "")
    #expect(outcome.status == 0)
    // A dry run notes what would change.
    #expect(outcome.errors == "" || example.contains("--dry-run") && !outcome.errors.contains("ifttt:"))
    let words = example.split(separator: " ")
    if let option = words.firstIndex(of: "--output-file") {
      // The output is only in the named file.
      let file = folder.url.appendingPathComponent(String(words[option + 1]))
      #expect(outcome.output.isEmpty)
      #expect(try !Data(contentsOf: file).isEmpty)
    } else {
      #expect(!outcome.output.isEmpty)
    }
  }

  /// Runs an example with a server that has received requests. A server that the example itself starts is stopped.
  private func workOnAServer(
    _ example: String, _ program: Tool, _ bash: Tool, _ folder: ScratchFolder, _ environment: [String: String]
  ) throws {
    let script = """
      set -e
      case "$1" in
        "sandbox start"*) eval "exec \"$IFTTT\" $1" >shown & ;;
        *) "$IFTTT" sandbox start --ready-file before.json >started & ;;
      esac
      server=$!
      trap 'kill $server; wait $server' EXIT
      eval "$("$IFTTT" sandbox env --wait 1h)"
      export IFTTT_PROFILE=default
      "$IFTTT" connections disable Kd7Rn2Qx >told
      "$IFTTT" sandbox faults set latency=0s >told
      case "$1" in
        "sandbox start"*) ;;
        *) eval "\"$IFTTT\" $1" >shown ;;
      esac
      cat shown
      """
    let outcome = try bash.run(["-c", script, "bash", example], in: folder, environment: environment)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(!outcome.output.isEmpty)
  }
}
