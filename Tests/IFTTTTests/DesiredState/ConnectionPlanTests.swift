@testable import IFTTT
import JSON
import Testing

/// What to change so that a connection has its desired state.
@Suite struct ConnectionPlanTests {
  /// A connection with two features, of which the user configured one twice.
  private func connection(_ status: String = "enabled") throws -> Connection {
    let text = """
      {"id":"aa","name":"Lamps","user_status":"\(status)","features":[
        {"id":"f1","title":"First","fields":[
          {"id":"scene","label":"Scene","type":"COLLECTION_SELECT","required":true},
          {"id":"note","label":"Note","type":"TEXT_FIELD"},
          {"id":"days","label":"Days","type":"CHECKBOX_MULTI"}]},
        {"id":"f2","title":"Second","fields":[{"id":"text","label":"Text","type":"TEXT_FIELD","default_value":"hi"}]}],
       "user_connection":\(status == "enabled" ? Self.stored : "null")}
      """
    let object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
    return try #require(Connection(reading: object))
  }

  private static let stored = """
    {"user_features":[
      {"id":"u2","feature_id":"f1","enabled":false,"user_fields":[
        {"field_id":"scene","value":{"value":"sc_02","label":"Night"}}]},
      {"id":"u1","feature_id":"f1","enabled":true,"user_fields":[
        {"field_id":"scene","value":{"value":"sc_01","label":"Day"}},{"field_id":"note","value":"old"},
        {"field_id":"days","value":[{"value":"tue","label":"Tuesday"},{"value":"mon","label":"Monday"}]}]}]}
    """

  private func plan(
    _ desired: String, _ present: Connection, options: [ConfigurationStep: FieldOptions] = [:]
  ) throws -> ConnectionPlan {
    let text = #"{"version":1,"connections":[{"id":"aa",\#(desired)}]}"#
    let file = try ConnectionsFile(parsing: Array(text.utf8))
    return ConnectionPlan(.entry(file.connections[0]), of: "aa", SubjectState(present, isPending: false), options)
  }

  private func lines(_ plan: ConnectionPlan) -> [String] {
    plan.differences.map {
      "\($0.change.rawValue) \($0.field ?? "-") \($0.present.text) \($0.wanted.text)"
    }
  }

  private func scenes(_ connection: Connection) throws -> [ConfigurationStep: FieldOptions] {
    let step = try #require(connection.features[0].fieldGroups.first?.step)
    return [
      step: FieldOptions(["scene": [.init(group: nil, label: "Dawn", value: "sc_03")]])
    ]
  }

