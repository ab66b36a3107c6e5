import ProgramDriver
import Support
import Testing

@testable import Session

/// The states that `--remember` stores between runs.
@Suite struct StoredFenceStatesTests {
  private let home = Home()
  private let brief = "--remember --fields event,region -o tsv --no-header"

  init() {
    home.environment = ["IFTTT_USER_TOKEN": "a-token-of-the-tests-0123456789"]
    track(radius: 100)
    home.run("location on two")
  }

  /// Tracks a connection with one region at 0 and one 10 km north of it.
  private func track(radius: Int) {
    let triggers = [("near", 0.0, radius), ("far", 0.09, 100)].map { id, latitude, radius in
      #"""
      {"id":"\#(id)","user_fields":[{"field_id":"location","field_type":"LOCATION_ENTER_OR_EXIT",
      "value":{"lat":\#(latitude),"lng":0,"radius":\#(radius)}}]}
      """#
    }
    let connection = #"""
      {"type":"connection","id":"two","name":"Two","user_status":"enabled","services":[],"features":[],
      "user_connection":{"user_features":[{"id":"uf","user_feature_triggers":[\#(triggers.joined(separator: ","))]}]}}
      """#
    home.run("connections show two --track --max-age 0", answers: Server().answering(200, connection))
  }

  /// - Parameter isReported: Whether there are events to send.
  private func walk(
    _ meters: [Double], _ options: String = "", isReported: Bool = false, from minute: Int = 10
  ) -> [String] {
    let answers = isReported ? Server().answering(204) : nil
    let path = home.folder.write("walk.jsonl", GeofenceTracks.lines(meters, from: minute))
    let run = home.run("location replay '\(path)' \(brief) \(options)", answers: answers)
    return run.lines.map { $0.replacing("\t", with: " ") }
  }

  private var states: [String] {
    home.run("location regions --fields id,side -o tsv --no-header").lines.map { $0.replacing("\t", with: " ") }
  }

  @Test func aRunContinuesFromTheStoredStates() {
    #expect(walk([0]) == [] && states == ["near inside", "far outside"])
    #expect(walk([150], isReported: true) == ["exit near"])
    #expect(walk([150]) == [])
    #expect(walk([0, 10_000], isReported: true) == ["entry near", "exit near", "entry far"])
    #expect(states == ["near outside", "far inside"])
  }

  @Test func aChangedRegionDiscardsItsState() {
    #expect(walk([0]) == [])
    track(radius: 120)
    #expect(states == ["near unknown", "far outside"])
    #expect(walk([150]) == [] && states == ["near outside", "far outside"])
  }

  @Test func positionsOlderThanTheRememberedOneAreSkipped() {
    func seen() -> [String] {
      home.run("location regions --fields id,side,side_at -o tsv --no-header").lines.map {
        $0.replacing("\t", with: " ")
      }
    }
    func walk(_ minutes: [(Int, Double)], answers: Server? = nil) -> Home.Outcome {
      let text = minutes.map { minute, meters in
        #"{"lat":\#(meters / 111_195),"lng":0,"time":"2026-03-04T17:\#(minute):00Z"}"# + "\n"
      }.joined()
      return home.run("location replay '\(home.folder.write("walk.jsonl", text))' \(brief)", answers: answers)
    }
    #expect(walk([(20, 0)]).output == "")
    #expect(walk([(25, 10)]).output == "")
    #expect(seen() == ["near inside 2026-03-04T17:25:00Z", "far outside 2026-03-04T17:25:00Z"])
    let old = walk([(15, 150), (24, 10_000)])
    #expect(old.output == "" && old.exit == .success)
    #expect(
      old.notes == [
        "2 positions skipped: earlier than the last one stored by --remember; to clear it, run 'ifttt location reset'."
      ])
    #expect(seen() == ["near inside 2026-03-04T17:25:00Z", "far outside 2026-03-04T17:25:00Z"])
    let half = walk([(15, 0), (30, 150)], answers: Server().answering(204))
    #expect(half.output == "exit\tnear\n" && half.notes.count == 1)
    #expect(seen() == ["near outside 2026-03-04T17:30:00Z", "far outside 2026-03-04T17:30:00Z"])
  }

  /// Otherwise a much later run would report an exit.
  @Test func regionsOutsideTheLimitAreForgotten() {
    #expect(walk([0], "--max-regions 1") == [] && states == ["near inside", "far unknown"])
    #expect(
      walk([50, 9900], "--max-regions 1", isReported: true) == ["exit near"]
        && states == ["near unknown", "far outside"])
    #expect(walk([150], "--max-regions 1", from: 12) == [] && states == ["near outside", "far unknown"])
  }
}
