import CommandLine
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// Every argument that accepts an id also accepts a unique prefix or the connection's name.
@Suite struct NamedConnectionTests {
  private func home() -> Home {
    let home = Home()
    for id in ["--offline connections add Kd7Rn2Qx Kd9Aa1Bb Fq3Lw8Zt"] {
      #expect(home.run(id).exit == .success)
    }
    return home
  }

  private func named(_ home: Home) {
    let answers = Server().answering(200, Server.connection("Fq3Lw8Zt", name: "Log rain"))
      .answering(200, Server.connection("Kd7Rn2Qx", name: "Evening lamps"))
      .answering(200, Server.connection("Kd9Aa1Bb", name: "Log tides"))
    #expect(home.run("connections show Fq3Lw8Zt Kd7Rn2Qx Kd9Aa1Bb --as anonymous", answers: answers).exit == .success)
  }

  @Test(arguments: ["Fq3", "F", "'Log rain'"]) func acceptsAUniquePrefixOrName(word: String) {
    let home = home()
    named(home)
    let answers = Server().answering(404, Server.error("not_found", "no"))
      .answering(200, Server.connection("Fq3Lw8Zt", name: "Log rain"))
    let shown = home.run("connections show \(word) --as anonymous -o jsonl --fields id", answers: answers)
    #expect(shown.exit == .success && shown.output == #"{"id":"Fq3Lw8Zt"}"# + "\n", "\(shown.errors)")
    #expect(shown.errors.contains("Fq3Lw8Zt (Log rain)"))
    #expect(answers.asked.last == "GET connect.ifttt.com/v2/connections/Fq3Lw8Zt")
  }

  @Test func prefersAnIDThatIFTTTKnows() {
    let home = home()
    let connection = Server.connection("Fq3", name: "Another")
    let answers = Server().answering(200, connection).answering(200, connection)
    let shown = home.run("connections show Fq3 --as anonymous -o jsonl --fields id", answers: answers)
    #expect(shown.output == #"{"id":"Fq3"}"# + "\n")
    #expect(!answers.asked.isEmpty && answers.asked.allSatisfy { $0 == "GET connect.ifttt.com/v2/connections/Fq3" })
  }

  @Test func doesNotFetchATrackedID() {
    let home = home()
    let answers = Server().answering(200, Server.connection("Kd7Rn2Qx"))
    #expect(home.run("connections show Kd7Rn2Qx --as anonymous --json", answers: answers).exit == .success)
  }

  @Test func anAmbiguousNameListsCandidates() {
    let home = home()
    named(home)
    let failed = home.run("connections remove Kd")
    #expect(failed.exit == .usage)
    #expect(failed.errors.contains("Kd7Rn2Qx: Evening lamps") && failed.errors.contains("Kd9Aa1Bb: Log tides"))
    #expect(!failed.errors.contains("Fq3Lw8Zt"))
    let left = home.run("--offline connections list --fields id -o tsv --no-header")
    #expect(left.output.split(separator: "\n").count == 3)
    _ = left.errors
  }

  @Test func aFailedLookupChangesNothing() {
    let home = home()
    let answers = Server().answering(500, "{}")
    let failed = home.run("connections show Fq3 --as anonymous --retries 0", answers: answers)
    #expect(failed.exit == .unavailable, "\(failed.errors)")
  }

  @Test(arguments: [
    ("connections show Kd7Rn2Xq", "Kd7Rn2Qx (Evening lamps)"), ("connections show 'Lgo rain'", "Fq3Lw8Zt (Log rain)"),
    ("connections show kd7rn2qx", "Kd7Rn2Qx (Evening lamps)"), ("connections remove Fq3Lw8Tz", "Fq3Lw8Zt (Log rain)"),
    ("location on Fq3Lw8Tz", "Fq3Lw8Zt (Log rain)"),
  ]) func suggestsSimilarConnections(line: String, suggestion: String) {
    let home = home()
    named(home)
    let answers = line.hasPrefix("connections show") ? Server().answering(404, Server.error("not_found", "no")) : nil
    let failed = home.run(line + (answers == nil ? "" : " --as anonymous"), answers: answers)
    #expect(failed.exit == .notFound)
    #expect(failed.errors.contains("Did you mean \(suggestion)?"), "\(failed.errors)")
  }

