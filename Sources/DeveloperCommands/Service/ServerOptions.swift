import CommandLine
import HTTP
import IFTTT
import Session
import Text
import World

/// The options of commands that send requests to a partner's server, which need no profile.
struct ServerOptions: Sendable {
  var url = Required<String>()
  var serviceKeyFile: String?
  var accessTokenFile: String?

  static var flags: [Flag<ServerOptions>] {
    let flags: [Flag<ServerOptions>] = [
      .credentialFile(.serviceKey, into: \.serviceKeyFile),
      .credentialFile(
        .accessToken, into: \.accessTokenFile, description: "a user's access token", isAdvanced: true),
    ]
    return flags.grouped(under: CredentialOptions.heading)
  }

  /// A client for the server. Nothing is retried unless `--retries` is passed, because the first response is the
  /// result.
  static func client(in session: Session) -> HTTPClient {
    let isPassed = session.provenance.contains { $0.option == "--retries" }
    return session.network.server(retries: isPassed ? session.options.retries : 0)
  }

  /// - Throws: `usage` for plain http to a host that is not allowed.
  func url(in session: Session) throws -> ServiceURL {
    ServiceURL(prefix: try session.network.plainHTTP.url(url.value, of: "URL"))
  }

  func serviceKey(in session: Session) throws -> Secret? {
    try session.credentials.given(.serviceKey, file: serviceKeyFile)
  }

  /// The service key, from a prompt if necessary. A dry run does without it.
  /// - Parameter others: what else the command needs.
  func requiredServiceKey(
    for purpose: String, with others: [CredentialNeed] = [], in session: Session
  ) throws -> Secret {
    if session.options.isDryRun { return try serviceKey(in: session) ?? ServiceTestPlan.wrongCredential }
    let key = CredentialNeed.secret(.serviceKey, file: serviceKeyFile, isOfProfile: false)
    try session.credentials.require([key] + others, for: purpose)
    return try session.credentials.required(
      .serviceKey, file: serviceKeyFile, for: purpose, isOfProfile: false)
  }

  func accessToken(in session: Session) throws -> Secret? {
    try session.credentials.given(.accessToken, file: accessTokenFile)
  }
}

/// URLs of servers, which need no `http://` on this machine: `localhost:3000`. The session checks plain http.
extension ValueKind<String> {
  /// The URL of a page or an endpoint, which may have a query.
  static var pageURL: ValueKind { url(mayHaveQuery: true) }

  /// The API URL prefix of a partner's server, which has no query.
  static var serverURL: ValueKind { url(mayHaveQuery: false) }

  private static func url(mayHaveQuery: Bool) -> ValueKind {
    ValueKind(ValueSchema(placeholder: "URL", completion: .none)) { (text: String) throws(ValueError) in
      let text = WebURL.completed(text)
      let url: WebURL
      do throws(WebURLError) { url = try WebURL.beforeHostCheck(text) } catch { throw ValueError(error.description) }
      guard mayHaveQuery || url.query.isEmpty else {
        throw ValueError("it has a query; pass the API URL prefix alone")
      }
      return text
    }
  }
}