  @Test func anExportedConnectionHasNothingToChange() throws {
    let present = try connection()
    let desired = DesiredConnection(present, isPending: false)
    #expect(
      desired.json.text == #"{"id":"aa","name":"Lamps","status":"enabled","features":["#
        + #"{"feature":"f1","title":"First","enabled":false,"fields":{"scene":"sc_02"}},"#
        + #"{"feature":"f1","title":"First","enabled":true,"fields":{"days":["mon","tue"],"note":"old","scene":"sc_01"}}]}"#
    )
    let file = try ConnectionsFile(parsing: ConnectionsFile(connections: [desired]).json.indented)
    let plan = ConnectionPlan(.entry(file.connections[0]), of: "aa", SubjectState(present, isPending: false))
    #expect(plan.isEmpty && plan.differences.isEmpty && plan.obstacle == nil)
  }

  @Test func valuesFlagsAndStatusDiffer() throws {
    let present = try connection()
    let desired = #"""
      "status":"disabled","features":[{"feature":"f1","enabled":true,"fields":{"scene":"Dawn"}},
      {"feature":"f1","fields":{"note":"new","scene":"Day","days":["Tuesday","mon"]}},{"feature":"f2"}]
      """#
    let first = try plan(desired, present)
    #expect(first.missingOptions.map(\.key) == ["f1/features//f1"] && first.configuration == nil)
    let plan = try plan(desired, present, options: scenes(present))
    #expect(
      lines(plan) == [
        #"enabled f1#1 false true"#, #"changed f1#1.scene "sc_02" "sc_03""#, #"changed f1#2.note "old" "new""#,
        "added f2 null true", #"added f2.text null "hi""#, #"disabled - "enabled" "disabled""#,
      ])
    #expect(plan.change == .disable && plan.configuration?.features.count == 3 && plan.removals == 0)
  }

  @Test func fewerEntriesOfAFeatureAreARemoval() throws {
    let plan = try plan(#""features":[{"feature":"f1"}]"#, connection())
    #expect(plan.removals > 0 && plan.configuration?.features.map(\.id) == ["u2"])
    #expect(lines(plan).first == "removed f1#2 true null")
    #expect(try self.plan(#""features":[{"feature":"f2"}]"#, connection()).configuration?.features.count == 3)
    let value = try self.plan(#""features":[{"feature":"f1"},{"feature":"f1","fields":{"days":[]}}]"#, connection())
    #expect(lines(value) == [#"removed f1#2.days ["mon","tue"] []"#] && value.removals > 0)
  }

  @Test(arguments: [
    (#"{"feature":"f9"}"#, "features[0].feature", "the connection's features are f1, f2"),
    (
      #"{"feature":"f1","fields":{"x":"1"}}"#, "features[0].fields.x", "the feature's fields are scene, note, days"
    ),
    (
      #"{"feature":"f1","fields":{"scene":"Dusk"}}"#, "features[0].fields.scene",
      "'Dusk' is not an option; available: Dawn (sc_03)"
    ),
    (#"{"feature":"f1","enabled":true,"fields":{"scene":null}}"#, "features[0].fields.scene", "it needs a value"),
    (#"{"feature":"f1","fields":{"note":7}}"#, "features[0].fields.note", "it is not a value for this field: 7"),
  ])
  func whatTheConnectionDoesNotAcceptIsNamed(_ feature: String, _ path: String, _ message: String) throws {
    let present = try connection()
    let plan = try plan(#""features":[\#(feature),{"feature":"f1"}]"#, present, options: scenes(present))
    #expect(plan.obstacle == .invalid([.init(path: path, message: message)]))
    #expect(plan.configuration == nil)
  }

  @Test(arguments: [
    ("enabled", "disabled", ["enabled - \"disabled\" \"enabled\""]),
    ("disabled", "enabled", ["disabled - \"enabled\" \"disabled\""]), ("disabled", "never_enabled", []),
    ("never_enabled", "disabled", []), ("enabled", "enabled", []),
  ])
  func theStatusIsCompared(_ wanted: String, _ present: String, _ expected: [String]) throws {
    let plan = try plan(#""status":"\#(wanted)""#, connection(present))
    #expect(lines(plan) == expected && plan.obstacle == nil)
    #expect(plan.isEmpty == expected.isEmpty)
  }

  @Test func aStatusThatNoRequestSetsIsNamed() throws {
    #expect(try plan(#""status":"enabled""#, connection("never_enabled")).obstacle == .neverEnabled)
    #expect(try plan(#""status":"enabled""#, connection("deleted")).obstacle == .unknownStatus)
    let ignored = try plan(#""status":"never_enabled""#, connection())
    #expect(ignored.ignored == .status(.neverEnabled) && ignored.isEmpty)
  }

  @Test func settingsOfADisabledConnectionAreComparedLater() throws {
    let features = #""features":[{"feature":"f1","fields":{"note":"x"}}]"#
    let later = try plan(#""status":"enabled",\#(features)"#, connection("disabled"))
    #expect(later.isComparedLater && later.change == .enable && lines(later).count == 1)
    let ignored = try plan(#""status":"disabled",\#(features)"#, connection("disabled"))
    #expect(ignored.ignored == .configuration && ignored.isEmpty)
  }

  @Test func settingsOfAConnectionThatWasNeverEnabledCannotBeSet() throws {
    let features = #""features":[{"feature":"f1","fields":{"note":"x"}}]"#
    #expect(try plan(features, connection("never_enabled")).obstacle == .neverEnabled)
    #expect(try plan(#""status":"disabled",\#(features)"#, connection("never_enabled")).obstacle == .neverEnabled)
    #expect(try plan(features, connection("deleted")).obstacle == .unknownStatus)
    #expect(try plan(#""status":"never_enabled",\#(features)"#, connection("never_enabled")).obstacle == nil)
  }

  // MARK: Digests

  @Test(arguments: ["enabled", "disabled", "never_enabled"])
  func anExportedConnectionHasItsDigest(_ status: String) throws {
    let present = try connection(status)
    let text = ConnectionsFile(connections: [DesiredConnection(present, isPending: true)]).json.text
    let entry = try ConnectionsFile(parsing: Array(text.utf8)).connections[0]
    #expect(StateDigest(entry) == StateDigest(present) && StateDigest(present)?.bytes.count == 16)
  }

  /// Whatever an entry asks for beyond the present state must be in its digest: it would otherwise not be compared.
  @Test(arguments: [
    #""status":"disabled""#, #""status":"never_enabled""#, #""status":"enabled""#,
    #""status":"enabled","features":[{"feature":"f1","enabled":true,"fields":{"scene":"sc_02"}},\#(second)]"#,
    #""status":"enabled","features":[{"feature":"f1","fields":{"scene":"sc_02"}},\#(second)]"#,
    #""status":"enabled","features":[{"feature":"f1","enabled":false,"fields":{"scene":"sc_03"}},\#(second)]"#,
    #""status":"enabled","features":[{"feature":"f1","enabled":false,"fields":{"scene":null}},\#(second)]"#,
    #""status":"enabled","features":[{"feature":"f1","enabled":false,"fields":{}},\#(second)]"#,
    #""status":"enabled","features":[{"feature":"f2","enabled":false,"fields":{"scene":"sc_02"}},\#(second)]"#,
    #""status":"enabled","features":[\#(second)]"#,
  ])
  func anotherStateHasAnotherDigest(_ desired: String) throws {
    let present = try connection()
    let text = #"{"version":1,"connections":[{"id":"aa",\#(desired)}]}"#
    let entry = try ConnectionsFile(parsing: Array(text.utf8)).connections[0]
    #expect(StateDigest(entry) != nil && StateDigest(entry) != StateDigest(present))
  }

  private static let second =
    #"{"feature":"f1","enabled":true,"fields":{"days":["mon","tue"],"note":"old","scene":"sc_01"}}"#

  @Test func anEntryWithoutAStatusThatCanBeSetHasNoDigest() throws {
    #expect(StateDigest(DesiredConnection(id: try connection().id)) == nil)
    #expect(StateDigest(try connection("mystery")) == nil)
  }

  // MARK: Earlier states

  private func undo(to state: RecordedState, from present: Connection) -> ConnectionPlan {
    ConnectionPlan(.state(state), of: "aa", SubjectState(present, isPending: false))
  }

  @Test func anEarlierStateIsRestoredWhole() throws {
    let present = try connection()
    let before = RecordedState(SubjectState(present, isPending: false))
    #expect(undo(to: before, from: present).isEmpty)
    let stored = try #require(present.userConnection)
    var other = stored
    other.features[1].fields.removeLast()
    other.features.append(UserFeature(id: "u3", featureID: "f2", enabledOnWire: true))
    let added = undo(to: before, from: present.with(other))
    #expect(added.removals > 0 && added.change == nil && added.configuration?.features.map(\.id) == ["u2", "u1"])
    #expect(lines(added) == [#"added f1#2.days null ["mon","tue"]"#, "removed f2 true null"])
    let disabled = undo(to: before, from: try connection("disabled"))
    #expect(disabled.change == .enable && disabled.isComparedLater && disabled.configuration == nil)
  }

  @Test(arguments: [("never_enabled", "disabled"), ("disabled", "disabled"), ("unknown", "none")])
  func anEarlierStatusThatNoRequestSets(_ before: String, _ change: String) throws {
    let status = try #require(Connection.Status(rawValue: before))
    let plan = undo(to: RecordedState(status: status, configuration: nil), from: try connection())
    #expect(plan.differences.map(\.change.rawValue) == (change == "none" ? [] : [change]))
    #expect(plan.obstacle == nil)
  }

  @Test func targetsAreReadAsTheyWereRecorded() throws {
    let present = try connection()
    let entry = TargetState.entry(DesiredConnection(present, isPending: false))
    let read = try #require(TargetState(entry.json, at: "here"))
    #expect(ConnectionPlan(read, of: "aa", SubjectState(present, isPending: false)).isEmpty && read.path == "here")
    let state = TargetState.state(RecordedState(SubjectState(present, isPending: false)))
    #expect(TargetState(state.json, at: "")?.json == state.json)
    #expect(TargetState("x", at: "") == nil)
  }
}

extension Connection {
  fileprivate func with(_ configuration: UserConnection) -> Connection {
    var connection = self
    connection.userConnection = configuration
    return connection
  }
}
