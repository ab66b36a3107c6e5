package import HTTP
import JSON
import Text

/// The path segments after the first `/`. Each is decoded separately, so that an encoded `/` stays within its
/// segment.
func pathSegments(of url: WebURL) throws(ErrorResponse) -> [String] {
  var segments: [String] = []
  for segment in url.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
    guard let bytes = Percent.bytes(of: segment, plus: .literal) else {
      throw .badRequest("The path has an invalid escape")
    }
    segments.append(String(decoding: bytes, as: UTF8.self))
  }
  return segments
}

/// The value of a query parameter. If it is repeated, the last one counts. An empty value counts as present.
func parameter(_ name: String, of request: Request) -> String? {
  request.url.query.last { $0.name == name }?.value
}

/// The members of the body; nil if there is no body.
func jsonBody(of request: Request) throws(ErrorResponse) -> JSONObject? {
  guard let json = try json(of: request) else { return nil }
  guard let object = json.object else { throw .badRequest("The body is not a JSON object") }
  return object
}

func jsonList(of request: Request) throws(ErrorResponse) -> [JSONValue] {
  guard let list = try json(of: request)?.array else { throw .badRequest("The body is not a JSON array") }
  return list
}

/// The value in the body; nil if there is no body.
private func json(of request: Request) throws(ErrorResponse) -> JSONValue? {
  guard let bytes = request.body, !bytes.isEmpty else { return nil }
  let type = request.header("Content-Type")?.split(separator: ";", omittingEmptySubsequences: false).first
  guard let type, type.filter({ $0 != " " && $0 != "\t" }).lowercased() == "application/json" else {
    throw .badRequest("A body requires Content-Type: application/json")
  }
  guard let json = try? JSONValue(parsing: bytes) else { throw .badRequest("The body is not JSON") }
  return json
}

/// An id from the body, which may be a string or a whole number (docs/api/connect.md C4); nil if it is missing or null.
func identifier(_ key: String, of body: JSONObject) throws(ErrorResponse) -> String? {
  switch body[key] {
  case nil, .null: return nil
  case .string(let text): return text
  case .number(let number) where number.int != nil: return number.text
  default: throw .badRequest("\"\(key)\" must be a string")
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

  /// - Throws: The 401 response if a credential is present but not exactly right.
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
  func mayUse(_ owner: String?) throws(ErrorResponse) {
    guard service == nil || service == owner else { throw .forbidden("These credentials belong to another service") }
  }

  /// Whether unpublished items of this service are visible: to its key, and to requests with its invite code.
  func reveals(_ owner: String?, to request: Request, _ seed: SandboxSeed) -> Bool {
    guard let owner else { return false }
    if case .key(owner) = self { return true }
    guard let code = request.header("IFTTT-Invite-Code") else { return false }
    return code == seed.inviteCode(of: owner)
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
  func viewer(of request: Request, _ credential: RequestCredential) throws(ErrorResponse) -> Viewer {
    let id = parameter("user_id", of: request)
    if id?.isEmpty == true { throw .badRequest("user_id is empty") }
    switch credential {
    case .none: return .none
    case .key(let service): return viewer(id, of: service)
    case .token(let user):
      guard id == nil || id == user.id else { throw .forbidden("The token belongs to another user") }
      return .user(user)
    }
  }

  func viewer(_ id: String?, of service: String) -> Viewer {
    guard let id else { return .none }
    return user(id, of: service).map(Viewer.user) ?? .unconnected
  }
}
