import Text

/// The program during one request: it receives the results and provides services to the plugin.
///
/// Methods that wait for the program throw:
/// - ``PluginError`` if the program rejects the request
/// - ``PluginError/cancelled`` once the request was canceled
/// - ``HostDisconnectedError`` once the program has closed its end
public final class PluginHost {
  /// The program's description of itself and of this run.
  public let greeting: Greeting
  let exchange: Exchange

  init(_ greeting: Greeting, _ exchange: Exchange) { (self.greeting, self.exchange) = (greeting, exchange) }

  // MARK: Results

  /// Sends one element of a list, or one row of a command's output.
  public func send(item: Value) throws {
    try checkCancelled()
    guard let id = exchange.current else { return }
    try exchange.send(.notification(method: "item", params: ["id": id.value, "item": item]))
  }

  /// Sends one connection of a list.
  public func send(_ connection: ProvidedConnection) throws { try send(item: connection.value) }

  /// Reports progress, which the program shows on a terminal.
  public func progress(_ done: Int, of total: Int? = nil, _ message: String? = nil) throws {
    try checkCancelled()
    guard let id = exchange.current else { return }
    try exchange.send(
      .notification(
        method: "progress",
        params: ["id": id.value, "done": Value(done), "total": Value(total), "message": Value(message)]))
  }

  /// The severity of a log line.
  public enum Level: String, Sendable {
    /// A line for `--verbose`.
    case debug
    case info, warning
  }

  /// Logs a line for the user. It must not contain secrets.
  public func log(_ level: Level, _ message: String) throws {
    try exchange.send(
      .notification(method: "log", params: ["level": Value(level.rawValue), "message": Value(message)]))
  }

  // MARK: Cancellation and timeouts

  /// The time left before the request's timeout, without the time spent waiting for the user. Other waits of the
  /// plugin, such as those for a server, should end earlier. Only then can the response report what was too slow.
  public var timeLeft: Duration { max(.zero, greeting.timeout - exchange.elapsed) }

  /// A descriptor that becomes readable when the program sends something or closes its end. A plugin with its own
  /// event loop checks ``isCancelled`` then. It must not read from the descriptor.
  public var arrivals: Int32 { exchange.wire.arrivals }

  /// Whether the request was canceled or the program has closed its end. This does not wait.
  public var isCancelled: Bool { exchange.isCancelled }

  /// Cleans up: requests in `body` are sent even after the request was canceled. For two seconds, the program still
  /// deletes and saves credentials, releases locks and finishes redirects.
  public func tidyUp<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = exchange.isTidying
    exchange.isTidying = true
    defer { exchange.isTidying = before }
    return try body()
  }

  /// Checks for cancellation.
  /// - Throws: ``PluginError/cancelled`` if the request was canceled.
  public func checkCancelled() throws { if exchange.isCancelled { throw PluginError.cancelled } }

  // MARK: Requests

  /// Sends any request to the program.
  public func request(_ method: String, _ params: Value) throws -> Value { try exchange.request(method, params) }

  func request(_ service: HostService, _ params: Value) throws -> Value { try request(service.rawValue, params) }
}

// Credentials that the program stores encrypted for the plugin, separately for each profile. Access is limited to the
// names that the manifest lists and the user granted.
extension PluginHost {
  /// A stored credential; nil if absent.
  public func credential(_ name: String) throws -> String? {
    try request(.getCredential, ["name": Value(name)])["value"]?.string
  }

  /// Reads and deletes a credential atomically, so that no other process gets it too.
  public func takeCredential(_ name: String) throws -> String? {
    try request(.getCredential, ["name": Value(name), "take": true])["value"]?.string
  }

  /// The names of the stored credentials, sorted.
  public func credentialNames(prefix: String = "") throws -> [String] {
    try request(.listCredentials, ["prefix": Value(prefix)])["names"]?.array?.compactMap(\.string) ?? []
  }

  /// Writes and deletes credentials in one transaction. The maximum size of a value is 256 KiB.
  /// - Parameter recovering: Whether the program writes the values to a separate file, and reports its name, if they
  ///   cannot be saved. Use it for values obtained with a single-use code or token.
  public func saveCredentials(
    _ values: [String: String], deleting names: [String] = [], recovering: Bool = false
  ) throws {
    let values = values.inOrder.map { (name: $0.key, value: Value($0.value)) }
    _ = try request(
      .saveCredentials,
      [
        "values": Value(members: values), "delete": Value(names.map { Value($0) }), "recover": Value(recovering),
      ])
  }

