import Support
import Testing

/// `--remember`: what one run leaves for the next.
@Suite struct RememberedSidesTests {
  private let home = Home()
  private let brief = "--remember --fields event,region -o tsv --no-header"

  init() {
    home.environment = ["IFTTT_USER_TOKEN": "a-token-of-the-tests-0123456789"]
    track(radius: 100)
    home.run("location on two")
  }

  /// One region at 0 and one 10 km north of it.
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
    home.run("connections show two --max-age 0", answers: Server().answering(200, connection))
  }

  /// - Parameter isTold: whether there is anything to send.
  private func walk(_ metres: [Double], _ options: String = "", isTold: Bool = false) -> [String] {
    let answers = isTold ? Server().answering(204) : nil
    let path = home.folder.write("walk.jsonl", Walks.lines(metres))
    let run = home.run("location replay '\(path)' \(brief) \(options)", answers: answers)
    return run.lines.map { $0.replacing("\t", with: " ") }
  }

  private var sides: [String] {
    home.run("location regions --fields id,side -o tsv --no-header").lines.map { $0.replacing("\t", with: " ") }
  }

  @Test func aRunGoesOnWhereTheLastOneEnded() {
    #expect(walk([0]) == [] && sides == ["near inside", "far outside"])
    #expect(walk([150], isTold: true) == ["exit near"])
    #expect(walk([150]) == [])
    #expect(walk([0, 10_000], isTold: true) == ["entry near", "exit near", "entry far"])
    #expect(sides == ["near outside", "far inside"])
  }

  @Test func aRegionThatChangedBeginsAnew() {
    #expect(walk([0]) == [])
    track(radius: 120)
    #expect(sides == ["near unknown", "far outside"])
    #expect(walk([150]) == [] && sides == ["near outside", "far outside"])
  }

  /// Else a run much later would report that it was left.
  @Test func whatALimitLeftBehindIsForgotten() {
    #expect(walk([0], "--limit 1") == [] && sides == ["near inside", "far unknown"])
    #expect(walk([50, 9900], "--limit 1", isTold: true) == ["exit near"] && sides == ["near unknown", "far outside"])
    #expect(walk([150], "--limit 1") == [] && sides == ["near outside", "far unknown"])
  }
}
