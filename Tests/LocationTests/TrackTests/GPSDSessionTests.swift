import Location
import Testing

@Suite struct GPSDSessionTests {
  private typealias Action = GPSDSession.Action
  private static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  private static let watch = Action.send(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8))

  private static func report(_ device: String, _ latitude: Int) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":3,"lat":\#(latitude),"lon":2}"#
  }

  private static func actions(_ lines: String...) throws -> [Action] {
    var session = GPSDSession()
    var actions: [Action] = []
    try session.read(Array((lines.joined(separator: "\r\n") + "\r\n").utf8), into: &actions)
    return actions
  }

  private static func position(_ latitude: Double) throws -> Action { .item(.position(try seen(latitude, 2))) }

  @Test func requestsReportsAfterTheGreeting() throws {
    var session = GPSDSession()
    var actions: [Action] = []
    for byte in Array(Self.version.utf8) + [0x0d] { try session.read([byte], into: &actions) }
    #expect(actions.isEmpty)
    try session.read([0x0a], into: &actions)
    #expect(actions == [Self.watch])
  }

  /// A session that was recorded with gpsd 3.22.
  @Test func readsARecordedSession() throws {
    let bytes = try TrackFiles.bytes("gpsd/session.jsonl")
    var all: [[Action]] = []
    for size in [1, 100, bytes.count] {
      var session = GPSDSession()
      var (actions, rest): ([Action], ArraySlice<UInt8>) = ([], bytes[...])
      while !rest.isEmpty {
        try session.read(Array(rest.prefix(size)), into: &actions)
        rest = rest.dropFirst(size)
      }
      all.append(actions)
    }
    #expect(all[0] == all[1] && all[1] == all[2])
    let positions = all[0].compactMap { if case .item(.position(let position)) = $0 { position } else { nil } }
    #expect(positions == TrackOutcome(.jsonl, bytes).positions)
    #expect(positions.count == 9)
    #expect(all[0].first == Self.watch)
    #expect(all[0].last == .note("gpsd lost the receiver /dev/pts/1."))
  }

  @Test func usesTheFirstReceiverWithAFix() throws {
    let actions = try Self.actions(
      Self.version, #"{"class":"TPV","device":"b","mode":1}"#, Self.report("a", 1), Self.report("b", 5),
      Self.report("a", 2), #"{"class":"DEVICE","path":"c","activated":0}"#, Self.report("b", 5),
      #"{"class":"DEVICE","path":"a","activated":0}"#, Self.report("b", 6), Self.report("a", 3))
    #expect(
      actions == [
        Self.watch, try Self.position(1), try Self.position(2), .note("gpsd lost the receiver c."),
        .note("gpsd lost the receiver a."), try Self.position(6),
      ])
  }

  @Test func skipsUnreadableMessages() throws {
    let actions = try Self.actions(
      Self.version, #"{"class":"TPV","device":"a","mode":3,"la"#, "[]", "", #"{"class":"SKY"}"#,
      #"{"class":"TPV","device":"a","mode":3,"lat":91,"lon":2}"#, String(repeating: "x", count: 70_000),
      Self.report("a", 1))
    let problem = "it is not a message from gpsd"
    #expect(
      actions == [
        Self.watch, .item(.broken(reason: problem, line: 2)), .item(.broken(reason: problem, line: 3)),
        .item(.broken(reason: "its position is not on the earth", line: 6)), .item(.broken(reason: problem, line: 7)),
        try Self.position(1),
      ])
  }

  @Test func reportsAMissingReceiver() throws {
    let actions = try Self.actions(
      Self.version, #"{"class":"DEVICES","devices":[]}"#, #"{"class":"WATCH","enable":true}"#)
    #expect(actions == [Self.watch, .note("gpsd has no receiver yet.")])
  }

  @Test(arguments: [
    (["HTTP/1.1 400 Bad Request"], GPSDSession.Failure.notGPSD), ([#"{"class":"TPV"}"#], .notGPSD),
    ([""], .notGPSD),
    ([String(repeating: "x", count: 70_000)], .notGPSD),
    ([#"{"class":"VERSION","proto_major":4}"#], .otherProtocol), ([#"{"class":"VERSION"}"#], .otherProtocol),
    ([version, #"{"class":"ERROR","message":"Invalid WATCH"}"#], .refusal("Invalid WATCH")),
    ([version, #"{"class":"ERROR"}"#], .refusal(nil)),
  ])
  func failsOnInvalidGreetings(lines: [String], failure: GPSDSession.Failure) {
    var session = GPSDSession()
    var actions: [Action] = []
    #expect(throws: failure) {
      try session.read(Array((lines.joined(separator: "\n") + "\n").utf8), into: &actions)
    }
  }

  @Test func rejectsAnEndlessGreeting() {
    var session = GPSDSession()
    var actions: [Action] = []
    #expect(throws: GPSDSession.Failure.notGPSD) {
      for _ in 0..<10 { try session.read([UInt8](repeating: 0x78, count: 10_000), into: &actions) }
    }
  }

  @Test func reportsAClosedConnection() throws {
    var session = GPSDSession()
    #expect(session.finish() == .notGPSD && !session.hasGreeted)
    var actions: [Action] = []
    try session.read(Array("\(Self.version)\n".utf8), into: &actions)
    #expect(session.finish() == .closed && session.hasGreeted)
  }
}
