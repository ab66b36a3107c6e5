import IFTTT
import JSON
import Session
import Testing

@testable import Changes

/// The state machine of one subject: events in, actions out.
@Suite struct SubjectChangeTests {
  private static func connection(_ status: String, scene: String? = "sc_1") throws -> Connection {
    let stored = scene.map {
      #""user_connection":{"user_features":[{"id":"u1","feature_id":"f1","enabled":true,"user_fields":[{"field_id":"scene","value":"\#($0)"}]}]},"#
    }
    let text = #"""
      {"id":"aa","name":"Lamps",\#(stored ?? "")"user_status":"\#(status)","features":[
        {"id":"f1","title":"First","fields":[{"id":"scene","label":"Scene","type":"TEXT_FIELD"}]}]}
      """#
    let object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
    return try #require(Connection(reading: object))
  }

  private static func state(_ status: String, scene: String? = "sc_1", pending: Bool = false) throws -> SubjectState {
    SubjectState(try connection(status, scene: status == "enabled" ? scene : nil), isPending: pending)
  }

  private static func settings(_ scene: String) throws -> UserConnection {
    try #require(try connection("enabled", scene: scene).userConnection)
  }

  private static let lost = Problem(.network, "lost")

  private static func request(_ target: TargetState) -> SubjectChange.Request {
    var request = SubjectChange.Request(Subject(id: "aa"), target)
    request.allowsRemoval = true
    return request
  }

  // MARK: Single ways

  /// Feeds events, and returns the actions as words.
  private func words(_ request: SubjectChange.Request, _ events: [SubjectChange.Event]) -> [String] {
    var change = SubjectChange(request)
    return events.map { event in
      switch change.receive(event) {
      case nil: "-"
      case .read(let isFresh): isFresh ? "read" : "read cached"
      case .readOptions: "options"
      case .propose(let plan): "propose \(plan.steps.map(\.word))"
      case .send(let step, let before): "\(step.word) from \(before.status.rawValue)"
      case .end(let result):
        "end \(result.status.rawValue)\(result.isChanged ? " changed" : "") \(result.problem?.code.rawValue ?? "ok")"
      }
    }
  }

  @Test func aConnectionIsDisabled() throws {
    let off = try Self.state("disabled")
    #expect(
      words(Self.request(.status(.disabled)), [.begun, .read(try Self.state("enabled")), .approved, .accepted(off)])
        == ["read", #"propose ["disable"]"#, "disable from enabled", "end disabled changed ok"])
    #expect(
      words(Self.request(.status(.disabled)), [.begun, .read(off)]) == ["read", "end disabled ok"],
      "nothing is sent")
  }

  /// Only what disables a connection must be read again.
  @Test func aFreshCacheIsGoodEnoughToEnable() {
    for (status, word) in [(UserStatus.enabled, "read cached"), (.disabled, "read")] {
      var request = Self.request(.status(status))
      request.mayBeCached = true
      #expect(words(request, [.begun]) == [word])
    }
  }

  @Test func aLostResponseIsReadAgain() throws {
    let (on, off) = (try Self.state("enabled"), try Self.state("disabled"))
    let start: [SubjectChange.Event] = [.begun, .read(on), .approved, .failed(Self.lost, isUnchanged: false)]
    let request = Self.request(.status(.disabled))
    #expect(words(request, start + [.read(off)]).suffix(2) == ["read", "end disabled changed ok"])
    #expect(words(request, start + [.read(on)]).suffix(2) == ["read", "end enabled network"])
    #expect(words(request, start + [.readFailed(Self.lost)]).suffix(1) == ["end unknown network"])
    #expect(
      words(request, [.begun, .read(on), .approved, .failed(Self.lost, isUnchanged: true)]).suffix(1)
        == ["end enabled network"])
  }

  @Test func settingsAreSentBetweenEnablingAndDisabling() throws {
    let state = RecordedState(status: .disabled, configuration: try Self.settings("sc_2"))
    let changed = try Self.state("enabled", scene: "sc_2")
    #expect(
      words(
        Self.request(.state(state)),
        [
          .begun, .read(try Self.state("enabled")), .approved, .accepted(nil), .read(changed), .accepted(nil),
          .read(try Self.state("disabled")),
        ])
        == [
          "read", #"propose ["configure", "disable"]"#, "configure from enabled", "read", "disable from enabled",
          "read",
          "end disabled changed ok",
        ])
    let on = RecordedState(status: .enabled, configuration: try Self.settings("sc_2"))
    #expect(
      words(
        Self.request(.state(on)),
        [
          .begun, .read(try Self.state("disabled")), .approved, .accepted(try Self.state("enabled", scene: nil)),
          .read(try Self.state("enabled")), .accepted(nil), .read(changed),
        ])
        == [
          "read", #"propose ["enable"]"#, "enable from disabled", "read", "configure from disabled", "read",
          "end enabled changed ok",
        ],
      "the settings are known only once it is enabled")
  }

  @Test func whatOthersChangedIsAConflict() throws {
    var request = Self.request(.status(.enabled))
    request.expected = RecordedState(status: .enabled, configuration: nil)
    #expect(words(request, [.begun, .read(try Self.state("disabled"))]) == ["read", "end disabled conflict"])
    #expect(words(request, [.begun, .read(try Self.state("enabled"))]) == ["read", "end enabled ok"])
  }

  @Test func aStepWithoutEffectIsAnError() throws {
    let on = try Self.state("enabled")
    #expect(
      words(Self.request(.status(.disabled)), [.begun, .read(on), .approved, .accepted(on), .read(on)])
        == ["read", #"propose ["disable"]"#, "disable from enabled", "read", "end enabled refused"])
  }

  /// What an earlier part of the run has changed counts as changed.
  @Test func aResumedSubjectIsNotSentAgain() throws {
    var request = Self.request(.status(.disabled))
    request.earlier = .init(before: RecordedState(status: .enabled, configuration: nil), wasSent: true, position: 0)
    #expect(words(request, [.begun, .read(try Self.state("disabled"))]) == ["read", "end disabled changed ok"])
    request.options.isForced = true
    #expect(words(request, [.begun, .read(try Self.state("disabled"))]) == ["read", "end disabled changed ok"])
  }

  @Test(arguments: [
    ("never_enabled", false, "never_enabled"), ("disabled", true, "pending"), ("odd", false, "refused"),
  ])
  func whatCannotBeEnabledIsNotSent(status: String, isPending: Bool, code: String) throws {
    let present = try Self.state(status, pending: isPending)
    #expect(words(Self.request(.status(.enabled)), [.begun, .read(present)]).last?.hasSuffix(code) == true)
  }

  // MARK: All ways

  /// Every sequence of up to eight events that have an effect, for several targets: the machine ends, sends nothing
  /// before it has read and was approved or after it was refused, never disables before it has read what an undo needs,
  /// and has exactly one result.
  @Test func everyWayEnds() throws {
    let events: [(name: String, event: SubjectChange.Event)] = [
      ("begun", .begun), ("enabled", .read(try Self.state("enabled"))),
      ("enabled, other", .read(try Self.state("enabled", scene: "sc_2"))),
      ("enabled, pending", .read(try Self.state("enabled", scene: nil, pending: true))),
      ("disabled", .read(try Self.state("disabled"))), ("never enabled", .read(try Self.state("never_enabled"))),
      ("unknown", .read(try Self.state("odd"))), ("unread", .readFailed(Self.lost)), ("approved", .approved),
      ("refused", .refused(Self.lost)), ("accepted", .accepted(nil)),
      ("accepted, enabled", .accepted(try Self.state("enabled"))),
      ("accepted, disabled", .accepted(try Self.state("disabled"))), ("lost", .failed(Self.lost, isUnchanged: false)),
      ("rejected", .failed(Self.lost, isUnchanged: true)), ("no options", .optionsFailed(Self.lost)),
    ]
    var ways = 0
    func walk(_ change: SubjectChange, _ way: [String], isRead: Bool, isApproved: Bool, isRefused: Bool) {
      for (name, event) in events {
        var next = change
        guard let action = next.receive(event) else { continue }
        let way = way + [name]
        var (isRead, isApproved, isRefused) = (isRead, isApproved, isRefused)
        if case .read = event { isRead = true }
        if case .approved = event { isApproved = true }
        if case .refused = event { isRefused = true }
        switch action {
        case .send(let step, let before):
          #expect(isRead && isApproved && !isRefused, "\(way)")
          if step == .disable { #expect(before.status != .unknown || change.request.options.isForced, "\(way)") }
        case .end:
          ways += 1
          for (_, later) in events {
            var ended = next
            #expect(ended.receive(later) == nil, "\(way): one result")
          }
          continue
        case .read, .readOptions, .propose: break
        }
        if way.count < 8 {
          walk(next, way, isRead: isRead, isApproved: isApproved, isRefused: isRefused)
        } else {
          // Whatever comes next ends it within the steps that are left.
          var last = next
          var count = 0
          while count < 8, last.receive(.readFailed(Self.lost)) == nil, last.receive(.refused(Self.lost)) == nil,
            last.receive(.failed(Self.lost, isUnchanged: true)) == nil
          { count += 1 }
          #expect(count < 8, "\(way)")
        }
      }
    }
    let both = RecordedState(status: .disabled, configuration: try Self.settings("sc_2"))
    let on = RecordedState(status: .enabled, configuration: try Self.settings("sc_2"))
    var requests = [
      TargetState.status(.enabled), .status(.disabled), .state(both), .state(on), .values(["level": "80"]),
    ]
    .map(Self.request)
    for request in requests {
      var forced = request
      forced.options.isForced = true
      var expecting = request
      expecting.expected = RecordedState(status: .enabled, configuration: nil)
      var resumed = request
      resumed.earlier = .init(before: nil, wasSent: true, position: 0)
      requests += [forced, expecting, resumed]
    }
    for request in requests { walk(SubjectChange(request), [], isRead: false, isApproved: false, isRefused: false) }
    #expect(ways > 1000)
  }
}

extension ChangeStep {
  fileprivate var word: String {
    switch self {
    case .enable: "enable"
    case .disable: "disable"
    case .set: "set"
    case .configure: "configure"
    }
  }
}
