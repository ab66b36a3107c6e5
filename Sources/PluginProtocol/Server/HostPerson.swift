/// A page that a person is to go through in the browser, and the return that is waited for.
public struct RedirectRequest: Sendable, Equatable {
  /// What the browser opens.
  public var url: String
  /// Bound with ``PluginHost/bindRedirect(_:path:)``, or with a scheme of its own: then the address is pasted.
  public var redirectURI: String
  /// A return without exactly this `state` is none.
  public var state: String
  /// The issuer that the return may name (RFC 9207); nil where none is expected.
  public var issuer: String?
  /// Whether the browser is opened; else the address is only printed.
  public var opensBrowser = true
  /// Of the whole wait.
  public var timeout: Duration = .seconds(300)
  /// For the page that the browser ends on.
  public var serviceName: String?

  /// The rest has values that suit most.
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

/// How the browser came back.
public struct RedirectResult: Sendable, Equatable {
  /// By itself, or by hand.
  public enum Way: String, Sendable { case listener, paste }

  /// Where it came back to.
  public var redirectURI: String
  /// As it came, behind the `?`: nothing is decoded.
  public var query: String
  /// How the return was had.
  public var way: Way

  /// A return as if it had been received.
  public init(redirectURI: String, query: String, way: Way) {
    (self.redirectURI, self.query, self.way) = (redirectURI, query, way)
  }
}

// A person's browser and answers, had through the program.
extension PluginHost {
  /// Listens on this machine for a browser's return.
  /// - Parameter uri: a loopback address with the port to listen at, `http://127.0.0.1:8765/callback`; port 0, or nil, for
  ///   any free port of 127.0.0.1.
  /// - Returns: the address with its port.
  public func bindRedirect(_ uri: String? = nil, path: String = "/callback") throws -> String {
    let answer = try ask("redirect/bind", ["redirect_uri": Value(uri), "path": Value(path)])
    guard let bound = answer["redirect_uri"]?.string else { throw PluginError("bad_response", "no address was bound") }
    return bound
  }

  /// Opens the page and waits for the return, from the browser or pasted. The request's time stands still meanwhile.
  public func openRedirect(_ request: RedirectRequest) throws -> RedirectResult {
    let answer = try ask("redirect/open", request.params)
    return RedirectResult(
      redirectURI: answer["redirect_uri"]?.string ?? request.redirectURI, query: answer["query"]?.string ?? "",
      way: answer["via"]?.string.flatMap(RedirectResult.Way.init(rawValue:)) ?? .listener)
  }

  /// What the browser's page, which waits for it, says of the end.
  /// - Parameter message: one sentence more; nil for none.
  public func finishRedirect(succeeded: Bool, _ message: String? = nil) throws {
    _ = try ask(
      "redirect/finish", ["outcome": succeeded ? "success" : "failure", "message": Value(message)])
  }

  /// Asks for a line, without echo where it is secret.
  /// - Throws: ``PluginError`` with `refused` where nobody can be asked.
  public func prompt(_ message: String, secret: Bool = false) throws -> String {
    try ask("prompt", ["message": Value(message), "secret": Value(secret)])["value"]?.string ?? ""
  }

  /// What comes on the program's standard input, to its end: for an option whose value is `-`.
  /// - Parameter limit: in bytes; at most 1 MiB.
  public func readInput(limit: Int = 65_536) throws -> String {
    try ask("input/read", ["limit": Value(limit)])["text"]?.string ?? ""
  }

  /// Opens a page and waits for nothing.
  /// - Returns: false where there is no screen that it would show on.
  public func openBrowser(_ url: String) throws -> Bool {
    try ask("browser/open", ["url": Value(url)])["opened"]?.bool ?? false
  }

  /// Waits while a person does something elsewhere, such as typing a code on another device. The request's time stands still
  /// meanwhile.
  /// - Throws: ``PluginError`` with `refused` in requests that are unattended: lists, details, completion.
  public func waitForPerson(_ time: Duration) throws {
    _ = try ask("wait", ["timeout_ms": Value(time.milliseconds)])
  }

  /// Asks for yes or no. Under `--yes` the answer is yes.
  public func confirm(_ message: String) throws -> Bool {
    try ask("confirm", ["message": Value(message)])["yes"]?.bool ?? false
  }
}
