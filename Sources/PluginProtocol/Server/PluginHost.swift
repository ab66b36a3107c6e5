/// The program as a plugin sees it while it answers one request: where its results go, and what it may ask for.
///
/// Whatever waits for the program throws ``PluginError`` for what the program refuses, ``PluginError/cancelled`` once the
/// request was cancelled, and ``HostDisconnectedError`` once the program has closed its end.
public final class PluginHost {
  /// What the program said of itself and of this run.
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

  /// Draws how far the request is, where somebody looks on.
  public func progress(_ done: Int, of total: Int? = nil, _ message: String? = nil) throws {
    try checkCancelled()
    guard let id = exchange.current else { return }
    try exchange.send(
      .notification(
        method: "progress",
        params: ["id": id.value, "done": Value(done), "total": Value(total), "message": Value(message)]))
  }

  /// How much a line matters.
  public enum Level: String, Sendable {
    /// For `--verbose`.
    case debug
    case info, warning
  }

  /// Says a line for people. No secret belongs in it.
  public func log(_ level: Level, _ message: String) throws {
    try exchange.send(
      .notification(method: "log", params: ["level": Value(level.rawValue), "message": Value(message)]))
  }

  // MARK: The end

  /// How much longer the program waits for the answer, the time apart in which a person is served. What else the plugin
  /// waits for, a server above all, is to end before: only then can the answer say what was too slow.
  public var timeLeft: Duration { max(.zero, greeting.timeout - exchange.elapsed) }

  /// Readable once the program says something or closes its end; for those who wait in a loop of their own and ask
  /// ``isCancelled`` then. It must not be read from.
  public var arrivals: Int32 { exchange.wire.arrivals }

  /// Whether the request was cancelled, or the program is gone. Looks, and does not wait.
  public var isCancelled: Bool { exchange.isCancelled }

  /// Clears up, also after the request was cancelled: what `body` asks for is asked all the same. The program then still
  /// deletes and saves credentials, releases locks and finishes redirects, for two seconds.
  public func tidyUp<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = exchange.isTidying
    exchange.isTidying = true
    defer { exchange.isTidying = before }
    return try body()
  }

  /// - Throws: ``PluginError/cancelled`` once it was.
  public func checkCancelled() throws { if exchange.isCancelled { throw PluginError.cancelled } }

  // MARK: Asking

  /// Asks the program for anything.
  public func ask(_ method: String, _ params: Value) throws -> Value { try exchange.ask(method, params) }
}
