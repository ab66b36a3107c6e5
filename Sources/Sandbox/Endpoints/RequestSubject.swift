import HTTP
import JSON

/// The connection that a request is about, and the user on whose behalf it is made.
struct RequestSubject {
  let seeded: SeededConnection
  let user: SandboxFixtures.User
  let configuration: SandboxState.Configuration

  var connection: SandboxFixtures.Connection { seeded.connection }
}

extension Emulator {
  /// The subject of a request, if the user has the connection enabled. With a service key, the user must be named in
  /// the query or in the body (docs/api/connect.md C3); with a user token, this is optional.
  /// - Parameter body: the body, if it may name the user.
  func subject(
    _ id: String, _ request: APIRequest, _ body: JSONObject? = nil
  ) throws(ErrorResponse) -> RequestSubject {
    let (inQuery, inBody) = (request.http.parameter("user_id"), try body?.identifier("user_id"))
    if let inQuery, let inBody, inQuery != inBody {
      throw .invalidParameters([.init(parameter: "/user_id", message: "Differs from user_id in the query")])
    }
    if case .none = request.credential { throw .unauthorized() }
    let seeded = try find(id, request)
    guard let user = try requiredViewer(named: inBody ?? inQuery, request.credential).user else {
      throw .neverEnabled()
    }
    switch status(of: user, in: seeded) {
    case .neverEnabled: throw .neverEnabled()
    case .disabled: throw .notEnabled
    case .enabled: break
    }
    return RequestSubject(seeded: seeded, user: user, configuration: configuration(of: user, in: seeded))
  }
}

/// A request to run, perform or test a step: the step, the user's configured instance of it, and the values that
/// override the configured ones.
struct StepRequest {
  let step: SandboxFixtures.Step
  let instance: SandboxFixtures.UserFeature
  let configured: SandboxFixtures.UserStep
  /// The overrides by field id, as sent in the request.
  let overrides: JSONObject
  /// The effective values, overrides included, in the order of the step's fields.
  private(set) var values: [SandboxFixtures.Value?]

  /// - Parameter name: The step's slug, prefixed with its service's slug and a dot.
  init(_ name: String, _ kind: StepKind, of subject: RequestSubject, _ body: JSONObject) throws(ErrorResponse) {
    let steps = subject.connection.features.flatMap { $0[keyPath: kind.ofFeature] }
    guard steps.contains(where: { $0.name == name }) else { throw .unknownPart(kind.word) }
    if subject.configuration.isPending { throw .pending }
    let instances = subject.configuration.features.compactMap { Instance($0, name, kind) }
    guard let chosen = try Self.choose(instances, body) else {
      throw .invalidParameters([.init(parameter: "/user_feature_id", message: "This user has no such user feature")])
    }
    guard chosen.feature.isEnabled else { throw .notEnabled }
    switch body["fields"] {
    case nil, .null: overrides = [:]
    case .object(let fields): overrides = fields
    default: throw .invalidParameters([.init(parameter: "/fields", message: "Must be an object")])
    }
    (step, instance, configured) = (chosen.step.step, chosen.feature, chosen.step.configured)
    values = chosen.step.configured.values
    try override()
  }

  private struct Instance {
    let feature: SandboxFixtures.UserFeature
    let step: SandboxFixtures.ConfiguredStep

    init?(_ feature: SandboxFixtures.UserFeature, _ name: String, _ kind: StepKind) {
      guard let step = feature.configuredSteps(kind).first(where: { $0.step.name == name }) else { return nil }
      (self.feature, self.step) = (feature, step)
    }
  }

  /// The requested instance; otherwise, the first enabled one; otherwise, the first one.
  private static func choose(_ instances: [Instance], _ body: JSONObject) throws(ErrorResponse) -> Instance? {
    guard let id = try body.identifier("user_feature_id") else {
      return instances.first { $0.feature.isEnabled } ?? instances.first
    }
    return instances.first { $0.feature.id == id }
  }

  private mutating func override() throws(ErrorResponse) {
    var problems: [ErrorResponse.Detail] = []
    for (id, json) in overrides.members {
      guard let index = step.fields.firstIndex(where: { $0.id == id }) else {
        if !step.rows.nestedFields.contains(id) { problems.append(.init(field: id, "Not a field of this step")) }
        continue
      }
      do throws(SandboxValueError) { values[index] = try step.fields[index].value(from: json) } catch {
        problems.append(.init(field: id, error.message))
      }
    }
    // The one documented error is not an assumption.
    guard problems.isEmpty else {
      throw .invalidParameters(
        problems, problems.allSatisfy { $0.message == SandboxValueError.noOption.message } ? nil : .notFoundMessage)
    }
  }
}
