package import PluginProtocol
import World

/// Handles a plugin's requests and notifications while the plugin processes a request.
package protocol HostServices: AnyObject {
  /// Handles a request of the plugin.
  /// - Parameters:
  ///   - waited: how long this request has been waiting; zero on the first attempt.
  ///   - limit: the time left for the request that the plugin is processing.
  /// - Returns: nil if there is no result yet, for example because another plugin is being served. Call again after a
  ///   short pause.
  func serve(
    _ method: String, _ params: Value, waited: Duration, atMost limit: Duration
  ) -> Result<Value, PluginError>?
  func progress(_ done: Int, of total: Int?, _ message: String?)
  func log(_ level: String, _ message: String)
  /// Receives one line of the plugin's stderr, with escape sequences removed.
  func errorLine(_ text: String)
  /// Receives a diagnostic for `--verbose`.
  func diagnose(_ text: String)
  /// Releases everything the plugin holds, after it has ended.
  func release()
}

/// A request of a plugin that could not be served at once.
struct WaitingRequest {
  let id: MessageID
  let method: String
  let params: Value
  let since: Duration
  /// The time of the next attempt.
  private(set) var next: Duration
  private var pause = Duration.milliseconds(5)

  init(_ id: MessageID, _ method: String, _ params: Value, at now: Duration) {
    (self.id, self.method, self.params, since, next) = (id, method, params, now, now)
    putOff(at: now)
  }

  /// Schedules the next attempt, with growing pauses, and one attempt when the plugin's own timeout expires.
  mutating func putOff(at now: Duration) {
    next = now + pause
    pause = min(pause * 2, .milliseconds(100))
    if let limit = params["timeout_ms"]?.milliseconds, since + limit > now { next = min(next, since + limit) }
  }
}
