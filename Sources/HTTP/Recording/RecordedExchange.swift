import JSON
import Text
package import World

/// One attempt of a request and its outcome, with credentials replaced by their stand-ins.
package struct RecordedExchange: Sendable, Equatable {
  /// The request. The headers are informational; a response is matched by the other properties.
  package struct RecordedRequest: Sendable, Equatable {
    package var method: String
    package var url: String
    package var headers: [HeaderField]
    package var body: [UInt8]?
    package init(method: String, url: String, headers: [HeaderField] = [], body: [UInt8]? = nil) {
      (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
  }

  /// Counted from 1, in the order in which exchanges ended.
  package var number: Int
  package var request: RecordedRequest
  /// Nil if the program canceled the exchange before it ended.
  package var result: Result<Response, TransportError>?
  package var endedAt: Timestamp
  /// The time since the run began, in whole microseconds.
  package var startedAfter: Duration
  package var endedAfter: Duration

  package init(
    number: Int, request: RecordedRequest, result: Result<Response, TransportError>?, endedAt: Timestamp,
    startedAfter: Duration, endedAfter: Duration
  ) {
    (self.number, self.request, self.result) = (number, request, result)
    (self.endedAt, self.startedAfter, self.endedAfter) = (endedAt, startedAfter, endedAfter)
  }
}

/// A recorded exchange as a separate file of human-readable JSON.
extension RecordedExchange {
  package var bytes: [UInt8] {
    var members: [(key: String, value: JSONValue)] = [
      ("number", JSONValue(number)),
      (
        "request",
        [
          "method": .string(request.method), "url": .string(request.url), "headers": Self.json(request.headers),
          "body": request.body.map(Self.json) ?? .null,
        ]
      ),
    ]
    switch result {
    case .success(let response):
      members.append(
        (
          "response",
          [
            "status": JSONValue(response.status), "headers": Self.json(response.headers),
            "body": Self.json(response.body),
          ]
        ))
    case .failure(let failure):
      members.append(
        (
          "failure",
          [
            "kind": .string(failure.kind.rawValue), "message": .string(failure.message),
            "may_have_arrived": .bool(failure.mayHaveArrived),
          ]
        ))
    case nil: members.append(("given_up", .bool(true)))
    }
    members.append(
      (
        "time",
        [
          "ended_at": .string(endedAt.rfc3339), "ended_at_milliseconds": .number(JSONNumber(Int(endedAt.milliseconds))),
          "started_after_microseconds": JSONValue(startedAfter.wholeMicroseconds),
          "ended_after_microseconds": JSONValue(endedAfter.wholeMicroseconds),
        ]
      ))
    return JSONValue.object(JSONObject(members: members)).indented
  }

  /// Returns nil if the bytes are not a recorded exchange.
  package init?(parsing bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), let number = json["number"]?.int,
      let request = json["request"], let method = request["method"]?.string, let url = request["url"]?.string,
      let headers = Self.fields(request["headers"]), let time = json["time"],
      let endedAt = time["ended_at_milliseconds"]?.int, let startedAfter = time["started_after_microseconds"]?.int,
      let endedAfter = time["ended_after_microseconds"]?.int
    else { return nil }
    var body: [UInt8]?
    if let bodyJSON = request["body"], !bodyJSON.isNull {
      guard let bytes = Self.bytes(bodyJSON) else { return nil }
      body = bytes
    }
    self.init(
      number: number, request: RecordedRequest(method: method, url: url, headers: headers, body: body), result: nil,
      endedAt: Timestamp(milliseconds: Int64(endedAt)), startedAfter: .microseconds(startedAfter),
      endedAfter: .microseconds(endedAfter))
    if let response = json["response"] {
      guard let status = response["status"]?.int, let headers = Self.fields(response["headers"]),
        let body = response["body"].flatMap(Self.bytes)
      else { return nil }
      result = .success(Response(status: status, headers: headers, body: body))
    } else if let failure = json["failure"] {
      guard let kind = failure["kind"]?.string.flatMap(TransportError.Kind.init(rawValue:)),
        let message = failure["message"]?.string, let mayHaveArrived = failure["may_have_arrived"]?.bool
      else { return nil }
      result = .failure(TransportError(kind: kind, message: message, mayHaveArrived: mayHaveArrived))
    }
  }

  private static func json(_ fields: [HeaderField]) -> JSONValue {
    .array(fields.map { [.string($0.name), .string($0.value)] })
  }

  private static func fields(_ json: JSONValue?) -> [HeaderField]? {
    guard let array = json?.array else { return nil }
    let fields = array.compactMap { pair -> HeaderField? in
      guard let pair = pair.array, pair.count == 2, let name = pair[0].string, let value = pair[1].string else {
        return nil
      }
      return HeaderField(name, value)
    }
    return fields.count == array.count ? fields : nil
  }

  private static func json(_ body: [UInt8]) -> JSONValue {
    String(validating: body, as: UTF8.self).map { ["text": .string($0)] } ?? [
      "base64": .string(Base64.standard.encode(body))
    ]
  }

  private static func bytes(_ json: JSONValue) -> [UInt8]? {
    if let text = json["text"]?.string { return Array(text.utf8) }
    return json["base64"]?.string.flatMap(Base64.standard.decode)
  }
}

extension Duration {
  /// The duration in microseconds, rounded toward zero. The time of a run never overflows an `Int`.
  var wholeMicroseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
