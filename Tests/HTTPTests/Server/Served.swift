import Dispatch
import HTTP
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A responder that echoes the request, and misbehaves for certain paths.
final class EchoResponder: HTTPResponder {
  private let pieces: PieceCount

  init(_ pieces: PieceCount) { self.pieces = pieces }

  static let deferred = DeferredReply(atMost: .seconds(3600), else: .text(500, "never"))
  static let big = String(repeating: "0123456789abcdef", count: 1 << 20)
  static let known = {
    let known = DeferredReply(atMost: .seconds(3600), else: .text(500, "never"))
    known.fulfill(.text(201, "first"))
    known.fulfill(.text(500, "second"))
    return known
  }()

  func respond(to request: ReceivedRequest) -> Reply {
    var reply = Reply.text(200, "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))")
    switch request.target {
    case "/late": reply.delivery.delay = .milliseconds(50)
    case "/reset": reply.delivery.completion = .reset(afterBody: nil)
    case "/reset-in-body": reply.delivery.completion = .reset(afterBody: 4)
    case "/cut": reply.delivery.completion = .cut(afterBody: 4)
    case "/slow": reply.delivery.drip = Delivery.Drip(bytes: 1, pause: .milliseconds(20))
    case "/drip": reply.delivery.drip = Delivery.Drip(bytes: 1, pause: .milliseconds(1))
    case "/chunked": reply.delivery.isChunked = true
    case "/trailer": (reply.delivery.isChunked, reply.delivery.hasTrailer) = (true, true)
    case "/padded": reply.delivery.padding = 3 << 20
    case "/big", "/big?closing": reply.body = Array(Self.big.utf8)
    case "/deferred": reply = Reply(deferred: Self.deferred)
    case "/never": reply = Reply(deferred: DeferredReply(atMost: .milliseconds(1), else: .text(202, "time is up")))
    case "/kept":
      let late = DeferredReply(atMost: .seconds(3600), else: .text(500, "never"), keepsAlive: true)
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { late.fulfill(.text(200, "kept")) }
      reply = Reply(deferred: late)
    case "/known": reply = Reply(deferred: Self.known)
    case "/stream":
      var count = 0
      reply.body = []
      reply.stream = ReplyStream(every: .milliseconds(1)) {
        count += 1
        // Every second piece is empty, which must not end the stream.
        return count.isMultiple(of: 2) ? [] : Array("piece \(count)\n".utf8)
      }
    case "/flood":
      let pieces = pieces
      reply.stream = ReplyStream(every: .milliseconds(1)) {
        pieces.add()
        return [UInt8](repeating: 0x61, count: 1 << 16)
      }
    case "/empty": reply = Reply(status: 204)
    default: break
    }
    return reply
  }
}

/// The number of pieces of streams that a server asked for. `lock` guards it.
final class PieceCount: @unchecked Sendable {
  private let lock = Mutex()
  private var count = 0

  var now: Int { lock.withLock { count } }
  func add() { lock.withLock { count += 1 } }
}

/// A server for one test, and expected responses.
final class Served {
  let server: any HTTPServer
  let pieces = PieceCount()

  init(_ change: (inout ListenerSettings) -> Void = { _ in }) throws {
    // A closed connection is reported as an error of write(2), as in the program.
    signal(SIGPIPE, SIG_IGN)
    var settings = ListenerSettings(address: LoopbackAddress(port: 0))
    change(&settings)
    server = try SocketListener().open(settings) { [pieces] in EchoResponder(pieces) }
  }

  deinit { server.close() }

  func client() throws -> RawClient {
    let client = try RawClient(port: server.address.port)
    client.server = self
    return client
  }

  /// The complete response to these bytes on a new connection.
  func say(_ text: String) throws -> (text: String, end: RawClient.End) {
    let client = try client()
    client.send(text)
    return client.readToEnd()
  }

  /// The status of the last response to these bytes.
  func status(_ text: String) throws -> Int? {
    let answer = try say(text).text
    return answer.split(separator: "\r\n").last { $0.hasPrefix("HTTP/1.1 ") }
      .flatMap { Int($0.dropFirst(9).prefix(3)) }
  }
}

func get(_ path: String, closing: Bool = false) -> String {
  "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(closing ? "Connection: close\r\n" : "")\r\n"
}

func answer(_ body: String, closing: Bool = false) -> String {
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
    + (closing ? "Connection: close\r\n" : "") + "\r\n" + body
}
