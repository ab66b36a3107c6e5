package import HTTP
import JSON
import Text
package import World

/// A response with an injected fault: its contents and how to send it.
package struct FaultyResponse: Sendable, Equatable {
  package enum Delivery: Sendable, Equatable {
    case plain
    case reset
    case resetInBody
    case truncated
    case dripping(Duration)
    case chunked(hasTrailer: Bool)
    /// The body is padded with spaces to this many bytes.
    case padded(to: Int)
  }

  package var response: Response
  package var delay: Duration = .zero
  package var delivery = Delivery.plain
}

extension AppliedFaults {
  /// - Parameters:
  ///   - target: The request's path and query, as sent.
  ///   - regularResponse: The regular response. It is computed only if the fault needs it.
  package func response(
    to target: String, at now: Timestamp, _ regularResponse: () -> Response
  ) -> FaultyResponse {
    guard let fault else { return FaultyResponse(response: regularResponse(), delay: delay) }
    var faulty = FaultyResponse(response: Response(status: 200), delay: delay)
    switch fault {
    case .latency: faulty.response = regularResponse()
    case .status(let status, let wait): faulty.response = .failure(status, wait, at: now)
    case .reset: faulty.delivery = .reset
    case .redirect(let origin):
      faulty.response = Response(status: 302, headers: [.date(now), .init("Location", origin + target)])
    case .html: faulty.response = .page("<h1>Please sign in to the network</h1>", status: 200, at: now)
    case .resetInBody: (faulty.response, faulty.delivery) = (regularResponse(), .resetInBody)
    case .truncate: (faulty.response, faulty.delivery) = (regularResponse(), .truncated)
    case .drip(let pause): (faulty.response, faulty.delivery) = (regularResponse(), .dripping(pause))
    case .chunked: (faulty.response, faulty.delivery) = (regularResponse(), .chunked(hasTrailer: false))
    case .chunkedTrailer: (faulty.response, faulty.delivery) = (regularResponse(), .chunked(hasTrailer: true))
    case .huge(let size): (faulty.response, faulty.delivery) = (regularResponse(), .padded(to: size))
    case .gzip:
      faulty.response = regularResponse()
      faulty.response.body = StoredGzip.stored(faulty.response.body)
      faulty.response.headers.append(.init("Content-Encoding", "gzip"))
    case .badJSON, .invalidUTF8, .duplicateKeys, .unknownEnum, .wrongTypes, .extraKeys, .escapes:
      faulty.response = regularResponse()
      faulty.response.body = BodyCorruption.applied(to: faulty.response.body, by: fault)
    }
    return faulty
  }
}

extension HeaderField {
  fileprivate static func date(_ moment: Timestamp) -> HeaderField { HeaderField("Date", CivilTime(moment).httpDate) }
}

extension Response {
  /// An error response in IFTTT's format, or, for 502 to 504, the HTML page of a gateway.
  fileprivate static func failure(_ status: Int, _ wait: InjectedFault.RetryAfter?, at now: Timestamp) -> Response {
    var response = Response(status: status)
    if (502...504).contains(status) {
      response = page("<h1>\(status)</h1>", status: status, at: now)
    } else {
      let code = status == 429 ? "emulator_rate_limited" : "emulator_fault"
      let error = ErrorResponse(
        status: status, code: code, message: "The sandbox injected this fault", assumption: nil)
      response.body = error.response(in: .v2).body
      response.headers = [.date(now), .init("Content-Type", "application/json; charset=utf-8")]
    }
    switch wait {
    case nil: break
    case .seconds(let seconds): response.headers.append(.init("Retry-After", String(seconds)))
    case .date(let seconds):
      // An HTTP date has no fractional seconds. Round up, so that the date is never too early.
      let moment = Timestamp(milliseconds: now.milliseconds + Int64(seconds) * 1000 + 999)
      response.headers.append(.init("Retry-After", CivilTime(moment).httpDate))
    }
    return response
  }

  fileprivate static func page(_ body: String, status: Int, at now: Timestamp) -> Response {
    Response(
      status: status, headers: [.date(now), .init("Content-Type", "text/html; charset=utf-8")],
      body: Array("<!doctype html><title>Gateway</title>\(body)\n".utf8))
  }
}

