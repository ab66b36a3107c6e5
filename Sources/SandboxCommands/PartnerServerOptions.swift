import Arguments
import CommandContext
import EnvironmentVariables
import HTTP
import Hints
import Sandbox
import Secrets
import World

/// The options for a partner's server, to which the sandbox sends requests as IFTTT does.
struct PartnerServerOptions: Sendable {
  var url: WebURL?
  var serviceKeyFile: String?
  var accessTokenFile: String?
  var poll = Duration.seconds(5)

  static var flags: [Flag<PartnerServerOptions>] {
    [
      .value(
        "service-url", .serverPrefix, into: \.url,
        help: "Send requests to the partner's server at this API URL prefix, as IFTTT does"),
      .value(
        "service-key-file", .file, into: \.serviceKeyFile, defaultText: "the fixtures' key", isAdvanced: true,
        help: "Read the server's service key from this file, '-' for standard input (or set IFTTT_SERVICE_KEY)"),
      .value(
        "access-token-file", .file, into: \.accessTokenFile, defaultText: "the fixtures' token", isAdvanced: true,
        help: "Read the first user's access token from this file, '-' for standard input (or set IFTTT_ACCESS_TOKEN)"),
      .value(
        "poll", .duration, into: \.poll, defaultText: "5s", isAdvanced: true,
        help: "Time between two polls of a trigger of --service-url"
      ),
    ]
  }

  var rules: ConnectionRuntime.Rules {
    var rules = ConnectionRuntime.Rules()
    rules.pollInterval = poll
    return rules
  }

  /// The credentials for the server; nil without one.
  struct Credentials {
    let url: WebURL
    let key: Secret
    let accessToken: Secret?
  }

  /// - Throws: `refused` for options that need `--service-url`, and if neither the seed nor an option has a key.
  func credentials(for seed: SandboxSeed, in session: Session) throws -> Credentials? {
    guard let url else {
      guard serviceKeyFile == nil, accessTokenFile == nil else {
        throw Problem(
          .refused, "\(serviceKeyFile == nil ? "--access-token-file" : "--service-key-file") requires --service-url",
          hint: "Pass the API URL prefix of the partner's server with --service-url.")
      }
      return nil
    }
    let given = try session.credentials.given(.serviceKey, file: serviceKeyFile)
    guard let key = given ?? seed.credentials.flatMap({ Secret(parsing: $0.serviceKey) }), seed.credentials != nil
    else {
      throw Problem(
        .refused, "--service-url requires a service with a key in the seed file",
        hint: "Give the first service of the seed file a \"key\"; see ifttt-sandbox(7).")
    }
    return Credentials(
      url: url, key: key, accessToken: try session.credentials.given(.accessToken, file: accessTokenFile))
  }
}

extension ValueKind<WebURL> {
  fileprivate static var serverPrefix: ValueKind {
    ValueKind(ValueSchema(placeholder: "URL", completion: .none)) { (text: String) throws(ValueError) in
      let url: WebURL
      do throws(WebURLError) { url = try WebURL(parsing: text) } catch { throw ValueError(error.description) }
      guard url.query.isEmpty else { throw ValueError("it has a query; pass the API URL prefix alone") }
      return url
    }
  }
}
