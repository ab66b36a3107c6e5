import API
import Arguments
import Display
import HTTP
import JSON
import World

enum APICommand: Command {
  struct Options: Sendable {
    var method = Required<HTTP.Method>()
    var path = Required<String>()
    var fields: [FieldAssignment] = []
    var inputFile: String?
    var credentials = CredentialOptions()
  }

  static let name = "api"
  static let summary = "Send any request with this profile's credentials"
  static let group: String? = "Connections"
  static var discussion: [String] {
    [
      """
      PATH begins with /v2/ for the Connect API or /v1/ for the Applets API and may have a query. The answer's body is printed as \
      it came, whatever its status; an error status is also a failure.
      """,
      """
      Each --field becomes a parameter of the query for GET, HEAD and DELETE, and a member of a JSON object in the body \
      otherwise, always as a string. --input sends a file as it is.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeated("field", short: "f", .assignment, into: \.fields, help: "Add a parameter to the query or the body"),
      .value("input", .file, into: \.inputFile, help: "Send this file as the body, '-' for standard input"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [
      .required(
        .oneOf(HTTP.Method.self, placeholder: "METHOD"), into: \.method, help: "The request method, in capitals"),
      .required(.nonEmpty("PATH"), into: \.path, help: "The path, with the version part"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("api GET /v2/me", "whose credentials these are"),
      ExampleSchema("api POST /v2/connections/Kd7Rn2Qx/disable --dry-run", "the request that would be sent"),
    ]
  }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    guard options.inputFile != nil else { return }
    let method = options.method.value
    guard takesBody(method) else { throw Conflict("a \(method.rawValue) request has no body", options: ["input"]) }
    if !options.fields.isEmpty {
      throw Conflict("the body is either --input or --field, not both", options: ["input", "field"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let request = try request(options, session)
    if session.options.isDryRun { return session.dryRun([request]) }
    let response = try session.http.send(request)
    session.announceTokens(in: response.body)
    var output = Output(body: .bytes(response.body))
    do throws(APIFailure) { _ = try response.accepted() } catch {
      let problem = Problem(error.hiding(request.secrets), subject: "'\(options.path.value)'")
      output.verdict = { throw problem }
    }
    return output
  }

  private static func takesBody(_ method: HTTP.Method) -> Bool {
    switch method {
    case .post, .put, .patch: true
    case .get, .head, .delete: false
    }
  }

  private static func request(_ options: Options, _ session: Session) throws -> Request {
    let (method, path) = (options.method.value, options.path.value)
    let base: Base? =
      if path.hasPrefix("/v2/") { .connect } else if path.hasPrefix("/v1/") { .api } else { nil }
    guard let base else {
      throw Problem(
        .usage, "'\(path)' begins with neither /v2/ nor /v1/",
        hint: "A full URL is not taken: credentials go only to the base URL's host.")
    }
    let caller = try session.caller(base, options.credentials)
    var url: WebURL
    do throws(WebURLProblem) {
      url = try WebURL(parsing: caller.base.wire.droppingFinalSlash + path)
    } catch {
      throw Problem(
        .usage, "'\(path)' is no path that can be sent", reason: error.description,
        hint: "Write what does not belong in a path as %XX, such as %20 for a blank.")
    }
    var headers = caller.template.headers
    var body: [UInt8]?
    if takesBody(method) {
      body = try content(options, session)
      if body != nil { headers.append(Header("Content-Type", "application/json")) }
    } else {
      url = url.with(options.fields.map { QueryItem($0.name, $0.value) })
    }
    return Request(method, url, headers: headers, body: body)
  }

  private static func content(_ options: Options, _ session: Session) throws -> [UInt8]? {
    if let file = options.inputFile {
      return try session.contents(of: file, for: "--input", limit: 16 * 1024 * 1024)
    }
    guard !options.fields.isEmpty else { return nil }
    return JSONValue.object(JSONObject(members: options.fields.map { (key: $0.name, value: .string($0.value)) })).bytes
  }
}

/// `NAME=VALUE`; the value may be empty and may hold more equals signs.
struct FieldAssignment: Sendable {
  let name: String
  let value: String

  init?(parsing text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }
}

extension ValueKind<FieldAssignment> {
  static var assignment: ValueKind {
    .parsed("NAME=VALUE", expected: "NAME=VALUE") { FieldAssignment(parsing: $0) }
  }
}

extension String {
  fileprivate var droppingFinalSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
