package import HTTP
import JSON
import Text
import World

/// IFTTT as an OAuth client of the partner's service (docs/api/service.md §2). The client secret and the token URL are
/// known only to the program that runs the emulator.
package struct SignInRules: Sendable, Equatable {
  package let clientID: String
  /// The page of the service at which users sign in; nil to simulate it. Codes are exchanged in both cases.
  package let authorizeURL: WebURL?
  /// Random bytes, so that the state of a sign-in cannot be guessed.
  fileprivate let entropy: [UInt8]

  package init(clientID: String, authorizeURL: WebURL?, entropy: [UInt8]) {
    (self.clientID, self.authorizeURL, self.entropy) = (clientID, authorizeURL, entropy)
  }
}

/// The value that is exchanged for tokens at the token URL.
package enum TokenGrant: Sendable, Equatable {
  case code(String, redirectURI: String)
  case refreshToken(String)
}

/// The sign-ins of people who are in an activation.
///
/// A request that waits for the partner's server is evaluated several times. The table therefore stores which request
/// used a state or a code, so that a later request cannot use it again.
struct SignInTable {
  /// A sign-in that continues when the service redirects the browser back.
  struct Pending {
    let state: String
    /// The request that started it, and its path and query as received.
    let request: Request
    let target: String
    let redirectURI: String
    let start: Timestamp
    /// The key of the request that used the state.
    fileprivate(set) var usedBy: Int?
  }

  /// A sign-in whose activation continues. The ticket in the activation's forms proves it.
  struct Completed {
    let ticket: String
    let userID: String
    let name: String?
    /// Whether a code in the URL of the activation replaced the service's page.
    let isByCode: Bool
    fileprivate let request: Int
    fileprivate let end: Timestamp
  }

  private var pending: [Pending] = []
  private var completed: [Completed] = []
  /// The codes that were sent to the token URL, each with the key of the request that caused it.
  private var codes: [(code: String, request: Int)] = []

  private static let pendingLimit = 1000
  private static let completedLimit = 100
  private static let codeLimit = 10_000
  /// The time within which the service must redirect the browser back.
  private static let pendingTime = Duration.seconds(600)
  /// The time within which a person must complete the activation.
  private static let completedTime = Duration.seconds(3600)

  mutating func add(_ signIn: Pending) {
    pending.removeAll { !Self.isRecent($0.start, Self.pendingTime, at: signIn.start) }
    pending = pending.suffix(Self.pendingLimit - 1) + [signIn]
  }

  mutating func add(_ signIn: Completed) { completed = completed.suffix(Self.completedLimit - 1) + [signIn] }

  /// Use the state of a sign-in.
  ///
  /// - Parameter request: The key of the request with the state.
  /// - Returns: nil if the state is unknown, expired, or used by another request.
  mutating func use(_ state: String, by request: Int, at now: Timestamp) -> Pending? {
    guard let index = pending.firstIndex(where: { $0.state == state }) else { return nil }
    if pending[index].usedBy == nil, Self.isRecent(pending[index].start, Self.pendingTime, at: now) {
      pending[index].usedBy = request
    }
    return pending[index].usedBy == request ? pending[index] : nil
  }

  /// Use a code.
  /// - Returns: Whether no other request has used it.
  mutating func use(code: String, by request: Int) -> Bool {
    if let known = codes.first(where: { $0.code == code }) { return known.request == request }
    codes = codes.suffix(Self.codeLimit - 1) + [(code, request)]
    return true
  }

  func completed(by request: Int) -> Completed? { completed.first { $0.request == request } }

  func completed(_ ticket: String, at now: Timestamp) -> Completed? {
    completed.first { $0.ticket == ticket && Self.isRecent($0.end, Self.completedTime, at: now) }
  }

  /// A clock that was set back makes a sign-in old.
  private static func isRecent(_ time: Timestamp, _ limit: Duration, at now: Timestamp) -> Bool {
    time <= now && now < time + limit
  }

  /// The tickets, which the pages of an activation contain.
  var secrets: [Secret] { completed.compactMap { Secret(parsing: $0.ticket) } }
}

/// A user of the service as `user/info` describes it, with the tokens of the sign-in.
struct ServiceIdentity {
  let id: String
  let name: String?
  let tokens: (access: String, refresh: String?)
}

/// A sign-in that failed.
struct SignInFailure: Error {
  /// The reason, for people, with credentials masked.
  let reason: String
  /// Whether the log has a request that failed for this reason.
  var isRecorded = false
}

