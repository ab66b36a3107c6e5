import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Location commands under `--record` and `--replay`.
@Suite struct LocationRecordingTests {
  private let home = GeofenceTracks.home()

  init() { home.environment["TMPDIR"] = home.folder.path }

  /// Removes the data that only the recording user has.
  private func forget() {
    home.run("connections remove gg")
    home.environment["IFTTT_USER_TOKEN"] = nil
  }

  @Test(arguments: [
    "location regions --json", "location replay WALK --dry-run --json", "location map WALK --format svg",
  ])
  func aReplayPrintsTheSameOutput(line: String) {
    let walk = home.folder.write("walk.jsonl", GeofenceTracks.lines([0, 150, 300, 0]))
    let words = line.replacing("WALK", with: "'\(walk)'")
    let recorded = home.run("\(words) --record '\(home.folder["r"])'")
    #expect(recorded.exit == .success && !recorded.output.isEmpty)
    forget()
    let replayed = home.run("\(words) --replay '\(home.folder["r"])'")
    #expect(replayed.output == recorded.output && replayed.exit == .success, "\(replayed.errors)")
  }

  /// A replay opens no connections, and a recording does not include gpsd's messages.
  @Test func aReplayDoesNotConnectToGPSD() {
    let greeting = #"{"class":"VERSION","proto_major":3,"proto_minor":14}"# + "\n"
    home.prepare = { test in
      test.connections.answer = { _, _ throws(ConnectionError) in TestStream([.text(greeting), .failure(.interrupted)])
      }
    }
    let words = "location replay --gpsd localhost --dry-run"
    #expect(home.run("\(words) --record '\(home.folder["r"])'").exit == .interrupted)
    forget()
    home.prepare = { _ in }
    let replayed = home.run("\(words) --replay '\(home.folder["r"])' --json")
    #expect(replayed.exit == .failure && replayed.errors.contains(#""code":"not_recorded""#))
    #expect(home.last?.connections.asked == [])
  }
}
