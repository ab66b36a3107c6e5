import HTTP
import JSON

extension Emulator {
  /// `GET /v2/connections/{id}`.
  func show(connection id: String, _ request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let viewer = try viewer(of: request)
    return response(with: try find(id, request), for: viewer)
  }

  /// `POST /v2/connections/{id}/enable` and `/disable`; requires a user token.
  mutating func turn(
    _ turn: Toggle, connection id: String, _ request: APIRequest
  ) throws(ErrorResponse) -> EmulatorResponse {
    guard case .token(let user) = request.credential else { throw .unauthorized() }
    let seeded = try find(id, request)
    let status = status(of: user, in: seeded)
    if status == .neverEnabled { throw .neverEnabled(.statusChange) }
    if turn == .enable, status == .disabled, configuration(of: user, in: seeded).isPending { throw .pending }
    set(turn.result, of: user, in: seeded)
    var response = response(with: seeded, for: .user(user))
    if status == turn.result { response.assumptions.append(.statusChange) }
    return response
  }

  /// Find a connection. Throws if it does not exist, if it is unpublished and not revealed by the credential, or if
  /// it belongs to another service.
  func find(_ id: String, _ request: APIRequest) throws(ErrorResponse) -> SeededConnection {
    guard let seeded = seed.connection(id) else { throw .unknownConnection }
    let owner = seeded.connection.services.first?.slug
    guard seeded.connection.isPublished || request.reveals(owner, seed) else {
      throw .unknownConnection
    }
    try request.credential.checkAccess(to: owner)
    return seeded
  }

  func response(with seeded: SeededConnection, for viewer: Viewer) -> EmulatorResponse {
    var response = EmulatorResponse(body: json(of: seeded, for: viewer))
    if case .unconnected = viewer { response.assumptions = [.identity] }
    if let user = viewer.user, status(of: user, in: seeded) == .enabled, configuration(of: user, in: seeded).isPending {
      response.assumptions = [.pendingStatus]
    }
    return response
  }

  /// The JSON of a connection or an Applet as the viewer sees it.
  func json(of seeded: SeededConnection, for viewer: Viewer) -> [UInt8] {
    let changed = viewer.user.flatMap { state.configuration(of: $0.id, in: seeded.id) }
    return seeded.json(
      for: viewer.user.map { seed.model(of: $0.id) }, status: status(of: viewer, in: seeded),
      enabledCount: enabledCount(of: seeded),
      changed: changed.map { SandboxFixtures.UserConnection(status: .enabled, features: $0.features) })
  }
}

extension Emulator {
  /// `PUT …/user_connection`: replaces the user's whole configuration; anything omitted from the body is removed. An
  /// enabled feature ends the pending state.
  mutating func replace(connection id: String, _ request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try withCurrentOptions(subject(id, request))
    guard let body = request.body else { throw .badRequest("The body is missing") }
    var parser = ConfigurationParser(subject.connection, before: subject.configuration.features)
    var next = state
    let features = parser.features(in: body) { next.makeUUID() }
    guard parser.problems.isEmpty else { throw .invalidParameters(parser.problems) }
    try validate(features, of: subject)
    state = next
    let isPending = subject.configuration.isPending && !features.contains(where: \.isEnabled)
    set(.init(isPending: isPending, features: features), of: subject.user, in: subject.seeded)
    var response = response(with: subject.seeded, for: .user(subject.user))
    response.assumptions += [.replacementResponse, .valueFormats] + (parser.guessedByOrder ? [.sameFeature] : [])
    return response
  }

  /// `POST /v2/connections/{id}`, deprecated: updates only the fields of steps, with the names from before features
  /// existed.
  mutating func update(connection id: String, _ request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try withCurrentOptions(subject(id, request, request.body))
    guard let body = request.body else { throw .badRequest("The body is missing") }
    var parser = LegacyUpdateParser(subject.configuration.features)
    parser.read(body)
    guard parser.problems.isEmpty else { throw .invalidParameters(parser.problems) }
    try validate(parser.features, of: subject)
    set(
      .init(isPending: subject.configuration.isPending, features: parser.features), of: subject.user,
      in: subject.seeded)
    var response = response(with: subject.seeded, for: .user(subject.user))
    response.assumptions += [.updateResponse]
    return response
  }

  /// - Throws: The documented error if the partner's server rejects a value.
  private mutating func validate(
    _ features: [SandboxFixtures.UserFeature], of subject: RequestSubject
  ) throws(ErrorResponse) {
    let rejected = try rejectedValues(of: features, in: subject.connection.id, for: subject.user)
    guard rejected.isEmpty else {
      throw .invalidParameters(rejected.map { .init(field: $0.id, $0.message) }, nil)
    }
  }

  /// `GET …/field_options`: the options of all fields of a feature or step. Fields without options are omitted.
  mutating func options(
    of owner: OptionsOwner, connection id: String, _ request: APIRequest
  ) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try withCurrentOptions(subject(id, request), of: owner.step ?? "")
    guard let fields = fields(of: owner, in: subject.connection) else {
      throw .unknownPart("feature, trigger, query or action")
    }
    var options = JSONObject()
    for field in fields where !field.options.isEmpty && options[field.id] == nil {
      options[field.id] = .array(field.options.map(\.json))
    }
    return EmulatorResponse(body: JSONValue.object(["type": "field_options", "options": .object(options)]).bytes)
  }

  /// `POST …/user_connection/refresh`: updates the option labels in the user's configuration to the current ones.
  mutating func refresh(connection id: String, _ request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try withCurrentOptions(subject(id, request))
    var configuration = subject.configuration
    configuration.features = configuration.features.map(\.relabeled)
    if configuration != subject.configuration { set(configuration, of: subject.user, in: subject.seeded) }
    return EmulatorResponse(status: 204)
  }

  /// The fields of the feature or step, or nil if it does not exist.
  private func fields(of owner: OptionsOwner, in connection: SandboxFixtures.Connection) -> [SandboxFixtures.Field]? {
    switch owner {
    case .feature(let id): return connection.features.first { $0.id == id }?.fields
    case .step(let kind, let name, let feature):
      let steps = connection.features.filter { feature == nil || $0.id == feature }
        .flatMap { $0[keyPath: kind.ofFeature] }.filter { $0.name == name }
      return steps.isEmpty ? nil : steps.flatMap(\.fields)
    }
  }
}

extension OptionsOwner {
  fileprivate var step: String? { if case .step(_, let name, _) = self { name } else { nil } }
}

extension SandboxFixtures.UserFeature {
  fileprivate var relabeled: Self {
    var copy = self
    copy.values = relabeled(values, of: feature.fields)
    for kind in StepKind.allCases {
      copy[keyPath: kind.ofUser] = zip(feature[keyPath: kind.ofFeature], self[keyPath: kind.ofUser]).map {
        step, userStep in
        userStep.map { SandboxFixtures.UserStep($0.id, values: relabeled($0.values, of: step.fields)) }
      }
    }
    return copy
  }

  private func relabeled(_ values: [SandboxFixtures.Value?], of fields: [SandboxFixtures.Field]) -> [SandboxFixtures
    .Value?]
  {
    zip(fields, values).map { field, value in value.map(field.relabeled) }
  }
}
