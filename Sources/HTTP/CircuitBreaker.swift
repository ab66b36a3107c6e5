/// The reason for which a run of many requests ends early: the remaining requests would fail for the same reason.
package enum EarlyStop: Sendable, Equatable {
  case never
  /// An unreachable server, or one that rejects the credentials, which all requests share.
  case server
  /// An unreachable server. Each request has credentials of its own.
  case unreachable
  /// An unreachable server, or one that rejects many requests in a row. All requests share a key but act for different
  /// users, so that a rejection may concern one user only.
  case sharedKey

  var watchesConnection: Bool { self != .never }

  /// The number of consecutive rejections that end the run; nil for any number.
  func rejections(afterSuccess hasSucceeded: Bool) -> Int? {
    switch self {
    case .never, .unreachable: nil
    case .server: hasSucceeded ? CircuitBreaker.failureLimit : 1
    case .sharedKey: hasSucceeded ? nil : CircuitBreaker.userRejectionLimit
    }
  }
}

/// Decides when to stop sending a batch because the server is unreachable or rejects the credentials.
///
/// Before any success, the first such failure (after all its retries) stops the batch. After a success, one failure
/// may concern only its own request; several failures in a row stop the batch.
struct CircuitBreaker {
  /// The number of consecutive failures that stop a batch in which a request has succeeded.
  static let failureLimit = 3
  /// The number of consecutive rejections that stop a batch for many users before any success. One rejection may
  /// concern one user only.
  static let userRejectionLimit = 10

  let stop: EarlyStop
  private(set) var reason: SkipReason?
  private var hasConnected = false
  private var hasSucceeded = false
  private var unreachable = 0
  private var rejected = 0

  init(_ stop: EarlyStop) { self.stop = stop }

  mutating func note(_ response: Response, origin: String, hadCredentials: Bool) {
    guard stop.watchesConnection, reason == nil else { return }
    (hasConnected, unreachable) = (true, 0)
    if (200..<300).contains(response.status) { (hasSucceeded, rejected) = (true, 0) }
    guard response.status == 401, hadCredentials else { return }
    rejected += 1
    if let limit = stop.rejections(afterSuccess: hasSucceeded), rejected >= limit {
      reason = .unauthorized(origin: origin)
    }
  }

  /// - Parameter failure: the failure of a request that is not retried.
  mutating func note(_ failure: TransportError, origin: String) {
    guard stop.watchesConnection, reason == nil, failure.isOfConnection else { return }
    unreachable += 1
    if unreachable >= (hasConnected ? Self.failureLimit : 1) { reason = .unreachable(failure, origin: origin) }
  }
}
