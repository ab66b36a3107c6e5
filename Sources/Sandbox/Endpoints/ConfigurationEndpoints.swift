import HTTP
import JSON

extension Emulator {
  /// `PUT …/user_connection`: replaces the user's whole configuration; anything omitted from the body is removed. An
  /// enabled feature ends the pending state.
  mutating func replace(
    connection id: String, _ credential: RequestCredential, _ request: Request, _ body: JSONObject?
  ) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try withCurrentOptions(subject(id, credential, request))
    guard let body else { throw .badRequest("The body is missing") }
    var reading = ConfigurationParser(subject.connection, before: subject.configuration.features)
    var next = state
    let features = reading.features(in: body) { next.makeUUID() }
    guard reading.problems.isEmpty else { throw .invalidParameters(reading.problems) }
    try validate(features, of: subject)
    state = next
    let isPending = subject.configuration.isPending && !features.contains { $0.isEnabled }
    set(.init(isPending: isPending, features: features), of: subject.user, in: subject.seeded)
    var answer = answer(with: subject.seeded, for: .user(subject.user))
    answer.assumptions += [.replacementAnswer, .valueForms] + (reading.guessedByOrder ? [.sameFeature] : [])
    return answer
  }

  /// `POST /v2/connections/{id}`, deprecated: updates only the fields of steps, with the names from before features
  /// existed.
  mutating func update(
    connection id: String, _ credential: RequestCredential, _ request: Request, _ body: JSONObject?
  ) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try withCurrentOptions(subject(id, credential, request, body))
    guard let body else { throw .badRequest("The body is missing") }
    var reading = LegacyUpdateParser(subject.configuration.features)
    reading.read(body)
    guard reading.problems.isEmpty else { throw .invalidParameters(reading.problems) }
    try validate(reading.features, of: subject)
    set(
      .init(isPending: subject.configuration.isPending, features: reading.features), of: subject.user,
      in: subject.seeded)
    var answer = answer(with: subject.seeded, for: .user(subject.user))
    answer.assumptions += [.updateAnswer]
    return answer
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
}
