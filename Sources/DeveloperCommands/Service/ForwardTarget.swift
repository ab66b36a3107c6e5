import CommandLine
package import HTTP
package import IFTTT
import Session
package import Store
package import Text

/// The options that select a server to forward webhooks to.
struct ForwardOptions: Sendable {
  var url: String?
  var sendsKey = false
  var serviceKeyFile: String?

  static var flags: [Flag<ForwardOptions>] {
    [
      .value(
        "forward", .forwardURL, into: \.url,
        help: "Forward each webhook to the server with this API URL; /ifttt/v1 is added unless present"),
      .toggle(
        "forward-key", into: \.sendsKey, isAdvanced: true,
        help: "Send the service key to the --forward server even if it is not on this machine"),
      .credentialFile(.serviceKey, into: \.serviceKeyFile, isAdvanced: true),
    ]
  }

  /// - Returns: The target; nil without `--forward`.
  /// - Throws: `usage` for an invalid URL; `network` for a server on another machine with `--offline`.
  func target(key: Secret?, in session: Session) throws -> ForwardTarget? {
    guard let url else { return nil }
    let parsed = try session.network.plainHTTP.url(url, of: "--forward")
    let target = ForwardTarget(ServiceURL(prefix: parsed), key: key, sendsKey: sendsKey)
    guard target.isOnThisMachine || !session.options.isOffline else {
      throw Problem(
        .network, "webhooks cannot be forwarded to \(parsed.origin)", reason: "--offline was passed",
        hint: "Omit --offline to use the network.")
    }
    return target
  }
}

extension ValueKind<String> {
  fileprivate static var forwardURL: ValueKind {
    ValueKind(ValueSchema(placeholder: "URL")) { (text: String) throws(ValueError) in
      let text = WebURL.completed(text)
      try WebURL.checkBase(text)
      return text
    }
  }
}

/// A server that webhooks are forwarded to.
package struct ForwardTarget: Sendable {
  /// The address up to `/ifttt/v1`.
  let url: ServiceURL
  /// The service key, if it is sent.
  let key: Secret?

  /// - Parameter sendsKey: Whether the key is also sent to another machine.
  package init(_ url: ServiceURL, key: Secret?, sendsKey: Bool) {
    self.url = url
    self.key = sendsKey || url.base.isLoopback ? key : nil
  }

  /// The name of the server in the store.
  var name: String { url.base.wire }

  /// The scheme, the host and the port, for messages.
  var origin: String { url.base.origin }

  var isOnThisMachine: Bool { url.base.isLoopback }

  /// The webhook as IFTTT sent it: the same path below `/ifttt/v1`, header fields and body.
  package func request(for webhook: ReceivedWebhook) -> Request {
    let headers = webhook.headers.filter { !Self.isDropped($0.name) }.map {
      Header($0.name, $0.value)
    }
    // The receiver can recognize a repetition by its X-Request-ID.
    var request = Request(
      .post, url.endpoint(ServicePath("webhooks", webhook.type, webhook.event)),
      headers: headers + (key.map { ServiceCredential.serviceKey($0).headers } ?? []), body: webhook.body,
      isRepeatable: true)
    request.needsStatusAlone = true
    return request
  }

  /// Whether a header field belongs to the connection to this program, and is not forwarded.
  private static func isDropped(_ name: String) -> Bool {
    Header.isOfConnection(name) || name.isSame(ignoringASCIICase: "proxy-connection")
  }
}
