import IFTTT
import JSON
import ProgramDriver
import Testing
import World

@testable import ConnectionCommands
@testable import Session

/// The state machine of `connections watch`: which results arrive at which time, what is a change, and when the watch
/// ends.
@Suite struct ConnectionWatchTests {
  private static let outage = Problem(.serverError, "IFTTT failed")

  private static func machine(
    _ ids: [ConnectionID], areNamed: Bool = true, count: Int? = nil, until end: Duration? = nil
  ) -> ConnectionWatch {
    ConnectionWatch(ids, areNamed: areNamed, count: count, PollSchedule(every: .seconds(5), until: end))
  }

  private static func state(_ status: String, day: String? = nil, name: String = "n") throws -> WatchedConnection {
    let configuration =
      day.map {
        #","user_connection":{"user_features":[{"id":"u","feature_id":"f","user_fields":[{"field_id":"day","value":"\#($0)"}]}]}"#
      } ?? ""
    let text = #"{"id":"aa","name":"\#(name)","user_status":"\#(status)"\#(configuration)}"#
    let object = try #require(JSONValue(parsing: Array(text.utf8)).object)
    return WatchedConnection(try #require(Connection(reading: object)))
  }

  @Test func theFirstResultIsNotAChange() throws {
    var watch = Self.machine([ConnectionID.aa], count: 1)
    #expect(watch.next(at: .zero, random: 0.5) == .poll([ConnectionID.aa], limit: .seconds(30)))
    let first = watch.receive(.found(try Self.state("enabled")), of: ConnectionID.aa)
    #expect(first?.kind == .present)
    #expect(watch.next(at: .zero, random: 0.5) == .pause(.seconds(5)))
    #expect(watch.next(at: .seconds(5), random: 0.5) == .poll([ConnectionID.aa], limit: .seconds(30)))
    #expect(watch.receive(.found(try Self.state("enabled")), of: ConnectionID.aa) == nil)
    _ = watch.next(at: .seconds(5), random: 0.5)
    _ = watch.next(at: .seconds(10), random: 0.5)
    #expect(watch.receive(.found(try Self.state("disabled")), of: ConnectionID.aa)?.kind == .status)
    #expect(watch.next(at: .seconds(10), random: 0.5) == .end(.over), "the count is reached")
  }

  @Test func theChangedPartDeterminesTheKind() throws {
    let plain = try Self.state("enabled", day: "mo")
    let changes: [(WatchedConnection, ConnectionEvent.Kind?)] = [
      (plain, nil), (try Self.state("enabled", day: "tu"), .configuration),
      (try Self.state("enabled", day: "mo", name: "m"), .name), (try Self.state("disabled"), .status),
      (try Self.state("enabled"), .configuration),
    ]
    for (state, kind) in changes { #expect(ConnectionEvent(ConnectionID.aa, from: plain, to: state)?.kind == kind) }
    var pending = plain
    pending.isPending = true
    #expect(ConnectionEvent(ConnectionID.aa, from: plain, to: pending)?.kind == .pending)
  }

  private static func configured(_ features: String) throws -> WatchedConnection {
    let text = #"{"id":"aa","name":"n","user_status":"enabled","user_connection":{"user_features":[\#(features)]}}"#
    let object = try #require(JSONValue(parsing: Array(text.utf8)).object)
    return WatchedConnection(try #require(Connection(reading: object)))
  }

  private static func feature(_ id: String, fields: String = "", triggers: String = "", more: String = "") -> String {
    #"{"id":"\#(id)","feature_id":"f"\#(more),"user_fields":[\#(fields)],"user_feature_triggers":[\#(triggers)]}"#
  }

  private static func field(_ value: String, id: String = "x") -> String { #"{"field_id":"\#(id)","value":\#(value)}"# }

  /// The same value in another notation: no event, and no run of `--exec`.
  @Test(arguments: [
    (#"{"lat":1.0,"lng":2,"radius":300}"#, #"{"radius":"3e2","lng":2.0,"lat":"1"}"#),
    (#"{"group":null,"label":"Monday","value":"mo"}"#, #"{"value":"mo","label":"Montag"}"#),
    (#"{"label":"Monday","value":"mo"}"#, #""mo""#),
    (#"[{"label":"A","value":"a"},{"label":"B","value":"b"}]"#, #"[{"value":"b"},{"value":"a","label":"a"}]"#),
    (#"{"far":1,"out":[2.0,{"a":1,"b":2}]}"#, #"{"out":[2,{"b":2e0,"a":1.0}],"far":1.00}"#), ("7", "7.0"),
    (#""a\u00e9""#, #""aé""#),
  ])
  func anotherSpellingIsNotAChange(before: String, after: String) throws {
    let states = try [before, after].map { try Self.configured(Self.feature("u", fields: Self.field($0))) }
    #expect(ConnectionEvent(ConnectionID.aa, from: states[0], to: states[1]) == nil)
  }

  @Test func orderAndOmittedDefaultsAreNotChanges() throws {
    let (x, y) = (Self.field(#""1""#), Self.field(#""2""#, id: "y"))
    let trigger = #"{"id":7,"feature_trigger_id":"t","user_fields":[\#(x)]}"#
    let same = [
      Self.feature("u", fields: "\(x),\(y)", triggers: trigger) + "," + Self.feature("v"),
      Self.feature("v") + "," + Self.feature("u", fields: "\(y),\(x)", triggers: trigger, more: #","enabled":true"#),
      Self.feature("u", fields: "\(x),\(y),\(Self.field("null", id: "z"))", triggers: trigger, more: #","enabled":1"#)
        + "," + Self.feature("v"),
      Self.feature(
        "u", fields: "\(x),\(y)", triggers: trigger.replacing(#""id":7"#, with: #""id":"7""#)) + ","
        + Self.feature("v"),
    ]
    for other in same {
      #expect(
        ConnectionEvent(ConnectionID.aa, from: try Self.configured(same[0]), to: try Self.configured(other)) == nil)
    }
    // An empty list of user features equals no configuration.
    let nothing = ConnectionEvent(
      ConnectionID.aa, from: try Self.state("enabled"), to: try Self.configured(""))
    #expect(nothing == nil)
  }

  @Test func aDifferentValueIsAChange() throws {
    let x = Self.field(#""1""#)
    let before = Self.feature("u", fields: x, triggers: #"{"id":"7","feature_trigger_id":"t","user_fields":[]}"#)
    let changes = [
      before.replacing(#""1""#, with: #""01""#), before.replacing(#""x""#, with: #""y""#),
      before.replacing(#""id":"u""#, with: #""id":"w""#), before.replacing(#""id":"7""#, with: #""id":"8""#),
      before.replacing(#""feature_id":"f""#, with: #""feature_id":"f","enabled":false"#),
      before + "," + Self.feature("v"),
      before.replacing(#"{"id":"7","feature_trigger_id":"t","user_fields":[]}"#, with: ""), "",
    ]
    for change in changes {
      let event = ConnectionEvent(
        ConnectionID.aa, from: try Self.configured(before), to: try Self.configured(change))
      #expect(event?.kind == .configuration, "\(change)")
    }
  }

  @Test func reportsAConnectionThatDisappearsAndReappears() throws {
    var watch = Self.machine([ConnectionID.aa])
    let missing = PollResult<WatchedConnection>.missing(Problem(.notFound, "no connection"))
    _ = watch.receive(.found(try Self.state("enabled")), of: ConnectionID.aa)
    let gone = watch.receive(missing, of: ConnectionID.aa)
    #expect(gone?.kind == .gone)
    #expect(gone?.before?.status == .enabled)
    #expect(watch.receive(missing, of: ConnectionID.aa) == nil)
    let back = watch.receive(.found(try Self.state("disabled")), of: ConnectionID.aa)
    #expect(back?.kind == .appeared)
    #expect(back?.after?.status == .disabled)
  }

  @Test func anUnknownNamedIDEndsTheWatch() {
    let problem = Problem(.notFound, "no connection 'aa'")
    var named = Self.machine([ConnectionID.aa])
    _ = named.next(at: .zero, random: 0.5)
    _ = named.receive(.missing(problem), of: ConnectionID.aa)
    #expect(named.next(at: .zero, random: 0.5) == .end(.failed(problem)))
    var tracked = Self.machine([ConnectionID.aa], areNamed: false)
    _ = tracked.next(at: .zero, random: 0.5)
    _ = tracked.receive(.missing(problem), of: ConnectionID.aa)
    #expect(tracked.next(at: .zero, random: 0.5) == .pause(.seconds(5)))
  }

  @Test func reportsFailureAndRecoveryOnce() throws {
    var watch = Self.machine([ConnectionID.aa])
    func round(_ result: PollResult<WatchedConnection>) -> [ConnectionWatch.Action] {
      _ = watch.next(at: .zero, random: 0.5)
      _ = watch.receive(result, of: ConnectionID.aa)
      let first = watch.next(at: .zero, random: 0.5)
      guard case .report = first else { return [first] }
      return [first, watch.next(at: .zero, random: 0.5)]
    }
    let found = PollResult.found(try Self.state("enabled"))
    let failed = PollResult<WatchedConnection>.failed(Self.outage, retryAfter: .seconds(50))
    #expect(round(found) == [.pause(.seconds(5))])
    #expect(round(failed) == [.report(.failing(Self.outage)), .pause(.seconds(50))])
    #expect(round(failed) == [.pause(.seconds(50))])
    #expect(round(found) == [.report(.recovered), .pause(.seconds(5))])
  }

  @Test func rejectedCredentialsEndTheWatch() throws {
    var watch = Self.machine([ConnectionID.aa, ConnectionID.bb])
    let refused = Problem(.unauthorized, "the credentials were not accepted")
    _ = watch.next(at: .zero, random: 0.5)
    _ = watch.receive(.found(try Self.state("enabled")), of: ConnectionID.aa)
    _ = watch.receive(.refused(refused), of: ConnectionID.bb)
    #expect(watch.next(at: .zero, random: 0.5) == .end(.failed(refused)))
  }

  @Test func endsAtTheTimeout() throws {
    var watch = Self.machine([ConnectionID.aa], until: .seconds(7))
    #expect(watch.next(at: .zero, random: 0.5) == .poll([ConnectionID.aa], limit: .seconds(7)))
    _ = watch.receive(.found(try Self.state("enabled")), of: ConnectionID.aa)
    #expect(watch.next(at: .zero, random: 0.5) == .pause(.seconds(5)))
    _ = watch.next(at: .seconds(5), random: 0.5)
    #expect(watch.next(at: .seconds(5), random: 0.5) == .pause(.seconds(1)))
    _ = watch.next(at: .seconds(6), random: 0.5)
    #expect(watch.next(at: .seconds(6), random: 0.5) == .end(.over))
  }

  @Test func tooFewChangesBeforeTheTimeoutFail() throws {
    var watch = Self.machine([ConnectionID.aa], count: 2, until: .seconds(7))
    _ = watch.next(at: .zero, random: 0.5)
    _ = watch.receive(.found(try Self.state("enabled")), of: ConnectionID.aa)
    _ = watch.next(at: .zero, random: 0.5)
    _ = watch.next(at: .seconds(5), random: 0.5)
    _ = watch.receive(.found(try Self.state("disabled")), of: ConnectionID.aa)
    _ = watch.next(at: .seconds(5), random: 0.5)
    _ = watch.next(at: .seconds(6), random: 0.5)
    guard case .end(.failed(let problem)) = watch.next(at: .seconds(6), random: 0.5) else {
      Issue.record("The watch ended without an error.")
      return
    }
    #expect(problem.code == .notYet && problem.message == "timed out after 1 of 2 changes")
  }

  @Test func aWatchWithoutAnyResultFails() {
    var watch = Self.machine([ConnectionID.aa], until: .zero)
    _ = watch.next(at: .zero, random: 0.5)
    _ = watch.receive(.failed(Self.outage, retryAfter: nil), of: ConnectionID.aa)
    #expect(watch.next(at: .zero, random: 0.5) == .report(.failing(Self.outage)))
    #expect(watch.next(at: .zero, random: 0.5) == .end(.failed(Self.outage)))
  }

  @Test func followsChangesToTheTrackedList() throws {
    var watch = Self.machine([ConnectionID.aa], areNamed: false)
    _ = watch.receive(.found(try Self.state("enabled")), of: ConnectionID.aa)
    #expect(watch.follow([ConnectionID.aa]) == [])
    #expect(watch.follow([ConnectionID.bb]).map(\.kind) == [.gone])
    #expect(watch.ids == [ConnectionID.bb])
    #expect(watch.receive(.found(try Self.state("enabled")), of: ConnectionID.aa) == nil, "a late response is ignored")
    #expect(watch.receive(.found(try Self.state("disabled")), of: ConnectionID.bb)?.kind == .appeared)
  }

  @Test func reportsNoMoreChangesThanCount() throws {
    var watch = Self.machine([ConnectionID.aa, ConnectionID.bb], count: 1)
    for id in [ConnectionID.aa, ConnectionID.bb] { _ = watch.receive(.found(try Self.state("enabled")), of: id) }
    #expect(watch.receive(.found(try Self.state("disabled")), of: ConnectionID.bb)?.kind == .status)
    #expect(watch.receive(.found(try Self.state("disabled")), of: ConnectionID.aa) == nil)
  }

  @Test func theRowContainsBothStates() throws {
    let event = ConnectionEvent(
      ConnectionID.aa, from: try Self.state("enabled", day: "mo"), to: try Self.state("disabled", name: #"\u001b[2J"#))
    let row = String(decoding: try #require(event).row(at: Timestamp(milliseconds: 0)), as: UTF8.self)
    #expect(
      row
        == #"{"at":"1970-01-01T00:00:00Z","id":"aa","name":"\u001b[2J","kind":"status","before":{"status":"enabled","#
        + #""pending":false,"name":"n","configuration":{"features":[{"id":"u","feature_id":"f","enabled":true,"#
        + #""fields":{"day":"mo"},"triggers":[],"queries":[],"actions":[]}]}},"after":{"status":"disabled","#
        + #""pending":false,"name":"\u001b[2J","configuration":null}}"#)
  }
}
