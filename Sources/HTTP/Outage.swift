/// Tells when it is of no use to send the rest of a run: the server cannot be reached, or rejects the credentials.
///
/// A run in which nothing has worked ends with the first such failure, all its tries included. After a success, one
/// failure may be about one request; several in a row are not.
struct Outage {
  /// How many in a row end a run in which something has worked.
  static let most = 3

  let isWatched: Bool
  private(set) var reason: SkipReason?
  private var hasConnected = false
  private var hasSucceeded = false
  private var unreachable = 0
  private var rejected = 0

  init(isWatched: Bool) { self.isWatched = isWatched }

  mutating func note(_ response: Response, origin: String, hadCredentials: Bool) {
    guard isWatched, reason == nil else { return }
    (hasConnected, unreachable) = (true, 0)
    if (200..<300).contains(response.status) { (hasSucceeded, rejected) = (true, 0) }
    guard response.status == 401, hadCredentials else { return }
    rejected += 1
    if rejected >= (hasSucceeded ? Self.most : 1) { reason = .unauthorized(origin: origin) }
  }

  /// - Parameter failure: of a request that is not tried again.
  mutating func note(_ failure: TransportFailure, origin: String) {
    guard isWatched, reason == nil, failure.isOfConnection else { return }
    unreachable += 1
    if unreachable >= (hasConnected ? Self.most : 1) { reason = .unreachable(failure, origin: origin) }
  }
}

extension TransportFailure {
  /// Whether it says that there is no way to the server, rather than what became of one request.
  fileprivate var isOfConnection: Bool {
    switch kind {
    case .resolve, .connect, .tls, .proxy: true
    case .timeout: !mayHaveArrived
    case .broken, .tooLarge, .unsupported, .offline, .notRecorded: false
    }
  }
}
