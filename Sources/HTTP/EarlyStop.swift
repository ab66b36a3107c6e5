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
    case .server: hasSucceeded ? CircuitBreaker.most : 1
    case .sharedKey: hasSucceeded ? nil : CircuitBreaker.mostOfUsers
    }
  }
}