  /// Deletes a credential.
  /// - Returns: false if there was none.
  @discardableResult
  public func deleteCredential(_ name: String) throws -> Bool {
    try request(.deleteCredential, ["name": Value(name)])["deleted"]?.bool ?? false
  }

  // MARK: Locks

  /// Acquires a lock, waiting for other processes to release it. The lock is released when the plugin ends for any
  /// reason.
  /// - Throws: ``PluginError`` with `conflict` after the timeout.
  public func acquireLock(_ name: String, timeout: Duration = .seconds(30)) throws {
    _ = try request(.acquireLock, ["name": Value(name), "timeout_ms": Value(timeout.milliseconds)])
  }

  /// Releases a lock.
  public func releaseLock(_ name: String) throws { _ = try request(.releaseLock, ["name": Value(name)]) }

  /// Runs `body` while holding the lock.
  public func withLock<Result>(
    _ name: String, timeout: Duration = .seconds(30), _ body: () throws -> Result
  ) throws -> Result {
    try acquireLock(name, timeout: timeout)
    defer { try? releaseLock(name) }
    return try body()
  }
}

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
  /// - Parameter uri: A loopback address with the port to listen on, `http://127.0.0.1:8765/callback`; port 0, or nil,
  ///   for any free port of 127.0.0.1.
  /// - Returns: The address with its port.
  public func bindRedirect(_ uri: String? = nil, path: String = "/callback") throws -> String {
    let result = try request(.bindRedirect, ["redirect_uri": Value(uri), "path": Value(path)])
    guard let bound = result["redirect_uri"]?.string else { throw PluginError("bad_response", "no address was bound") }
    return bound
  }

  /// Opens the page and waits for the redirect, from the browser or pasted. The request's timeout is paused
  /// meanwhile.
  public func openRedirect(_ request: RedirectRequest) throws -> RedirectResult {
    let result = try self.request(.openRedirect, request.params)
    return RedirectResult(
      redirectURI: result["redirect_uri"]?.string ?? request.redirectURI, query: result["query"]?.string ?? "",
      way: result["via"]?.string.flatMap(RedirectResult.Way.init(rawValue:)) ?? .listener)
  }

  /// Reports the outcome to the browser page, which is still loading.
  /// - Parameter message: An additional sentence; nil for none.
  public func finishRedirect(succeeded: Bool, _ message: String? = nil) throws {
    _ = try request(
      .finishRedirect, ["outcome": succeeded ? "success" : "failure", "message": Value(message)])
  }

  /// Prompts for a line, without echo if it is secret.
  /// - Throws: ``PluginError`` with `refused` if the user cannot be prompted.
  public func prompt(_ message: String, secret: Bool = false) throws -> String {
    try request(.prompt, ["message": Value(message), "secret": Value(secret)])["value"]?.string ?? ""
  }

  /// Reads the program's stdin to its end, for an option whose value is `-`.
  /// - Parameter limit: The limit in bytes; at most 1 MiB.
  public func readInput(limit: Int = 65_536) throws -> String {
    try request(.readInput, ["limit": Value(limit)])["text"]?.string ?? ""
  }

  /// Opens a page without waiting.
  /// - Returns: false if there is no display.
  public func openBrowser(_ url: String) throws -> Bool {
    try request(.openBrowser, ["url": Value(url)])["opened"]?.bool ?? false
  }

  /// Waits while the user acts elsewhere, for example types a code on another device. The request's timeout is paused
  /// meanwhile.
  /// - Throws: ``PluginError`` with `refused` in unattended requests: lists, details, completion.
  public func waitForPerson(_ time: Duration) throws {
    _ = try request(.wait, ["timeout_ms": Value(time.milliseconds)])
  }

  /// Asks the user to confirm. With `--yes` the result is true.
  public func confirm(_ message: String) throws -> Bool {
    try request(.confirm, ["message": Value(message)])["yes"]?.bool ?? false
  }
}