/// Corruptions of a JSON body by injected faults. A body that is not JSON stays unchanged.
enum BodyCorruption {
  static func applied(to body: [UInt8], by fault: InjectedFault) -> [UInt8] {
    if fault == .badJSON { return Array(body.prefix(body.count * 2 / 3)) }
    guard let json = try? JSONValue(parsing: body) else { return body }
    switch fault {
    case .invalidUTF8:
      // Two bytes that are invalid in UTF-8.
      return json.withInvalidBytes.bytes.replacing(Array(placeholder.utf8), by: [0xff, 0xc0])
    case .duplicateKeys: return json.bytesWithKeysTwice
    case .unknownEnum: return json.withUnknownWords.bytes
    case .wrongTypes: return json.mistyped.bytes
    case .extraKeys: return json.extended.bytes
    case .escapes: return json.renamed { .string("\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}\($0)\u{9b}31m\r\n") }.bytes
    default: return body
    }
  }

  /// A placeholder for invalid UTF-8 bytes, which a string cannot contain. No text of the fixtures contains it.
  fileprivate static let placeholder = "\u{f8ff}"
}

extension JSONValue {
  /// The value with every member of every object replaced, innermost first.
  fileprivate func mapped(_ change: (_ key: String, _ value: JSONValue) -> JSONValue) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.mapped(change) })
    case .object(let object):
      .object(
        JSONObject(members: object.members.map { (key: $0.key, value: change($0.key, $0.value.mapped(change))) }))
    default: self
    }
  }

  /// The value with all text that only people read replaced.
  fileprivate func renamed(_ change: (String) -> JSONValue) -> JSONValue {
    let names: Set = ["name", "description", "service_name", "service_short_name", "title", "label", "message"]
    return mapped { key, value in
      guard names.contains(key), let text = value.string else { return value }
      return change(text)
    }
  }

  /// The value with the placeholder in all text that people read, or in every string if there is no such text.
  fileprivate var withInvalidBytes: JSONValue {
    let withInvalidBytes = renamed { .string(BodyCorruption.placeholder + $0) }
    guard withInvalidBytes == self else { return withInvalidBytes }
    return mapped { _, value in value.string.map { .string(BodyCorruption.placeholder + $0) } ?? value }
  }

  fileprivate var withUnknownWords: JSONValue {
    mapped { key, value in
      switch (key, value) {
      case ("user_status", .string): "snoozed"
      case ("type", .string(let text)) where text.utf8.contains(UInt8(ascii: "_")): "HOLOGRAM_FIELD"
      case ("field_type", .string): "HOLOGRAM_FIELD"
      case ("authentication_level", .string): "deity"
      default: value
      }
    }
  }

  fileprivate var mistyped: JSONValue {
    mapped { key, value in
      switch value {
      case .number(let number): .string(number.text)
      case .bool(let flag): .string(flag ? "true" : "false")
      case .string where key == "name" || key == "title" || key == "label": 404
      case .null: false
      default: value
      }
    }
  }

  fileprivate var extended: JSONValue {
    let extra: JSONValue = ["nested": [1, nil, ["deeper": true]]]
    return switch self {
    case .array(let elements): .array(elements.map(\.extended))
    case .object(let object):
      .object(
        JSONObject(
          members: [(key: "x_before", value: extra)] + object.members.map { (key: $0.key, value: $0.value.extended) }
            + [(key: "x_after", value: extra)]))
    default: self
    }
  }

  /// The JSON with every key twice, first with another value. Most parsers use the last one.
  fileprivate var bytesWithKeysTwice: [UInt8] {
    guard case .object(let object) = self else { return bytes }
    var writer = JSONWriter()
    writer.beginObject()
    for (key, _) in object.members where key != "id" {
      writer.key(key)
      writer.string("the first of two")
    }
    for (key, value) in object.members {
      writer.key(key)
      writer.value(value)
    }
    writer.endObject()
    return writer.bytes
  }
}

/// The gzip format (RFC 1952) without compression, to test how clients handle the framing.
enum StoredGzip {
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // The header: magic number, deflate, no flags, no time, no hint, unknown system.
    var written: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(block.count)
      // A stored block (RFC 1951, section 3.2.4), with the last one marked.
      written.append(rest.isEmpty ? 1 : 0)
      written += littleEndian(UInt16(block.count))
      written += littleEndian(~UInt16(block.count))
      written += block
    } while !rest.isEmpty
    return written + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// The CRC-32, computed bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xedb8_8320 : sum >> 1 }
    }
    return ~sum
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
