import Arguments
import CommandContext
import EnvironmentVariables
import HTTP
import Hints
import Secrets
import ServiceAPI
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
        help: "Read the service key from this file, '-' for standard input (or set IFTTT_SERVICE_KEY)"),
      .value(
        "access-token-file", .file, into: \.accessTokenFile,
        help: "Read a user's access token from this file, '-' for standard input (or set IFTTT_ACCESS_TOKEN)"),
    ]
  }

  /// The number of retries by default: a test must show the first response.
  static let retries = 0

  static func retriesFlag<Options>(into path: @autoclosure @escaping OptionKeyPath<Options, Int>) -> Flag<Options> {
    .value(
      "retries", .integer(in: 0...100), into: path(), defaultText: "\(retries)", isAdvanced: true,
      help: "Maximum number of retries for idempotent requests")
  }

  func serviceKey(in session: Session) throws -> Secret? {
    try session.credentials.given(.serviceKey, file: serviceKeyFile)
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