  @Test func suggestsNothingIfNothingIsSimilar() {
    let home = home()
    #expect(!home.run("connections remove Zz4Tt9Pp").errors.contains("Did you mean"))
  }

  @Test func suggestsASimilarProfile() {
    let home = home()
    #expect(home.run("profile create workshop").exit == .success)
    let failed = home.run("--profile workshpo connections list")
    #expect(failed.exit == .notFound && failed.errors.contains("Did you mean 'workshop'?"), "\(failed.errors)")
    #expect(home.run("profile use sandbxo").errors.contains("Did you mean 'sandbox'?"))
  }

  /// Checks every command that accepts a connection.
  @Test func everyCommandThatAcceptsAnIDAcceptsAPrefix() {
    let lines = [
      "connections show Kd7Rn2Qx", "connections export Kd7Rn2Qx", "connections remove Kd7Rn2Qx",
      "connections enable Kd7Rn2Qx --dry-run",
      "connections disable Kd7Rn2Qx --dry-run", "connections activate Kd7Rn2Qx --dry-run --fields method",
      "connections wait Kd7Rn2Qx --for status=enabled", "connections watch Kd7Rn2Qx --initial --timeout 0",
      "connections open Kd7Rn2Qx --no-browser", "connections options Kd7Rn2Qx",
      "connections run Kd7Rn2Qx tidebook.add_entry --dry-run", "connections query Kd7Rn2Qx list_tides --dry-run",
      "connections test Kd7Rn2Qx exit_region_location --dry-run", "connections options Kd7Rn2Qx --refresh --dry-run",
      "connections button Kd7Rn2Qx", "configure Kd7Rn2Qx --no-input", "location on Kd7Rn2Qx", "location off Kd7Rn2Qx",
      "location regions Kd7Rn2Qx", "location map --connection Kd7Rn2Qx",
      "location replay --connection Kd7Rn2Qx --dry-run WALK",
    ]
    // `add` starts tracking, so its argument cannot name a tracked connection. A running server knows only ids.
    let commands = CommandPosition(root: Root.tree.ownSchema).subtree.filter { position in
      position.path != ["connections", "add"] && position.path.first != "sandbox"
        && (position.command.arguments.map(\.value) + position.command.options.compactMap(\.value)).contains {
          $0.completion == .dynamic("connection-id")
        }
    }.map { $0.path.joined(separator: " ") }
    for command in commands { #expect(lines.contains { $0.hasPrefix(command + " ") }, "\(command) is not tested") }
    for line in lines {
      func run(_ id: String) -> SandboxHome.Run {
        let home = SandboxHome()
        // A dry run tracks nothing, so there would be no connection to name.
        _ = home.run("connections list", environment: ["IFTTT_PROFILE": "sandbox"])
        let walk = home.folder.write("walk.gpx", (try? Checkout.text("Examples/location/walk.gpx")) ?? "")
        var run = home.run(
          line.replacing("Kd7Rn2Qx", with: id).replacing("WALK", with: walk), environment: ["IFTTT_PROFILE": "sandbox"])
        run.output = run.output.replacing(home.folder.path, with: "HOME")
        return run
      }
      let (whole, short) = (run("Kd7Rn2Qx"), run("Kd7"))
      #expect(short.code == whole.code, "\(line): \(short.errors)")
      #expect(short.output == whole.output, "\(line)")
      #expect(short.errors.contains("'Kd7' is connection Kd7Rn2Qx"), "\(line): \(short.errors)")
    }
  }
}
