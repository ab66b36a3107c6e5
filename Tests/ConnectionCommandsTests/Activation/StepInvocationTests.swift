import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Running, testing and querying steps: the choice of step, the values and the results.
@Suite struct StepInvocationTests {
  let home = Lamps.home()

  private func reading() -> Server { Server().answering(200, Lamps.connection()) }

  @Test(arguments: ["tides.add", "add"]) func runsAnAction(word: String) {
    let server = reading().answering(204)
    let run = home.run("connections run cc \(word) --json", answers: server)
    #expect(server.asked.last == "POST connect.ifttt.com/v2/connections/cc/actions/tides.add/run")
    #expect(server.body(1) == #"{"user_id":"u-1"}"#)
    #expect(run.output == #"{"id":"cc","step":"tides.add","user_feature_id":null,"accepted":true}"# + "\n")
    #expect(run.exit == .success)
    let again = Server().answering(204)
    home.run("connections run cc \(word)", answers: again)
    #expect(again.asked.count == 1, "the fresh connection is not fetched again")
  }

  @Test func interpretsValuesAsConfigureDoes() {
    let server = reading().answering(200, Lamps.actionOptions).answering(204)
    home.run(
      "connections run cc add -f 'calendar=Shared > Boat' -f lamps=l_1,Floor -f note=a=b --user-feature ft",
      answers: server)
    #expect(
      server.body(2)
        == #"{"user_id":"u-1","user_feature_id":"u1","fields":{"calendar":"cal_b","lamps":[{"label":"Ceiling","value":"#
        + #""l_1"},{"label":"Floor","value":"l_2"}],"note":"a=b"}}"#)
    let wrong = home.run("connections run cc add -f calendar=Nope")
    #expect(wrong.notes.first == "ifttt: 'calendar' does not accept this value")
    let unknown = Server().answering(204)
    let run = home.run("connections run cc add -f other=1", answers: unknown)
    #expect(run.errors == "'other' is not a listed field of 'tides.add'; it is sent as text.\n")
    #expect(unknown.body(0) == #"{"user_id":"u-1","fields":{"other":"1"}}"#)
  }

  @Test func rejectsAnUnknownStepOrUserFeature() {
    let run = home.run("connections run cc nope", answers: reading())
    #expect(run.notes == ["ifttt: connection 'cc' has no action 'nope'", "  Available: tides.add."])
    #expect(run.exit == .notFound)
    #expect(home.run("connections test cc add").exit == .notFound, "an action is not a trigger")
    #expect(home.run("connections run cc add --user-feature ft#2").exit == .failure)
  }

  @Test func anAmbiguousStepNameNeedsTheService() {
    let two = Lamps.connection().replacing(
      #""trigger_id": "wind""#, with: #""trigger_id": "enter""#)
    let run = home.run("connections test cc enter", answers: Server().answering(200, two))
    #expect(run.notes == ["ifttt: 'enter' matches more than one trigger", "  Use one of: location.enter, sky.enter."])
    let server = Server().answering(204)
    home.run("connections test cc sky.enter", answers: server)
    #expect(server.asked == ["POST connect.ifttt.com/v2/connections/cc/triggers/sky.enter/test"])
  }

  @Test func doesNotRetryARequestThatMayHaveArrived() {
    let server = reading().failing(.broken, "reset", mayHaveArrived: true)
    #expect(home.run("connections run cc add", answers: server).exit == .unavailable)
    let refused = Server().failing(.connect, "refused").answering(204)
    #expect(home.run("connections run cc add", answers: refused).exit == .success, "the request cannot have arrived")
  }

  @Test(arguments: ["disabled", "never_enabled"]) func rejectsAConnectionThatIsNotEnabled(status: String) {
    let answer = Server().answering(200, Lamps.connection(nil, status: status))
    #expect(home.run("connections run cc add", answers: answer).exit == .failure)
  }

  @Test func showsIFTTTsError() {
    let body = Server.error("invalid_parameters", "The parameters of your request were invalid")
    let run = home.run("connections run cc add", answers: reading().answering(422, body))
    #expect(run.notes.first == "ifttt: IFTTT rejected the parameters")
    let missing = home.run("connections test cc location.enter", answers: Server().answering(404))
    #expect(
      missing.notes.first
        == "ifttt: no trigger 'location.enter' of connection 'cc', or these credentials cannot access it")
  }

  /// Each field is named as `--field` names it.
  @Test(arguments: ["run cc add -f note=x", "query cc list -f note=x"]) func namesTheRejectedField(words: String) {
    let details = #"[{"parameter":"/fields/a~1b","message":"Too long"},{"parameter":"/limit","message":"Too many"}]"#
    let body = Server.error("invalid_parameters", "Invalid", details: #","details":\#(details)"#)
    let run = home.run("connections \(words)", answers: reading().answering(422, body))
    #expect(
      run.notes.suffix(3) == [
        "  - a/b: Too long", "  - /limit: Too many", "  'ifttt connections options cc' shows what each field accepts.",
      ])
  }

