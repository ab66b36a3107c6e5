import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The notes printed in addition to the events of a track.
@Suite struct ReplayNoteTests {
  private let home = GeofenceTracks.home()

  private func notes(_ text: String, as name: String, _ options: String = "") -> [String] {
    home.run("location replay '\(home.folder.write(name, text))' --dry-run \(options)").notes
  }

  @Test(arguments: [(1, "1 place outside the track is"), (2, "2 places outside the track are")])
  func skippedPlacesAreCounted(count: Int, words: String) {
    let waypoints = String(repeating: #"<wpt lat="1" lon="2"/>"#, count: count)
    let track = #"<trk><trkseg><trkpt lat="0" lon="0"/></trkseg></trk>"#
    #expect(
      notes("<gpx>\(waypoints)\(track)</gpx>", as: "walk.gpx") == [
        "\(words) skipped.",
        "The track has no times; the current time is used for its positions.",
      ])
  }

  private static let timeless = "{\"lat\":0,\"lng\":0}\n{\"lat\":0,\"lng\":0}\n"

  @Test func aTrackWithoutTimesIsNoted() {
    let note = "The track has no times; the current time is used for its positions."
    #expect(notes(Self.timeless, as: "walk.jsonl") == [note])
    #expect(
      notes(Self.timeless, as: "walk.jsonl", "--speed 60x") == [
        note, "--speed has no effect on a track without times.",
      ])
    // Live positions are current.
    #expect(home.run("location replay - --dry-run", input: .text(Self.timeless)).notes == [])
    let live = home.run("location replay - --dry-run --speed 60x", input: .text(Self.timeless))
    #expect(live.notes == ["--speed has no effect on a track without times."])
    #expect(
      notes(GeofenceTracks.lines([0]) + Self.timeless, as: "walk.jsonl", "--speed 60x") == [
        "2 positions have no time; the time of the previous position is used, or of the next one if there is none."
      ])
  }

  /// GGA sentences have a time of day but no date. The clock of the tests shows a quarter past one at night.
  @Test func timesOfDayGetADateAndKeepTheirIntervals() {
    func track(_ hours: Int) -> String {
      [(0, "0000.0000"), (1, "0000.0810"), (3, "0000.1620")].map { minute, latitude in
        let text = "GPGGA,\(hours < 10 ? "0" : "")\(hours)0\(minute)00,\(latitude),N,00000.0,E,1,08,,34.0,M,40.0,M,,"
        let sum = String(text.utf8.reduce(0) { $0 ^ $1 }, radix: 16, uppercase: true)
        return "$\(text)*\(sum.count < 2 ? "0" : "")\(sum)\n"
      }.joined()
    }
    let brief = "--fields at,region -o tsv --no-header --dry-run"
    func replay(_ hours: Int, _ options: String = "") -> Home.Outcome {
      home.run("location replay '\(home.folder.write("walk.nmea", track(hours)))' \(brief) \(options)")
    }
    let today = home.now.rfc3339.prefix(10)
    let yesterday = (home.now - .seconds(86_400)).rfc3339.prefix(10)
    func note(_ date: some StringProtocol) -> [String] {
      ["The track has times of day but no date; \(date) (UTC) is assumed for its first position."]
    }
    let hour = Int(home.now.rfc3339.dropFirst(11).prefix(2)) ?? 0
    let (past, future) = (hour, hour + 2)
    func clock(_ hour: Int, _ minute: Int) -> String { "\(hour < 10 ? "0" : "")\(hour):0\(minute):00Z" }
    let run = replay(past)
    #expect(run.lines == ["\(today)T\(clock(past, 1))\tout", "\(today)T\(clock(past, 3))\tboth"])
    #expect(run.notes == note(today))
    let old = replay(future)
    #expect(old.lines == ["\(yesterday)T\(clock(future, 1))\tout", "\(yesterday)T\(clock(future, 3))\tboth"])
    #expect(old.notes == note(yesterday), "today would be in the future")
    let paced = replay(past, "--speed 60x")
    #expect(paced.lines == run.lines && home.last?.clock.sleeps == [.seconds(1), .seconds(2)])
    #expect(replay(past, "--dwell 1m").lines.isEmpty == false, "intervals are enough for a dwell")
    let map = home.run("location map '\(home.folder.write("walk.nmea", track(past)))' --format svg")
    #expect(map.notes == note(today) && !map.output.contains("1970"))
  }

  @Test func anUnfinishedDwellIsNoted() {
    #expect(
      notes(GeofenceTracks.lines([0, 0, 150]), as: "walk.jsonl", "--dwell 1m") == [
        "out: the track ended before --dwell had passed."
      ])
  }

  /// The error is about the end of the track; the queued events are still noted.
  @Test func queuedEventsAreNotedWithAnotherError() {
    let text = GeofenceTracks.lines([0, 150])
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
        "ifttt: interrupted", "  1 location event stays queued. Run: ifttt location events flush",
      ])
  }
}
