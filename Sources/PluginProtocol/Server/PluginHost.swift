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
}
