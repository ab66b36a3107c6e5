import Changes
import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Session
import Text

enum ConnectionsRun: Command {
  typealias Options = StepOptions

  static let name = "run"
  static let summary = "Run an action of a connection"
  static let group: String? = "Steps"
  static var discussion: [String] {
    [
      """
      Runs the action once for the user, with the stored values of its fields or those given with --field. An action \
      is not idempotent, so a request is retried only if it cannot have reached IFTTT. A connection that is pending, \
      is disabled or was never enabled is rejected before anything is sent. A field that the action does not list is \
      sent as text, with a note.
      """,
      ConfigurationHelp.keyOrToken,
    ]
  }
  static var flags: [Flag<Options>] { [Options.fieldFlag] + Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals(.action, "SERVICE.ACTION") }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections run Kd7Rn2Qx tidebook.add_entry", "run an action with the stored values"),
      ExampleSchema(
        "connections run Kd7Rn2Qx add_entry -f calendar=Garden --dry-run", "show the request without sending it"),
    ]
  }
  static var shape: OutputSchema? { .one(AcceptedRow.self) }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try PreparedStep(.run, options, in: session).output()
  }
}

enum ConnectionsTest: Command {
  typealias Options = StepOptions

  static let name = "test"
  static let summary = "Test a trigger of a connection"
  static let group: String? = "Steps"
  static var discussion: [String] {
    [
      """
      Makes IFTTT send your service the webhook that it sends when the trigger fires. The trigger itself does not run: \
      IFTTT has no endpoint for that.
      """,
      ConfigurationHelp.keyOrToken,
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals(.trigger, "SERVICE.TRIGGER") }
  static var examples: [ExampleSchema] {
    [ExampleSchema("connections test Kd7Rn2Qx location.exit_region_location", "simulate that the user left the area")]
  }
  static var shape: OutputSchema? { .one(AcceptedRow.self) }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try PreparedStep(.test, options, in: session).output()
  }
}

/// The options that `connections run`, `query` and `test` share: a step of a connection, and the values to use it
/// with.
struct StepOptions: CommandOptions {
  var id = Required<ConnectionID>()
  var step = Required<String>()
  var fields: [FieldAssignment] = []
  var userFeature: String?
  var credentials = CredentialOptions()

  static var flags: [Flag<StepOptions>] {
    [
      .value(
        "user-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.userFeature,
        help: "User feature to use: its id, or FEATURE#2 for the second; default: the first")
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }

  /// Values that override the stored ones, for endpoints that accept overrides.
  static var fieldFlag: Flag<StepOptions> {
    .repeated(
      "field", short: "f", .assignment, into: \.fields,
      help: "Value to use instead of the stored one: text, an option's value or label, or lat,lng[,radius]")
  }

  static func positionals(_ kind: ConfigurationStep.Kind, _ placeholder: String) -> [Positional<StepOptions>] {
    [
      .required(.ownConnectionID, into: \.id, help: "The connection"),
      .required(
        .nonEmpty(placeholder, completion: .dynamic(kind.rawValue)), into: \.step,
        help: "The \(kind.rawValue); the part before the dot is optional if the rest is unique"),
    ]
  }
}

/// A step with its values, checked against the connection.
struct PreparedStep {
  let access: ConnectionAccess
  let call: ConnectClient.StepCall
  var invocation: StepInvocation

  /// - Throws: `pending`, `never_enabled` and similar errors before anything is sent, if the request could not
  ///   succeed.
  init(_ call: ConnectClient.StepCall, _ options: StepOptions, in session: Session) throws {
    self.call = call
    access = try ConnectionAccess(options.id.value, options.credentials, changes: true, in: session)
    let isDryRun = session.options.isDryRun
    let connection: Connection?
    if try session.network.isOffline {
      connection = try isDryRun ? access.cachedConnection() : access.cachedOrFail()
    } else {
      connection = try access.recent()
    }
    guard let connection else {
      // An offline dry run uses the arguments as given.
      invocation = StepInvocation(options.step.value, userFeatureID: options.userFeature)
      invocation.fields = options.fields.map { ($0.name, .string($0.value)) }
      return
    }
    if try session.storage.pendingConnections.isPending(connection) { throw Problem.pending(access.id) }
    try access.checkUsable(connection)
    invocation = StepInvocation(try PreparedStep.step(options.step.value, call.kind, of: connection))
    if let word = options.userFeature {
      let form = ConfigurationForm(connection, connection.userConnection ?? UserConnection())
      // IFTTT may accept an id that it has not returned, so send it as given.
      let index = connection.userConnection == nil ? nil : try form.feature(named: word)
      invocation.userFeatureID = index.flatMap { form.configuration.features[$0].id } ?? word
    }
    invocation.fields = try overrides(options.fields, of: connection)
  }

