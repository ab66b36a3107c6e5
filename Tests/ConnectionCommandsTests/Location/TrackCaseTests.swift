import Foundation
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Small tracks as other programs write them. All lead from the home of the sandbox's connection to a place outside it.
@Suite struct TrackCaseTests {
  private let home = Home()

  /// A copy of a track in the test's folder, since the program sees no other files.
  private func path(_ name: String) throws -> String {
    let original = try #require(Bundle.module.resourceURL).appendingPathComponent("Cases/\(name)")
    try Data(contentsOf: original).write(to: URL(fileURLWithPath: home.folder[name]))
    return home.folder[name]
  }

  private func replay(_ name: String, _ options: String = "--dry-run", input: ScriptedInput? = nil) -> Home.Outcome {
    home.sandbox(
      "location replay \(name) --connection Kd7Rn2Qx \(options) --fields at,event -o tsv --no-header", input: input)
  }

  @Test(arguments: [
    "date-later.nmea", "rmc.nmea", "utf16.nmea", "gpx-tracks-newest-first.gpx", "gpx-ns2.gpx",
    "gpx-root-default-children-prefixed.gpx", "gpx-utf8-nohyphen.gpx", "gpx-xml11.gpx", "j-pretty-concat.json",
  ])
  func leavesHomeOnTheDateOfTheTrack(name: String) throws {
    let run = replay("'\(try path(name))'")
    #expect(run.lines == ["2025-03-04T17:42:20Z\texit"] && run.errors == "" && run.exit == .success)
  }

  @Test(arguments: ["gll-only.nmea", "no-checksum.nmea"]) func leavesHomeOnAnAssumedDate(name: String) throws {
    let run = replay("'\(try path(name))'")
    #expect(run.lines.count == 1 && run.lines.first?.hasSuffix("T17:42:20Z\texit") == true)
    #expect(run.notes.count == 1 && run.errors.contains("has times of day but no date"))
  }

  @Test func readsIndentedObjectsFromAPipe() throws {
    let text = try String(contentsOfFile: path("j-pretty-concat.json"), encoding: .utf8)
    #expect(replay("-", input: .text(text)).lines == ["2025-03-04T17:42:20Z\texit"])
  }

  /// The first track would hide the second one, if its positions had got the date of the run.
  @Test func theDateOfATrackIsRemembered() throws {
    let first = replay("'\(try path("date-later.nmea"))'", "--remember --yes")
    #expect(first.lines == ["2025-03-04T17:42:20Z\texit"])
    let second = replay("'\(try path("rmc-next-day.nmea"))'", "--remember --yes")
    #expect(second.lines == ["2025-03-05T17:42:20Z\texit"], "\(second.errors)")
  }

  @Test func anAssumedDateIsNotRemembered() throws {
    let first = replay("'\(try path("gll-only.nmea"))'", "--remember --yes")
    #expect(first.lines.count == 1)
    #expect(
      home.sandbox("location regions Kd7Rn2Qx --fields side,side_at -o tsv --no-header").lines == ["outside\t"])
    let second = replay("'\(try path("rmc-next-day.nmea"))'", "--remember --yes")
    #expect(second.lines == ["2025-03-05T17:42:20Z\texit"], "\(second.errors)")
  }

  /// A pipe is read as it arrives, so its positions cannot wait for a date.
  @Test func aPipeAssumesTheDate() throws {
    let text = try String(contentsOfFile: path("date-later.nmea"), encoding: .utf8)
    let run = replay("-", input: .text(text))
    #expect(run.lines.count == 1 && run.lines.first?.hasPrefix("2025") == false)
    #expect(run.errors.contains("has times of day but no date"))
  }

  /// The first positions have no time, and the current one would be wrong.
  @Test func positionsBeforeTheFirstTimeGetIt() {
    let points = [(38.7369, -9.1427), (38.739, -9.14), (38.74, -9.1385)].map { #"<trkpt lat="\#($0)" lon="\#($1)">"# }
    let text =
      "<gpx><trk><trkseg>" + points.dropLast().joined(separator: "</trkpt>")
      + "</trkpt>\(points[2])<time>2025-03-04T17:42:30Z</time></trkpt></trkseg></trk></gpx>"
    let run = replay("'\(home.folder.write("last.gpx", text))'")
    #expect(run.lines == ["2025-03-04T17:42:30Z\texit"])
    #expect(
      run.notes == [
        "2 positions have no time; the time of the previous position is used, or of the next one if there is none."
      ])
  }

  @Test func repeatedSegmentsAreNoted() {
    let segment = #"<trkseg><trkpt lat="38.7369" lon="-9.1427"><time>2025-03-04T17:42:00Z</time></trkpt></trkseg>"#
    let run = replay("'\(home.folder.write("twice.gpx", "<gpx><trk>\(segment)\(segment)</trk></gpx>"))'")
    #expect(run.notes == ["1 position is skipped: a segment occurs in the track twice."])
  }

  /// A map shows the same events as a replay.
  @Test func theMapHasTheSameEvents() throws {
    let run = home.sandbox("location map '\(try path("gpx-tracks-newest-first.gpx"))' --format svg")
    #expect(run.output.contains("5 positions in 2 segments") && run.errors == "")
  }
}
