package import HTTP
import World

/// A request that was not accepted.
package struct Rejection: Sendable, Equatable {
  var status: Int
  var reason: String
  /// Nil if no request line was received.
  var request: RequestLine?
  /// The number of other requests with the same status that were rejected since the last notice.
  var more = 0

  package init(status: Int, reason: String, request: RequestLine?) {
    (self.status, self.reason, self.request) = (status, reason, request)
  }

  package var words: String {
    var subject = "a request"
    if let request {
      let target = request.target
      subject = "\(request.method.prefix(20)) \(target.count <= 200 ? target[...] : target.prefix(200) + "…")"
    }
    let others = more == 0 ? "" : more == 1 ? " (and 1 other)" : " (and \(more) others)"
    return "Rejected \(subject) with \(status): \(reason)\(others)"
  }
}

/// Reports rejected requests, at most one per second and status: a client that sends thousands must not flood the
/// terminal.
struct RejectionLog {
  private let notices: Mailbox<ListenNotice>
  private var seen: [Int: (reportedAt: Duration, more: Int)] = [:]

  init(_ notices: Mailbox<ListenNotice>) { self.notices = notices }

  mutating func add(_ rejection: Rejection, at now: Duration) {
    if let last = seen[rejection.status], now - last.reportedAt < .seconds(1) {
      seen[rejection.status]?.more += 1
      return
    }
    var rejection = rejection
    rejection.more = seen[rejection.status]?.more ?? 0
    seen[rejection.status] = (now, 0)
    notices.send(.rejected(rejection))
  }
}
