/// A page for the user to open in the browser, and the redirect to wait for.
public struct RedirectRequest: Sendable, Equatable {
  /// The URL that the browser opens.
  public var url: String
  /// The redirect URI: one bound with ``PluginHost/bindRedirect(_:path:)``, or one with a custom scheme, for which
  /// the user pastes the address.
  public var redirectURI: String
  /// The expected `state`. Redirects with any other value are ignored.
  public var state: String
  /// The issuer that the redirect may name (RFC 9207); nil if none is expected.
  public var issuer: String?
  /// Whether to open the browser; otherwise the address is only printed.
  public var opensBrowser = true
  /// The timeout of the whole wait.
  public var timeout: Duration = .seconds(300)
  /// The service name for the page that the browser ends on.
  public var serviceName: String?

  /// Creates a request with default values for the other properties.
  public init(url: String, redirectURI: String, state: String) {
    (self.url, self.redirectURI, self.state) = (url, redirectURI, state)
  }

  /// The parameters of `redirect/open`.
  public var params: Value {
    [
      "url": Value(url), "redirect_uri": Value(redirectURI), "state": Value(state), "iss": Value(issuer),
      "open_browser": Value(opensBrowser), "timeout_ms": Value(timeout.milliseconds),
      "service_name": Value(serviceName), "single_use": true,
    ]
  }
}

/// The redirect that was received.
public struct RedirectResult: Sendable, Equatable {
  /// How a redirect arrives: at the listener, or pasted by the user.
  public enum Way: String, Sendable { case listener, paste }

  /// The URI that was redirected to.
  public var redirectURI: String
  /// The query after the `?`, not decoded.
  public var query: String
  /// How the redirect arrived.
  public var way: Way

  /// Creates a result.
  public init(redirectURI: String, query: String, way: Way) {
    (self.redirectURI, self.query, self.way) = (redirectURI, query, way)
  }
}

// The user's browser and input, accessed through the program.
extension PluginHost {
  /// Listens on this machine for a redirect of the browser.
  /// - Parameter uri: a loopback address with the port to listen on, `http://127.0.0.1:8765/callback`; port 0, or
  ///   nil, for any free port of 127.0.0.1.
  /// - Returns: the address with its port.
  public func bindRedirect(_ uri: String? = nil, path: String = "/callback") throws -> String {
    let answer = try request("redirect/bind", ["redirect_uri": Value(uri), "path": Value(path)])
    guard let bound = answer["redirect_uri"]?.string else { throw PluginError("bad_response", "no address was bound") }
    return bound
  }

  /// Opens the page and waits for the redirect, from the browser or pasted. The request's timeout is paused
  /// meanwhile.
  public func openRedirect(_ request: RedirectRequest) throws -> RedirectResult {
    let answer = try self.request("redirect/open", request.params)
    return RedirectResult(
      redirectURI: answer["redirect_uri"]?.string ?? request.redirectURI, query: answer["query"]?.string ?? "",
      way: answer["via"]?.string.flatMap(RedirectResult.Way.init(rawValue:)) ?? .listener)
  }

  /// Reports the outcome to the browser page, which is still loading.
  /// - Parameter message: one more sentence; nil for none.
  public func finishRedirect(succeeded: Bool, _ message: String? = nil) throws {
    _ = try request(
      "redirect/finish", ["outcome": succeeded ? "success" : "failure", "message": Value(message)])
  }

  /// Prompts for a line, without echo if it is secret.
  /// - Throws: ``PluginError`` with `refused` if the user cannot be prompted.
  public func prompt(_ message: String, secret: Bool = false) throws -> String {
    try request("prompt", ["message": Value(message), "secret": Value(secret)])["value"]?.string ?? ""
  }

  /// Reads the program's stdin to its end, for an option whose value is `-`.
  /// - Parameter limit: the limit in bytes; at most 1 MiB.
  public func readInput(limit: Int = 65_536) throws -> String {
    try request("input/read", ["limit": Value(limit)])["text"]?.string ?? ""
  }

  /// Opens a page without waiting.
  /// - Returns: false if there is no display.
  public func openBrowser(_ url: String) throws -> Bool {
    try request("browser/open", ["url": Value(url)])["opened"]?.bool ?? false
  }

  /// Waits while the user acts elsewhere, for example types a code on another device. The request's timeout is paused
  /// meanwhile.
  /// - Throws: ``PluginError`` with `refused` in unattended requests: lists, details, completion.
  public func waitForPerson(_ time: Duration) throws {
    _ = try request("wait", ["timeout_ms": Value(time.milliseconds)])
  }

  /// Asks the user to confirm. With `--yes` the result is true.
  public func confirm(_ message: String) throws -> Bool {
    try request("confirm", ["message": Value(message)])["yes"]?.bool ?? false
  }
}
