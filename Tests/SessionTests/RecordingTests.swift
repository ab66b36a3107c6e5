import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Failures of `--record`, and the recorded parts of a command line.
@Suite struct RecordingTests {
  private let home = Home()

  private func written(_ name: String) -> String { home.folder.text("r/\(name)") ?? "" }

  @Test func aWriteErrorFailsTheRunAfterItCompletes() {
    home.prepare = { test in
      test.files.failure = { _, path in
        path.hasSuffix("0001.json") ? SystemError(number: ENOSPC, call: "write \(path)") : nil
      }
    }
    let run = home.run(
      "connections show a --json --record \(home.folder["r"])",
      answers: Server().answering(200, Server.connection("a")))
    #expect(run.exit == .failure)
    #expect(run.output.hasPrefix("{"))
    #expect(run.errors.contains(#""code":"output_failed""#))
  }

  @Test func theRecordedCommandLineHasNoSecrets() {
    home.environment = ["TMPDIR": home.folder.path]
    let line = "api GET /v2/me -f token=abcdefgh --invite-code seven-lamps --record \(home.folder["r"])"
    let run = home.run(line, answers: Server().answering(200, #"{"echo":"seven-lamps"}"#))
    #expect(run.exit == .success)
    #expect(run.errors.contains("Recorded 1 exchange"))
    let recording = written("recording.json")
    #expect(recording.contains(#""command": ["api","GET","/v2/me","-f","token=stand-in","--invite-code","…""#))
    for name in ["recording.json", "0001.json"] {
      #expect(!written(name).contains("abcdefgh") && !written(name).contains("seven-lamps"))
    }
    #expect(written("0001.json").contains("/v2/me?token=stand-in"))
    let replay = home.run(line.replacingOccurrences(of: "--record", with: "--replay"))
    #expect(replay.exit == .success)
    #expect(replay.output == #"{"echo":"stand-in"}"# + "\n")
  }

  @Test func onlyVariablesOfOptionsAreReplayed() {
    home.environment = ["IFTTT_OUTPUT": "json", "IFTTT_SERVICE": "lampost", "IFTTT_INVITE_CODE": "seven-lamps"]
    let recorded = home.run(
      "applets fetch --record \(home.folder["r"])", answers: Server().answering(200, #"{"type":"list","data":[]}"#))
    #expect(recorded.output == "[]\n")
    #expect(!recorded.errors.isEmpty)
    #expect(!written("recording.json").contains("seven-lamps"))
    home.environment = ["IFTTT_OUTPUT": "csv", "TMPDIR": home.folder.path]
    #expect(home.run("applets fetch --replay \(home.folder["r"])").output == "[]\n")
    #expect(!home.folder.names.contains { $0.hasPrefix("ifttt-replay") })
  }

  @Test func theSelectedProfileIsRestored() {
    home.environment = ["TMPDIR": home.folder.path]
    home.run("profile create work --service lampost --use")
    let recorded = home.run(
      "applets fetch --json --record \(home.folder["r"])",
      answers: Server().answering(200, #"{"type":"list","data":[]}"#))
    #expect(recorded.output == "[]\n")
    #expect(!recorded.errors.isEmpty)
    home.run("profile use default")
    let replayed = home.run("applets fetch --json --replay \(home.folder["r"])")
    #expect(replayed.output == "[]\n", "\(replayed.errors)")
    #expect(home.run("profile list --fields name -o tsv --no-header").lines.sorted() == ["default", "sandbox", "work"])
  }

  /// Each file of a recording, corrupted.
  @Test(arguments: ["recording.json", "store.json", "0001.json"], ["", "{}", "[1", #"{"recording":2}"#])
  func aCorruptRecordingIsRejected(_ name: String, _ text: String) {
    let words = "connections show a --json"
    home.environment = ["TMPDIR": home.folder.path]
    home.run("connections add a", answers: Server().answering(200, Server.connection("a")))
    let recorded = home.run(
      "\(words) --record \(home.folder["r"])", answers: Server().answering(200, Server.connection("a")))
    #expect(recorded.errors.contains("Recorded 1"))
    home.folder.write("r/\(name)", text)
    let replayed = home.run("\(words) --replay \(home.folder["r"])")
    #expect(replayed.exit == .failure)
    #expect(replayed.errors.contains("does not contain a recording that can be replayed"))
    #expect(!home.folder.names.contains { $0.hasPrefix("ifttt-replay") })
  }
}
