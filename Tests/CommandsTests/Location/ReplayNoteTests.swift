import Commands
import Support
import Testing
import World

/// What is said beside the events of a walk.
@Suite struct ReplayNoteTests {
  private let home = Walks.home()

  private func notes(_ text: String, as name: String, _ options: String = "") -> [String] {
    home.run("location replay '\(home.folder.write(name, text))' --dry-run \(options)").notes
  }

  @Test(arguments: [(1, "1 place"), (2, "2 places")]) func whatIsLeftOutIsCounted(count: Int, words: String) {
    let places = String(repeating: #"<wpt lat="1" lon="2"/>"#, count: count)
    let track = #"<trk><trkseg><trkpt lat="0" lon="0"/></trkseg></trk>"#
    #expect(
      notes("<gpx>\(places)\(track)</gpx>", as: "walk.gpx") == [
        "\(words) beside the track left out; only the track itself is walked."
      ])
  }

  @Test func aSideThatDidNotLastIsSaid() {
    #expect(
      notes(Walks.lines([0, 0, 150]), as: "walk.jsonl", "--dwell 1m") == [
        "out: not on the new side for --dwell when the track ended."
      ])
  }

  /// The error is about the end of the track, and the events that wait are not forgotten over it.
  @Test func whatCouldNotBeSentIsSaidBesideAnotherEnd() {
    let text = Walks.lines([0, 150])
    home.prepare = { test in
      test.connections.answer = { _, _ throws(ConnectionError) in
        TestStream([
          .text(#"{"class":"VERSION","proto_major":3}"# + "\n"),
          .text(
            text.replacing("{\"lat\"", with: "{\"class\":\"TPV\",\"mode\":3,\"lat\"").replacing("lng", with: "lon")),
          .failure(.interrupted),
        ])
      }
    }
    let run = home.run("location replay --gpsd localhost --retries 0 -o tsv", answers: Server().answering(503))
    #expect(run.exit == .interrupted && run.lines.count == 2)
    #expect(run.notes.first?.hasPrefix("Not every event could be sent: ") == true)
    #expect(
      Array(run.notes.dropFirst()) == [
        "ifttt: interrupted", "  1 location event is kept. Run: ifttt location events flush",
      ])
  }
}