  var endpoint: Endpoint<Void> { access.client.use(call, invocation, of: access.id) }

  /// Returns the one step that an argument names.
  private static func step(
    _ word: String, _ kind: ConfigurationStep.Kind, of connection: Connection
  ) throws -> String {
    let found = connection.stepIDs(kind, named: word)
    if found.count == 1 { return found[0] }
    if found.count > 1 {
      throw Problem(
        .invalidParameters, "'\(word)' matches more than one \(kind.rawValue)",
        hint: "Use one of: \(found.joined(separator: ", ")).")
    }
    let all = connection.stepIDs(kind)
    throw Problem(
      .notFound, "connection '\(connection.id)' has no \(kind.rawValue) '\(word)'",
      hint: all.isEmpty ? "It has no \(kind.plural)." : "Available: \(all.joined(separator: ", ")).")
  }

  /// Converts each value to the form that the endpoint accepts (docs/api/connect.md §9): text, an option's value, or a
  /// location.
  private func overrides(
    _ given: [FieldAssignment], of connection: Connection
  ) throws -> [(name: String, value: JSONValue)] {
    var names: [String] = []
    for name in given.map(\.name) where !names.contains(name) { names.append(name) }
    let groups = connection.features.flatMap(\.fieldGroups).filter {
      $0.step.kind == call.kind && $0.step.typeID == invocation.stepID
    }
    let fields = names.map { name in groups.first { $0.fields.contains { $0.id == name } } }
    let optionSteps = zip(names, fields).compactMap { name, group in
      group?.fields.first { $0.id == name && $0.kind?.takesOptions == true }.flatMap { _ in group?.step }
    }
    let session = access.session
    let options = try access.options(optionSteps, mayFetch: !session.network.isOffline)
    if let failure = options.failures.first { throw failure.problem }
    return try zip(names, fields).map { name, group in
      let values = given.filter { $0.name == name }.map(\.value)
      guard let group, let field = group.fields.first(where: { $0.id == name }) else {
        session.console.note("'\(name)' is not a listed field of '\(invocation.stepID)'; it is sent as text.")
        return (name, .string(values.last ?? ""))
      }
      let known = options.known[group.step]
      // Offline, the options may be unknown.
      if field.kind?.takesOptions == true, known == nil { return (name, .string(values.last ?? "")) }
      do throws(FieldValueError) {
        let value = try field.value(of: values, known?.options[name] ?? [])
        return (name, value?.asOverride ?? .string(""))
      } catch {
        throw Problem(
          .invalidParameters, "'\(name)' does not accept this value", reason: error.description,
          hint: "See \(ifttt: "connections options \(access.id)").")
      }
    }
  }
}

extension JSONValue {
  /// The value in the form that overrides a stored value.
  fileprivate var asOverride: JSONValue {
    switch FieldValue(self) {
    case .option(let option): .string(option.value)
    case .options(let options): .array(options.map { ["label": JSONValue($0.label), "value": .string($0.value)] })
    case .location(let location): location.coordinates
    case .text, .other, nil: self
    }
  }
}

extension FieldValue.Location {
  /// Only the center and the radius.
  fileprivate var coordinates: JSONValue {
    FieldValue.Location(
      latitude: latitude, longitude: longitude, radius: radius, address: nil, details: nil, zoom: nil
    ).json
  }
}

/// An accepted request to run or test a step.
struct AcceptedRow: OutputRecord {
  let id: ConnectionID
  let step: String
  let userFeatureID: String?

  static let fields: Fields = [
    Field("id", "The connection's id", column: "ID") { $0.id.description },
    Field("step", "The step", column: "STEP") { $0.step },
    Field("user_feature_id", "The id of the user feature; null for the first one") { $0.userFeatureID },
    Field("accepted", "Always true; the effect of the request is not known", column: "ACCEPTED") { _ in true },
  ]
}

extension PreparedStep {
  /// Describes why the step could not be used, in terms of the given values.
  func problem(_ failure: APIError) -> Problem {
    let problem = Problem(failure, subject: "\(call.kind.rawValue) '\(invocation.stepID)' of \(access.subject)")
    return access.explained(problem).namingFields(
      hint: "\(ifttt: "connections options \(access.id)") shows what each field accepts.")
  }

  /// Sends the request and reports that IFTTT accepted it. Its effect is not known.
  func output() throws -> Output {
    let session = access.session
    if session.options.isDryRun { return session.dryRun([endpoint.request]) }
    do throws(APIError) { try endpoint.send() } catch { throw problem(error) }
    return .one(AcceptedRow(id: access.id, step: invocation.stepID, userFeatureID: invocation.userFeatureID))
  }
}