extension ConnectionRuntime {
  /// Remember a sign-in that continues at the service's page.
  ///
  /// - Parameter request: The request with which the activation continues afterwards.
  /// - Returns: The URL of the page with a state that cannot be guessed; nil if the step is simulated.
  mutating func startSignIn(
    _ request: Request, target: String, redirectURI: String, at now: Timestamp
  ) -> WebURL? {
    guard let signIn = rules.signIn, let page = signIn.authorizeURL else { return nil }
    let state = makeTicket()
    signIns.add(.init(state: state, request: request, target: target, redirectURI: redirectURI, start: now))
    return page.with([
      QueryItem("client_id", signIn.clientID), QueryItem("response_type", "code"), QueryItem("scope", "ifttt"),
      QueryItem("state", state), QueryItem("redirect_uri", redirectURI),
    ])
  }

  /// Store the tokens of a user who has signed in. A repeated evaluation of the same request returns the same sign-in.
  mutating func completeSignIn(
    _ identity: ServiceIdentity, isByCode: Bool, by request: Int, at now: Timestamp
  ) -> SignInTable.Completed {
    if let known = signIns.completed(by: request) { return known }
    credentials.signIn(identity.tokens, of: identity.id)
    let signIn = SignInTable.Completed(
      ticket: makeTicket(), userID: identity.id, name: identity.name, isByCode: isByCode, request: request, end: now)
    signIns.add(signIn)
    return signIn
  }

  /// Create a word that cannot be guessed. It is never created again, not even after a reset.
  private mutating func makeTicket() -> String {
    SHA256.hash((rules.signIn?.entropy ?? []) + Array(" \(makeID())".utf8)).hex
  }

  /// Record a sign-in that failed without a request to the server.
  ///
  /// - Parameter causeKey: The key of the entry of the request that failed.
  mutating func recordFailedSignIn(
    _ reason: String, in connection: String?, causedBy causeKey: Int?, at now: Timestamp
  ) {
    var record = ActivityRecord(.failed, .request, at: now)
    (record.connection, record.detail) = (connection, "sign-in: \(reason)")
    add(record, causedBy: causeKey)
  }

  /// Record the exchange of a code. If it succeeds, the step follows with the user.
  mutating func recordExchange(_ completed: CompletedCall, at now: Timestamp) {
    let response = completed.response
    credentials.hide(response.allTokens + [completed.call.code].compactMap(\.self))
    guard response.tokens == nil else { return addRequest(of: completed, at: now) }
    var record = ActivityRecord(.failed, .request, at: now)
    (record.connection, record.status) = (completed.call.connection, response.status)
    record.detail = "sign-in: \(response.exchangeProblem)"
    add(record, for: completed)
  }

  /// Record the response of `user/info` after a sign-in.
  mutating func recordIdentity(_ completed: CompletedCall, at now: Timestamp) {
    let (call, response) = (completed.call, completed.response)
    let user = response.user
    var record = ActivityRecord(user == nil ? .failed : .signedIn, .request, at: now)
    (record.connection, record.user, record.endpoint) = (call.connection, user?.id, call.endpoint)
    (record.status, record.detail) = (response.status, user == nil ? "sign-in: \(response.userProblem)" : user?.name)
    add(record, for: completed)
  }
}

extension PartnerCall {
  /// The code that the request exchanges; nil for any other request.
  var code: String? { if case .code(let code, _)? = grant { code } else { nil } }
}

extension PartnerResponse {
  /// The maximum length of a user's id (docs/api/service.md §3).
  private static let idLimit = 200

  /// The user in a response of `user/info`.
  var user: (id: String, name: String?)? {
    guard let id = data?["id"]?.string, !id.isEmpty, id.unicodeScalars.count <= Self.idLimit else { return nil }
    return (id, data?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The reason why a response to the exchange of a code has no tokens, for people.
  var exchangeProblem: String { problem(of: "the token URL", missing: "has no access_token") }

  /// The reason why a response of `user/info` names no user, for people.
  var userProblem: String {
    problem(of: "user/info", missing: "has no id that is a text of 1 to \(Self.idLimit) characters")
  }

  private func problem(of endpoint: String, missing: String) -> String {
    switch self {
    case .failure(let reason): "\(endpoint) failed: \(reason)"
    case .response(200, _): "\(endpoint) responded with 200, but the response \(missing)"
    case .response(let status, _): "\(endpoint) responded with \(status)" + (errorText.map { ": \($0)" } ?? "")
    }
  }
}
