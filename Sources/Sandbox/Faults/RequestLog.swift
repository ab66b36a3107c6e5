package import HTTP
package import World

/// A received request and its result, or a webhook that would be sent.
package struct RecordedRequest: Sendable {
  package var number: Int
  package var at: Timestamp
  package var method: String
  /// The path and query, as sent.
  package var target: String
  package var headers: [Header]
  /// The beginning of the body.
  package var body: [UInt8]
  package var bodySize: Int
  /// The response status; nil for a webhook.
  package var status: Int?
  package var struck: AppliedFaults

  package init(
    method: String, target: String, headers: [Header], body: [UInt8], status: Int, struck: AppliedFaults,
    at now: Timestamp
  ) {
    (self.method, self.target, self.headers, self.status, self.struck) = (method, target, headers, status, struck)
    (bodySize, at, number) = (body.count, now, 0)
    self.body = body.count > Self.bodyLimit ? Array(body.prefix(Self.bodyLimit)) : body
  }

  /// Record a webhook that IFTTT would send to a partner's service.
  package init(_ webhook: Webhook, at now: Timestamp) {
    (method, target, headers, body, bodySize) = (
      "POST", webhook.path, webhook.headers, webhook.body, webhook.body.count
    )
    (status, struck, at, number) = (nil, AppliedFaults(), now, 0)
  }

  private static let bodyLimit = 16 * 1024

  package var path: Substring { target.prefix { $0 != "?" } }
}

/// The most recent requests, up to a fixed number.
package struct RequestLog: Sendable {
  /// A ring buffer once it is full; the oldest entry is at `next`.
  private var kept: [RecordedRequest] = []
  private var next = 0
  private var bytes = 0
  package private(set) var count = 0

  package init() {}

  package static let limit = 1000
  /// The maximum total size of all bodies, in bytes. Beyond that, the oldest bodies are dropped first.
  private static let byteLimit = 4 << 20

  package mutating func add(_ request: RecordedRequest) {
    var request = request
    count += 1
    request.number = count
    bytes += request.body.count
    if kept.count < Self.limit {
      kept.append(request)
    } else {
      bytes -= kept[next].body.count
      kept[next] = request
      next = next + 1 == Self.limit ? 0 : next + 1
    }
    var oldest = next
    while bytes > Self.byteLimit {
      bytes -= kept[oldest].body.count
      kept[oldest].body = []
      oldest = oldest + 1 == kept.count ? 0 : oldest + 1
    }
  }

  /// All requests, from oldest to newest.
  package var all: [RecordedRequest] { Array(kept[next...] + kept[..<next]) }
}
