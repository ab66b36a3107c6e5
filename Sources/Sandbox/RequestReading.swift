package import HTTP
import JSON
import Text
import World

/// A request to the API, with the credential, the body and the time that its endpoint needs.
struct APIRequest {
  let http: Request
  let version: APIVersion
  let credential: RequestCredential
  /// The members of the body; nil if there is none.
  let body: JSONObject?
  let now: Timestamp

  /// Whether unpublished items of this service are visible: to its key, and to requests with its invite code.
  func reveals(_ owner: String?, _ seed: SandboxSeed) -> Bool {
    guard let owner else { return false }
    if case .key(owner) = credential { return true }
    guard let code = http.header("IFTTT-Invite-Code") else { return false }
    return code == seed.inviteCode(of: owner)
  }
}

extension WebURL {
  /// The path segments after the first `/`. Each is decoded separately, so that an encoded `/` stays within its
  /// segment.
  func pathSegments() throws(ErrorResponse) -> [String] {
    var segments: [String] = []
    for segment in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
      guard let bytes = Percent.bytes(of: segment, plus: .literal) else {
        throw .badRequest("The path has an invalid escape")
      }
      segments.append(String(decoding: bytes, as: UTF8.self))
    }
    return segments
  }
}

extension Request {
  /// The value of a query parameter. If it is repeated, the last one counts. An empty value counts as present.
  func parameter(_ name: String) -> String? { url.query.last { $0.name == name }?.value }

  /// The members of the body; nil if there is no body.
  func jsonBody() throws(ErrorResponse) -> JSONObject? {
    guard let json = try json() else { return nil }
    guard let object = json.object else { throw .badRequest("The body is not a JSON object") }
    return object
  }

  func jsonList() throws(ErrorResponse) -> [JSONValue] {
    guard let list = try json()?.array else { throw .badRequest("The body is not a JSON array") }
    return list
  }

  /// The value in the body; nil if there is no body.
  private func json() throws(ErrorResponse) -> JSONValue? {
    guard let bytes = body, !bytes.isEmpty else { return nil }
    let type = header("Content-Type")?.split(separator: ";", omittingEmptySubsequences: false).first
    guard let type, type.filter({ $0 != " " && $0 != "\t" }).lowercased() == "application/json" else {
      throw .badRequest("A body requires Content-Type: application/json")
    }
    guard let json = try? JSONValue(parsing: bytes) else { throw .badRequest("The body is not JSON") }
    return json
  }
}

extension JSONObject {
  /// An id, which may be a string or a whole number (docs/api/connect.md C4); nil if it is missing or null.
  func identifier(_ key: String) throws(ErrorResponse) -> String? {
    switch self[key] {
    case nil, .null: return nil
    case .string(let text): return text
    case .number(let number) where number.int != nil: return number.text
    default: throw .badRequest("\"\(key)\" must be a string")
    }
  }
}

extension Request {
  /// Create a request from what a server received: the target's path unchanged, its query decoded, and all values as
  /// plain text.
  ///
  /// Nil for a method that is not used in requests to IFTTT.
  package init?(receivedMethod method: String, target: String, headers: [Header], body: [UInt8]) {
    guard let method = Method(rawValue: method) else { return nil }
    let bytes = target.utf8
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    let query = end == bytes.endIndex ? [] : queryItems(bytes[bytes.index(after: end)...])
    // Treat HEAD as GET and have the server omit the body, because only then is its length known.
    self.init(
      method == .head ? .get : method,
      WebURL(scheme: "http", host: "127.0.0.1", port: nil, path: String(target[..<end]), query: query),
      headers: headers, body: body.isEmpty ? nil : body)
  }
}

/// The items of a submitted form (URL Standard, section 5.1).
func formItems(_ body: [UInt8]) -> [QueryItem] { queryItems(Substring(String(decoding: body, as: UTF8.self)).utf8) }

/// The items of a query, parsed like a form: separated by `&`, with `+` for a space. An invalid escape is left
/// unchanged.
private func queryItems(_ text: Substring.UTF8View) -> [QueryItem] {
  text.split(separator: UInt8(ascii: "&")).map { item in
    let halves = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let texts = halves.map { Percent.decodeQuery(Substring($0)) }
    return QueryItem(texts[0], texts.count == 2 ? texts[1] : "")
  }
}

/// The credential of a request. A user token takes precedence over a service key (docs/api/connect.md U28).
enum RequestCredential {
  case none
  /// A service key, with the slug of its service.
  case key(String)
  case token(SandboxFixtures.User)

  /// - Throws: The 401 response if a credential is present but invalid.
  init(
    of request: Request, in state: SandboxState, _ seed: SandboxSeed, _ users: [SandboxFixtures.User]
  ) throws(ErrorResponse) {
    if let authorization = request.header("Authorization") {
      let scheme = "Bearer "
      let token = String(Substring(authorization.utf8.dropFirst(scheme.utf8.count)))
      guard authorization.utf8.starts(with: scheme.utf8),
        let user = state.user(
          ofToken: token, among: users) ?? seed.generatedUser(ofToken: token)
      else { throw .unauthorized() }
      self = .token(user)
    } else if let key = request.header("IFTTT-Service-Key") {
      guard let service = seed.service(ofKey: key) else { throw .unauthorized() }
      self = .key(service)
    } else {
      self = .none
    }
  }

  /// The partner service that the credential belongs to.
  var service: String? {
    switch self {
    case .none: nil
    case .key(let service): service
    case .token(let user): user.service
    }
  }

  /// Throw an error if the owner is a different service. Anonymous requests have no service, so they pass.
  func checkAccess(to owner: String?) throws(ErrorResponse) {
    guard service == nil || service == owner else { throw .forbidden("These credentials belong to another service") }
  }
}

/// The user for whom a response is rendered.
enum Viewer {
  /// No user: an anonymous request, or a service's request without a user.
  case none
  /// A service's user that is unknown to IFTTT.
  case unconnected
  case user(SandboxFixtures.User)

  var user: SandboxFixtures.User? {
    if case .user(let user) = self { user } else { nil }
  }
}

extension Emulator {
  /// The viewer of a GET request, from its key or token and the query's `user_id`.
  func viewer(of request: APIRequest) throws(ErrorResponse) -> Viewer {
    let id = request.http.parameter("user_id")
    if id?.isEmpty == true { throw .badRequest("user_id is empty") }
    return try viewer(named: id, request.credential)
  }

  /// The viewer of a request that is made on behalf of a user: the one of its token, or the one that a request with a
  /// service key must name.
  func requiredViewer(named id: String?, _ credential: RequestCredential) throws(ErrorResponse) -> Viewer {
    switch credential {
    case .none: throw .unauthorized()
    case .key where id?.isEmpty ?? true: throw .badRequest("user_id is missing")
    case .key, .token: return try viewer(named: id, credential)
    }
  }

  private func viewer(named id: String?, _ credential: RequestCredential) throws(ErrorResponse) -> Viewer {
    switch credential {
    case .none: return .none
    case .key(let service):
      guard let id else { return .none }
      return user(id, of: service).map(Viewer.user) ?? .unconnected
    case .token(let user):
      guard id == nil || id == user.id else { throw .forbidden("The token belongs to another user") }
      return .user(user)
    }
  }
}
