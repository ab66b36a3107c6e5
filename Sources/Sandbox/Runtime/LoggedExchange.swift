package import HTTP
import World

/// A request and its response, as the log stores them.
package struct LoggedExchange: Sendable {
  package enum Direction: String, Sendable, CaseIterable {
    /// The emulator received the request.
    case received
    /// The emulator sent the request to a partner's server, or would send it if it knew the server.
    case sent
  }

  /// A request or a response, without its first line.
  package struct Message: Sendable, Equatable {
    package let headers: [HeaderField]
    /// The body, or its first ``bodyLimit`` bytes.
    package let body: [UInt8]
    /// The size of the whole body in bytes.
    package let bodySize: Int

    package static let bodyLimit = 64 * 1024

    package init(headers: [HeaderField], body: [UInt8]) {
      (self.headers, bodySize) = (headers, body.count)
      self.body = body.count > Self.bodyLimit ? Array(body.prefix(Self.bodyLimit)) : body
    }

    /// Whether only the beginning of the body is stored.
    package var isTruncated: Bool { bodySize > body.count }

    fileprivate var byteCount: Int {
      headers.reduce(body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    }
  }

  package let direction: Direction
  package let method: String
  /// The scheme, host and port; empty if they are unknown.
  package let origin: String
  /// The path and query, as sent.
  package let target: String
  package let request: Message
  /// The status of the response; nil without a response.
  package let status: Int?
  package let response: Message?
  /// The reason why there is no response.
  package let failure: String?
  /// The time from the request to the end of the response.
  package let duration: Duration?
  /// The number of the attempt, counted from 1.
  package internal(set) var attempt = 1
  /// The injected faults that applied to the request, as text; nil for none.
  package let faults: String?

  package var path: Substring { target.prefix { $0 != "?" } }

  /// The memory that the exchange takes, in bytes, approximately.
  var byteCount: Int { target.utf8.count + 256 + request.byteCount + (response?.byteCount ?? 0) }

  private init(
    _ direction: Direction, _ method: String, origin: String, target: String, request: Message, status: Int? = nil,
    response: Message? = nil, failure: String? = nil, duration: Duration? = nil, faults: String? = nil
  ) {
    (self.direction, self.method, self.origin, self.target) = (direction, method, origin, target)
    (self.request, self.status, self.response, self.failure) = (request, status, response, failure)
    (self.duration, self.faults) = (duration, faults)
  }

  /// An exchange with a client. The client may have received a faulty response instead.
  package init(
    received request: ReceivedRequest, _ response: Response, faults: String? = nil, duration: Duration
  ) {
    let host = request.field("Host").map { "http://\($0)" } ?? ""
    self.init(
      .received, request.method, origin: host, target: request.target,
      request: Message(headers: request.fields, body: request.body), status: response.status,
      response: Message(headers: response.headers, body: response.body), duration: duration, faults: faults)
  }

  /// An exchange with a partner's server.
  package init(sent request: Request, _ result: Result<Response, HTTPError>, failure: String?, duration: Duration) {
    let wire = request.url.wire
    let origin = request.url.origin
    let response = try? result.get()
    self.init(
      .sent, request.method.rawValue, origin: origin, target: String(wire.utf8.dropFirst(origin.utf8.count)) ?? wire,
      request: Message(headers: request.headers.map { HeaderField($0.name, $0.wire) }, body: request.body ?? []),
      status: response?.status, response: response.map { Message(headers: $0.headers, body: $0.body) },
      failure: failure, duration: duration)
  }

  /// A webhook to a service whose server is unknown.
  init(unsent webhook: Webhook) {
    self.init(
      .sent, "POST", origin: "", target: webhook.path,
      request: Message(headers: webhook.headers.map { HeaderField($0.name, $0.wire) }, body: webhook.body))
  }
}
