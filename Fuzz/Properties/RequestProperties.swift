import HTTP

/// The requests on a connection to a server of the program: read the same however the bytes arrive, no field with a line
/// break or a control character, and an accepted head reads the same when it is written again.
enum RequestProperties {
  private static let settings = {
    var settings = ListenerSettings(address: LoopbackAddress(port: 0))
    (settings.headerLimit, settings.fieldLimit) = (1024, 8)
    return settings
  }()

  static func problem(in bytes: [UInt8]) -> String? {
    let whole = read(bytes, inPiecesOf: max(1, bytes.count))
    for size in [1, 2, 7] where read(bytes, inPiecesOf: size) != whole { return "other requests in pieces of \(size)" }
    for case .head(let head) in whole.parts {
      if let problem = headProblem(head) { return problem }
    }
    return nil
  }

  private struct Reading: Equatable {
    var parts: [RequestParser.Part] = []
    /// The bodies of all requests, joined: how a body is divided depends on how it arrives.
    var bodies: [[UInt8]] = []
    var status: Int?
  }

  private static func read(_ bytes: [UInt8], inPiecesOf size: Int) -> Reading {
    var parser = RequestParser(settings)
    var reading = Reading()
    var rest = bytes[...]
    do throws(RequestRejection) {
      while !rest.isEmpty {
        parser.add(rest.prefix(size))
        rest = rest.dropFirst(size)
        while let part = try parser.next() {
          if case .body(let piece) = part {
            reading.bodies[reading.bodies.count - 1] += piece
          } else {
            if case .head = part { reading.bodies.append([]) }
            reading.parts.append(part)
          }
        }
      }
    } catch {
      reading.status = error.status
    }
    return reading
  }

  private static func headProblem(_ head: RequestHead) -> String? {
    guard head.fields.count <= settings.fieldLimit else { return "too many fields" }
    var text = "\(head.line.method) \(head.line.target) HTTP/1.\(head.minorVersion)\r\n"
    for field in head.fields {
      for part in [field.name, field.value] where part.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7f }) {
        return "a field with a control character"
      }
      text += "\(field.name): \(field.value)\r\n"
    }
    guard !text.utf8.contains(0) else { return "a NUL" }
    // Invalid UTF-8 is replaced, so the copy can be longer than the limit.
    let copy = read(Array((text + "\r\n").utf8), inPiecesOf: 1 << 20)
    return copy.parts.first == .head(head) || copy.status == 431 ? nil : "another head when it is written again"
  }
}
