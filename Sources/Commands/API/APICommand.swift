import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Session
import Text
import World

enum APICommand: Command {
  struct Options: CommandOptions {
    var method: HTTP.Method?
    var path = Required<String>()
    var fields: [RequestField] = []
    var headers: [Header] = []
    var inputFile: String?
    var credentials = CredentialOptions()
    var sentMethod: HTTP.Method { method ?? .get }
    var hasContentType: Bool { headers.contains { $0.name.isSame(ignoringASCIICase: "content-type") } }
  }

  static let name = "api"
  static let summary = "Send any request with this profile's credentials"
  static let group: String? = "Connections"
  static var discussion: [String] {
    [
      """
      METHOD defaults to GET. PATH begins with v2/ for the Connect API or v1/ for the Applets API, with or without a \
      leading slash, and may include a query string. The response's body is printed for every status, followed by a \
      newline if it lacks one. If the response is an error, the command fails.
      """,
      """
      With GET, HEAD and DELETE, each field becomes a query parameter; with other methods, a member of the JSON body. \
      --field sends a string. --typed-field sends true, false, null and numbers as JSON values, and @FILE as the \
      contents of the file ('@-' reads stdin). --input sends a file as the body.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeated("field", short: "f", .stringField, into: \.fields, help: "Add a string to the query or the body"),
      .repeated(
        "typed-field", short: "F", .typedField, into: \.fields,
        help: "Add a number, true, false, null, a file (@FILE) or a string to the query or the body"),
      .repeated("header", short: "H", .requestHeader, into: \.headers, help: "Add a header to the request"),
      .value(
        "method", short: "X", .httpMethod, into: \.method, help: "Request method, an alternative to the argument METHOD"
      ),
      .value("input", .file, into: \.inputFile, help: "Send a file as the body; '-' reads stdin"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [
      .optional(.httpMethod, into: \.method, help: "Request method, case-insensitive (default: GET)"),
      .required(.nonEmpty("PATH"), into: \.path, help: "Path, including the version part"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("api v2/me", "show the owner of the credentials"),
      ExampleSchema("api POST /v2/connections/Kd7Rn2Qx/disable --dry-run", "show the request without sending it"),
      ExampleSchema("api PUT v2/x -f name=Rain -F count=3 --dry-run --json", "show a request with a JSON body"),
    ]
  }

  static func check(_ options: Options) throws(Conflict) {
    guard options.inputFile != nil else { return }
    let method = options.sentMethod
    guard canHaveBody(method) else {
      throw Conflict("a \(method.rawValue) request cannot have a body", options: ["input"])
    }
    if !options.fields.isEmpty {
      throw Conflict(
        "--input cannot be combined with --field or --typed-field", options: ["input", "field", "typed-field"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (request, credential) = try request(options, session)
    if session.options.isDryRun { return session.dryRun([request]) }
    var response = try session.network.http.send(request)
    session.console.announceTokens(in: response.body)
    let failure = response.printedError()
    // Move the body instead of copying it, because it may be large.
    var body: [UInt8] = []
    swap(&body, &response.body)
    if let last = body.last, last != UInt8(ascii: "\n") { body.append(UInt8(ascii: "\n")) }
    var output = Output.bytes(body)
    if let failure = try failure?.hiding(request.secrets + session.network.http.otherSecrets()) {
      let path = RequestedPath(options.path.value)
      var problem = Problem(failure.sent(with: credential), subject: "'\(path.text)'")
      if problem.code == .notFound, !path.isKnown { problem.hint = RequestedPath.advice }
      output.verdict = { throw problem }
    }
    return output
  }

  private static func canHaveBody(_ method: HTTP.Method) -> Bool {
    switch method {
    case .post, .put, .patch: true
    case .get, .head, .delete: false
    }
  }

  private static func request(_ options: Options, _ session: Session) throws -> (Request, SentCredential?) {
    let (method, path) = (options.sentMethod, RequestedPath(options.path.value))
    guard let base = path.base else { throw path.problem }
    let caller = try session.network.caller(base, session.credentials.locate(options.credentials))
    var url: WebURL
    do throws(WebURLError) {
      let base = caller.template.base
      url = try WebURL(parsing: base.wire.droppingFinalSlash + path.text, allowing: base.plainHosts)
    } catch {
      throw Problem(
        .usage, "'\(path.text)' is not a valid path", reason: error.description,
        hint: "Percent-encode characters that a path cannot contain, such as a space as %20.")
    }
    var headers = caller.template.headers.filter { header in
      !options.headers.contains { $0.name.isSame(ignoringASCIICase: header.name) }
    }
    headers += options.headers
    var body: [UInt8]?
    if canHaveBody(method) {
      body = try requestBody(options, session)
      if body != nil, !options.hasContentType {
        headers.append(Header("Content-Type", "application/json"))
      }
    } else {
      url = url.with(try options.fields.map { QueryItem($0.name, try $0.text(in: session)) })
    }
    return (Request(method, url, headers: headers, body: body), caller.template.credential)
  }

  private static func requestBody(_ options: Options, _ session: Session) throws -> [UInt8]? {
    if let file = options.inputFile {
      // The body is JSON, which is text, unless a header gives another type.
      return try options.hasContentType
        ? session.console.contents(of: file, for: "--input", limit: RequestField.limit)
        : session.console.text(of: file, for: "--input", limit: RequestField.limit)
    }
    guard !options.fields.isEmpty else { return nil }
    let members = try options.fields.map { (key: $0.name, value: try $0.json(in: session)) }
    return JSONValue.object(JSONObject(members: members)).bytes
  }
}

extension String {
  fileprivate var droppingFinalSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

/// The path argument of `ifttt api`, with the API that it belongs to.
struct RequestedPath {
  /// The path with a leading slash.
  let text: String

  init(_ typed: String) {
    text = ["v1/", "v2/"].contains { typed.hasPrefix($0) } ? "/" + typed : typed
  }

  var base: BaseURL? {
    if text.hasPrefix("/v2/") { .connect } else if text.hasPrefix("/v1/") { .api } else { nil }
  }

  /// Why no base URL could be determined.
  var problem: Problem {
    if requestMethod(text) != nil {
      return Problem(.usage, "the path is missing", hint: "Add it: \(ifttt: "api \(text.uppercased()) v2/me").")
    }
    let isURL = text.includes("://") || text.hasPrefix("//") || text.contains("@")
    return Problem(
      .usage, "'\(text)' does not begin with /v2/ or /v1/",
      hint: isURL
        ? "Pass only the path, such as /v2/me: credentials are sent only to the base URL's host."
        : "Begin the path with v2/ for the Connect API (such as v2/me) or v1/ for the Applets API.")
  }

  static let advice: Hint =
    "Check the path: IFTTT documents v2/me, v2/user_token, v2/connections/ID and v1/services/SERVICE/applets."

  /// The paths that IFTTT documents; `*` stands for one segment, and `**` at the end for one or more.
  private static let known = [
    "v2/me", "v2/user_token", "v2/provisional_access_code", "v2/account/find", "v2/sdk/events", "v2/connections/*",
    "v2/connections/*/enable", "v2/connections/*/disable", "v2/connections/*/user_connection",
    "v2/connections/*/user_connection/refresh", "v2/connections/*/features/**", "v2/connections/*/triggers/**",
    "v2/connections/*/queries/**", "v2/connections/*/actions/**", "v1/me", "v1/account/find", "v1/location_events",
    "v1/services/*/user_token", "v1/services/*/applets", "v1/services/*/applets/*", "v1/services/*/applets/*/enable",
    "v1/services/*/applets/*/disable",
  ].map { $0.split(separator: "/") }

  var isKnown: Bool {
    let parts = text.prefix { $0 != "?" }.split(separator: "/")
    return Self.known.contains { pattern in
      if pattern.last == "**" {
        return parts.count >= pattern.count && zip(pattern.dropLast(), parts).allSatisfy { $0 == "*" || $0 == $1 }
      }
      return parts.count == pattern.count && zip(pattern, parts).allSatisfy { $0 == "*" || $0 == $1 }
    }
  }
}

/// A typed or untyped field of `ifttt api`.
struct RequestField: Sendable {
  enum Value: Sendable {
    case string(String)
    /// A number, `true`, `false` or `null`, as it was typed.
    case literal(JSONValue, String)
    case file(String)
  }

  let name: String
  let value: Value

  /// The maximum size of a file that is sent, in bytes.
  static let limit = 16 << 20

  init?(string text: String) {
    guard let field = FieldAssignment(parsing: text) else { return nil }
    (name, value) = (field.name, .string(field.value))
  }

  init?(typed text: String) {
    guard let field = FieldAssignment(parsing: text) else { return nil }
    let value = field.value
    name = field.name
    if value.hasPrefix("@") {
      guard value.utf8.count > 1 else { return nil }
      self.value = .file(String(value.dropFirst()))
      return
    }
    switch try? JSONValue(parsing: Array(value.utf8)) {
    case .some(let literal) where literal.string == nil && literal.array == nil && literal.object == nil:
      self.value = .literal(literal, value)
    default: self.value = .string(value)
    }
  }

  func json(in session: Session) throws -> JSONValue {
    if case .literal(let value, _) = value { return value }
    return .string(try text(in: session))
  }

  /// The value as a query parameter. A query has no types, so null becomes an empty string.
  func text(in session: Session) throws -> String {
    switch value {
    case .string(let text): return text
    case .literal(.null, _): return ""
    case .literal(_, let text): return text
    case .file(let file):
      let bytes = try session.console.text(of: file, for: "--typed-field", limit: Self.limit)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Problem(
          .refused, "'\(file)' is not UTF-8 text", reason: "a field must be text",
          hint: "Send the file as the whole body: --input \(file)")
      }
      return text
    }
  }
}

extension ValueKind<RequestField> {
  static var stringField: ValueKind {
    .parsed("NAME=VALUE", expected: "NAME=VALUE") { RequestField(string: $0) }
  }
  static var typedField: ValueKind {
    .parsed("NAME=VALUE", expected: "NAME=VALUE or NAME=@FILE") { RequestField(typed: $0) }
  }
}

/// The request method with this name, ignoring case.
func requestMethod(_ text: String) -> HTTP.Method? { HTTP.Method(rawValue: text.uppercased()) }

extension ValueKind<HTTP.Method> {
  static var httpMethod: ValueKind {
    let names = HTTP.Method.allCases.map(\.rawValue)
    let choices = names.map { Choice($0, nil) }
    return ValueKind(ValueSchema(placeholder: "METHOD", completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      guard let method = requestMethod(text) else { throw ValueError("", accepted: names) }
      return method
    }
  }
}
