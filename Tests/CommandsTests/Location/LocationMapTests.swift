import Commands
import Support
import Testing

/// What `location map` makes of a track, and of a file that is none.
@Suite struct LocationMapTests {
  private let home = Walks.home()

  private func map(_ lines: String, _ options: String = "") -> Home.Outcome {
    home.run("location map '\(home.folder.write("walk.jsonl", lines))' --format svg \(options)")
  }

  @Test func whatReplayWouldReportIsMarked() {
    let run = map(Walks.lines([0, 150, 300, 0]))
    #expect(run.exit == .success && run.errors == "")
    #expect(run.output.contains("3 regions · 4 positions · 2 entries and 2 exits"))
    #expect(map(Walks.lines([0, 150, 300, 0]), "--initial").output.contains("4 entries and 2 exits"))
    #expect(home.run("location events --json").output == "[]\n")
  }

  @Test func whatIsSwitchedOffIsSaid() {
    home.run("location off gg")
    let run = map(Walks.lines([0, 150]))
    #expect(run.exit == .success && run.output.contains("No regions · 2 positions"))
    #expect(run.errors == "Location is off for connection gg; its regions are left out.\n")
  }

  @Test func whatReplayRefusesIsRefused() {
    let empty = map("")
    #expect(empty.exit == .failure && empty.output == "" && empty.notes.first == "ifttt: the track has no position")
    let timeless = map("{\"lat\":0,\"lng\":0}\n", "--dwell 1m")
    #expect(timeless.exit == .failure && timeless.notes.first == "ifttt: --dwell needs a track with times")
    #expect(map("{\"lat\":0,\"lng\":0,\"accuracy\":-1}\n").errors.contains("1 position skipped"))
  }
}
