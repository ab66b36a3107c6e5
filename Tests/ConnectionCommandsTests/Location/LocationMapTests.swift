import ProgramDriver
import Support
import Testing

@testable import Session

/// The map drawn by `location map` for a track, and for a file that is not a track.
@Suite struct LocationMapTests {
  private let home = GeofenceTracks.home()

  private func map(_ lines: String, _ options: String = "") -> Home.Outcome {
    home.run("location map '\(home.folder.write("walk.jsonl", lines))' --format svg \(options)")
  }

  @Test func theEventsOfAReplayAreMarked() {
    let run = map(GeofenceTracks.lines([0, 150, 300, 0]))
    #expect(run.exit == .success && run.errors == "")
    #expect(run.output.contains("3 regions · 4 positions · 2 entries and 2 exits"))
    #expect(map(GeofenceTracks.lines([0, 150, 300, 0]), "--initial").output.contains("4 entries and 2 exits"))
    #expect(home.run("location events --json").output == "[]\n")
  }

  /// Markup is not readable on a terminal.
  @Test func aTerminalNeedsAnExplicitOutputFile() throws {
    home.terminal = .interactive()
    home.environment["NO_COLOR"] = "1"
    let refused = map(GeofenceTracks.lines([0, 150]))
    #expect(refused.exit == .usage && refused.output == "")
    #expect(refused.notes.last == "  Add --output-file map.svg, or --output-file - to print it anyway.")
    #expect(map(GeofenceTracks.lines([0, 150]), "--output-file -").output.contains("<svg"))
    let file = home.folder["map.svg"]
    let written = map(GeofenceTracks.lines([0, 150]), "--output-file '\(file)'")
    #expect(written.exit == .success && written.output == "" && written.notes == ["The drawing is in \(file)."])
    #expect(home.folder.text("map.svg")?.contains("1 entry") == false)
    #expect(home.folder.text("map.svg")?.hasPrefix("<svg") == true)
  }

  @Test func theFileIsWrittenCompletelyOrNotAtAll() {
    let dry = map(GeofenceTracks.lines([0]), "--output-file '\(home.folder["new.svg"])' --dry-run")
    #expect(dry.exit == .success && home.folder.text("new.svg") == nil)
    #expect(dry.notes == ["Would write the drawing to \(home.folder["new.svg"])."])
    let folder = map(GeofenceTracks.lines([0]), "--output-file '\(home.folder.path)'")
    #expect(folder.exit == .failure && folder.errors.contains("it is not a regular file"))
    let nowhere = map(GeofenceTracks.lines([0]), "--output-file '\(home.folder["no/such/map.svg"])'")
    #expect(nowhere.exit == .failure && nowhere.errors.contains("cannot write the drawing to"))
  }

  @Test func disabledConnectionsAreNoted() {
    home.run("location off gg")
    let run = map(GeofenceTracks.lines([0, 150]))
    #expect(run.exit == .success && run.output.contains("No regions · 2 positions"))
    #expect(run.errors == "Location is off for connection gg; its regions are skipped.\n")
  }

  @Test func rejectsTheTracksThatReplayRejects() {
    let empty = map("")
    #expect(empty.exit == .failure && empty.output == "" && empty.notes.first == "ifttt: the track has no positions")
    let timeless = map("{\"lat\":0,\"lng\":0}\n", "--dwell 1m")
    #expect(timeless.exit == .failure && timeless.notes.first == "ifttt: --dwell needs a track with times")
    #expect(map("{\"lat\":0,\"lng\":0,\"accuracy\":-1}\n").errors.contains("1 position skipped"))
  }
}
