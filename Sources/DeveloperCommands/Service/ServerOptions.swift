import CommandLine
import HTTP
import IFTTT
import Session
import Text
import World

/// The options of commands that send requests to a partner's server, which need no profile.
struct ServerOptions: Sendable {
  var url = Required<WebURL>()
  var serviceKeyFile: String?
  var accessTokenFile: String?

  static var flags: [Flag<ServerOptions>] {
    [
      .value(
        "service-key-file", .file, into: \.serviceKeyFile,
        help: "Read the service key from this file, '-' for stdin (or set IFTTT_SERVICE_KEY)"),
      .value(
        "access-token-file", .file, into: \.accessTokenFile, isAdvanced: true,
        help: "Read a user's access token from this file, '-' for stdin (or set IFTTT_ACCESS_TOKEN)"),
    ]
  }

  func serviceKey(in session: Session) throws -> Secret? {
    try session.credentials.given(.serviceKey, file: serviceKeyFile)
  }

  /// The service key, from a prompt if necessary. A dry run does without it.
  func requiredServiceKey(for purpose: String, in session: Session) throws -> Secret {
    if let key = try serviceKey(in: session) { return key }
    guard !session.options.isDryRun else { return ServiceTestPlan.wrongCredential }
    return try session.credentials.prompt(for: .serviceKey, purpose: purpose)
  }

  func accessToken(in session: Session) throws -> Secret? {
    try session.credentials.given(.accessToken, file: accessTokenFile)
  }
}

extension ValueKind<WebURL> {
  /// The URL of a page or an endpoint, which may have a query.
  static var pageURL: ValueKind {
    ValueKind(ValueSchema(placeholder: "URL", completion: .none)) { (text: String) throws(ValueError) in
      do throws(WebURLError) { return try WebURL(parsing: text) } catch { throw ValueError(error.description) }
    }
  }

  static var serverURL: ValueKind {
    ValueKind(ValueSchema(placeholder: "URL", completion: .none)) { (text: String) throws(ValueError) in
      let url: WebURL
      do throws(WebURLError) { url = try WebURL(parsing: text) } catch { throw ValueError(error.description) }
      guard url.query.isEmpty else { throw ValueError("it has a query; pass the API URL prefix alone") }
      return url
    }
  }
}

extension Session {
  /// A client for a partner's server. The first response counts, so that nothing is retried unless `--retries` is
  /// given.
  var partner: HTTPClient {
    network.server(retries: provenance.contains { $0.option == "--retries" } ? options.retries : 0)
  }
}
