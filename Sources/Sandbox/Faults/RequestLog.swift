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
  package var faults: AppliedFaults

  package init(
    method: String, target: String, headers: [Header], body: [UInt8], status: Int, faults: AppliedFaults,
    at now: Timestamp
  ) {
    (self.method, self.target, self.headers, self.status, self.faults) = (method, target, headers, status, faults)
    (bodySize, at, number) = (body.count, now, 0)
    self.body = body.count > Self.bodyLimit ? Array(body.prefix(Self.bodyLimit)) : body
  }

  /// Record a webhook that IFTTT would send to a partner's service.
  package init(_ webhook: Webhook, at now: Timestamp) {
    (method, target, headers, body, bodySize) = (
      "POST", webhook.path, webhook.headers, webhook.body, webhook.body.count
    )
    (status, faults, at, number) = (nil, AppliedFaults(), now, 0)
  }

  private static let bodyLimit = 16 * 1024

  package var path: Substring { target.prefix { $0 != "?" } }
}

/// The most recent requests, up to a fixed number.
package struct RequestLog: Sendable {
  private var requests = RingBuffer<RecordedRequest>(limit: Self.limit)
  /// The total size of all bodies.
  private var bytes = 0

  package init() {}

  package static let limit = 1000
  /// The maximum total size of all bodies, in bytes. Beyond that, the oldest bodies are dropped first.
  private static let byteLimit = 4 << 20

  /// The number of all requests that were added.
  package var count: Int { requests.count }

  package mutating func add(_ request: RecordedRequest) {
    var request = request
    request.number = count + 1
    let replaced = requests.add(request)
    bytes += request.body.count - (replaced?.body.count ?? 0)
    var position = 0
    while bytes > Self.byteLimit {
      bytes -= requests[position].body.count
      requests[position].body = []
      position += 1
    }
  }

  /// All requests, from oldest to newest.
  package var all: [RecordedRequest] { requests.all }
}
