import HTTP
import JSON
import Text

/// A service's response to a request for a device code (RFC 8628 §3.2).
package struct DeviceGrant: Sendable {
  let deviceCode: Secret
  package let userCode: String
  package let verificationURI: String
  /// The URI that includes the code, if the service provides one.
  package let completeURI: String?
  /// The lifetime in seconds.
  let lifetime: Int
  let interval: Int

  /// Parses the response.
  /// - Throws: ``GrabError``.
  init(parsing body: [UInt8]) throws(GrabError) {
    func unreadable(_ why: String) -> GrabError {
      GrabError(.tokenUnreadable, "the service's response with the device code cannot be read", reason: why)
    }
    let answer: JSONObject
    do { answer = try StrictJSON.object(body) } catch { throw unreadable("\(error)") }
    guard let code = answer["device_code"]?.string.flatMap(Secret.init(parsing:)) else {
      throw unreadable("device_code is missing")
    }
    guard let shown = answer["user_code"]?.string, !shown.isEmpty, shown.utf8.count <= 100 else {
      throw unreadable("user_code is missing")
    }
    func page(_ name: String) -> String? {
      guard let text = answer[name]?.string, let url = try? WebURL(parsing: text),
        url.scheme == "https" || url.isLoopbackAddress
      else { return nil }
      return text
    }
    guard let uri = page("verification_uri") else { throw unreadable("verification_uri is missing or not https") }
    guard let lifetime = answer["expires_in"]?.int, lifetime > 0 else { throw unreadable("expires_in is missing") }
    deviceCode = code
    userCode = DisplayText.shown(shown)
    verificationURI = uri
    completeURI = page("verification_uri_complete")
    self.lifetime = min(lifetime, 86_400)
    interval = min(max(answer["interval"]?.int ?? 5, 1), 3600)
  }
}

/// A state machine that decides when to poll a device grant and how it ends (RFC 8628 §3.5).
package struct DevicePolling: Sendable {
  package enum Step: Sendable, Equatable {
    /// Wait for a number of seconds.
    case wait(Int)
    case tokens
    case end(GrabEvent)
  }

  /// The deadline in seconds from the start.
  private let deadline: Int
  private var interval: Int
  private var troubles = 0

  package init(lifetime: Int, interval: Int) { (deadline, self.interval) = (lifetime, interval) }

  /// The first step; the first poll also follows a wait.
  package func first() -> Step { step(at: 0, after: interval) }

  /// The step after a poll.
  /// - Parameters:
  ///   - status: the status of the response; nil if there was none.
  ///   - error: the OAuth error in the response.
  ///   - elapsed: the number of seconds since the start.
  package mutating func next(status: Int?, error: String?, elapsed: Int) -> Step {
    guard let status else {
      // After connection failures, retry with exponential backoff until the code expires.
      troubles += 1
      return step(at: elapsed, after: interval << min(troubles, 6))
    }
    troubles = 0
    switch error {
    case _ where (200..<300).contains(status): return .tokens
    case "authorization_pending": return step(at: elapsed, after: interval)
    case "slow_down":
      interval += 5
      return step(at: elapsed, after: interval)
    case "access_denied": return .end(.userCancelled)
    case "expired_token": return .end(.redirectTimeout)
    default:
      return status >= 500 ? step(at: elapsed, after: interval * 2) : .end(.tokenRefused)
    }
  }

  private func step(at elapsed: Int, after seconds: Int) -> Step {
    elapsed + seconds >= deadline ? .end(.redirectTimeout) : .wait(seconds)
  }
}
