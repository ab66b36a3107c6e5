package import PluginProtocol
import Time

/// Handles a plugin's requests and messages while it processes a request.
package protocol HostServices: AnyObject {
  /// - Parameters:
  ///   - waited: how long the same request was served for already; zero the first time.
  ///   - limit: what is left of the time of the request that the plugin is answering.
  /// - Returns: nil if there is nothing to answer yet, so that it is to be called again in a moment: other plugins may be
  ///   answering at the same time.
  func serve(
    _ method: String, _ params: Value, waited: Duration, atMost limit: Duration
  ) -> Result<Value, PluginError>?
  func progress(_ done: Int, of total: Int?, _ message: String?)
  func log(_ level: String, _ message: String)
  /// A line of the plugin's standard error, escapes removed.
  func errorLine(_ text: String)
  /// For `--verbose`.
  func diagnose(_ text: String)
  /// Gives back what the plugin holds: it has ended.
  func release()
}

/// A request of a plugin's that could not be answered at once.
struct WaitingRequest {
  let id: MessageID
  let method: String
  let params: Value
  let since: Duration
  /// When to try again.
  private(set) var next: Duration
  private var pause = Duration.milliseconds(5)

  init(_ id: MessageID, _ method: String, _ params: Value, at now: Duration) {
    (self.id, self.method, self.params, since, next) = (id, method, params, now, now)
    putOff(at: now)
  }

  /// In growing pauses, and once when the time is up that the plugin gave it.
  mutating func putOff(at now: Duration) {
    next = now + pause
    pause = min(pause * 2, .milliseconds(100))
    if let limit = params["timeout_ms"]?.milliseconds, since + limit > now { next = min(next, since + limit) }
  }
}