  @Test func aDryRunOnlyFetchesWhatItNeeds() {
    let words = "--dry-run -o csv --no-header --fields method,body"
    let server = Server().answering(200, Lamps.connection()).answering(200, Lamps.actionOptions)
    let run = home.run("connections run cc tides.add -f calendar=Garden \(words)", answers: server)
    #expect(run.output == #"POST,"{""user_id"":""u-1"",""fields"":{""calendar"":""cal_a""}}""# + "\n")
    #expect(server.requests.allSatisfy { $0.method == .get })
    let off = Server().answering(200, Lamps.connection(nil, status: "disabled"))
    #expect(home.run("connections run cc tides.add --dry-run", answers: off).exit == .failure)
    let unseen = home.run("connections run cc tides.add -f calendar=x --offline \(words)")
    #expect(unseen.output == #"POST,"{""user_id"":""u-1"",""fields"":{""calendar"":""x""}}""# + "\n")
    #expect(home.run("connections run cc tides.add --dry-run --exit-code --offline").exit == .notYet)
  }

  // MARK: Queries

  private static let first =
    #"{"type":"list","data":[{"id":"r1","metres":2.50},{"id":"r2","note":"\u001b[1m"}],"next":{"cursor":"p2","fields":{"x":"1"}}}"#
  private static let last = #"{"type":"list","data":[{"id":"r3"}],"next":null}"#

  @Test func printsOneColumnPerIngredient() {
    let run = home.run("connections query cc list", answers: reading().answering(200, Self.first))
    #expect(
      run.lines == ["ID  METRES  NOTE", "r1  2.50", #"r2          \u{1b}[1m"#])
    #expect(run.errors == "There are more rows: --all fetches every page, and --cursor p2 the next one.\n")
    #expect(run.exit == .success)
  }

  @Test func aCursorContinuesAndALimitEnds() {
    let next = reading().answering(200, Self.last)
    let run = home.run("connections query cc list --cursor p2 -o jsonl", answers: next)
    #expect(run.output == #"{"id":"r3"}"# + "\n" && run.errors == "", "\(run.errors)")
    #expect(next.body(1) == #"{"user_id":"u-1","cursor":"p2"}"#)
    // The second page is not fetched. The connection is in the cache now.
    let limited = Server().answering(200, Self.first)
    let some = home.run("connections query cc list --all --limit 2 -o jsonl --fields id", answers: limited)
    #expect(some.output == #"{"id":"r1"}"# + "\n" + #"{"id":"r2"}"# + "\n" && some.exit == .success, "\(some.errors)")
  }

  @Test func allFollowsEveryPage() {
    let server = reading().answering(200, Self.first).answering(200, Self.last)
    let run = home.run("connections query cc list --all --include notes,x --page-size 2 -o jsonl", answers: server)
    #expect(
      run.output == #"{"id":"r1","metres":2.50}"# + "\n" + #"{"id":"r2","note":"\u001b[1m"}"# + "\n" + #"{"id":"r3"}"#
        + "\n")
    #expect(server.body(1) == #"{"user_id":"u-1","includes":["notes","x"],"limit":2}"#)
    #expect(server.body(2) == #"{"user_id":"u-1","fields":{"x":"1"},"includes":["notes","x"],"limit":2,"cursor":"p2"}"#)
    #expect(run.errors == "")
  }

  @Test func printsRowsPageByPage() {
    let server = reading().answering(200, Self.first).answering(200, Self.last)
    var seen: [Int] = []
    home.prepare = { world in
      server.whileWaiting = { seen.append(world.output.text.split(separator: "\n").count) }
    }
    home.run("connections query cc list --all -o jsonl", answers: server)
    #expect(seen == [0, 0, 2])
  }

  /// The heading is printed before all rows.
  @Test func addsTheColumnsOfLaterPages() {
    let first = #"{"type":"list","data":[],"next":{"cursor":"p1"}}"#
    let server = reading().answering(200, first).answering(200, Self.first).answering(200, Self.last)
    let run = home.run("connections query cc list --all -o csv", answers: server)
    #expect(run.lines == ["id,metres,note", "r1,2.50,", "r2,,\u{1b}[1m", "r3,,"])
    let broken = Server().answering(200, Self.first).answering(500)
    let failed = home.run("connections query cc list --all -o csv --retries 0", answers: broken)
    #expect(failed.lines.count == 3, "the earlier pages are printed")
    #expect(failed.exit == .unavailable)
  }

  @Test func stopsAtARepeatedCursor() {
    let server = reading().answering(200, Self.first).answering(200, Self.first)
    let run = home.run("connections query cc list --all --json --fields id", answers: server)
    #expect(run.lines.count == 6, "the received rows are printed")
    #expect(run.errors.contains(#""code":"bad_response""#))
    #expect(run.exit == .unavailable)
  }

  @Test func aFailedPageStillEndsTheJSONDocument() {
    let server = reading().answering(200, Self.first).answering(500)
    let run = home.run("connections query cc list --all --json --retries 0 --fields id", answers: server)
    #expect(run.output == "[\n{\"id\":\"r1\"},\n{\"id\":\"r2\"}\n]\n")
    #expect(run.exit == .unavailable)
  }

  @Test func anEmptyResultIsASuccess() {
    let empty = #"{"type":"list","data":[]}"#
    #expect(
      home.run("connections query cc tides.list --json", answers: reading().answering(200, empty)).output == "[]\n")
    #expect(home.run("connections query cc tides.list", answers: Server().answering(200, empty)).output == "")
  }
}
