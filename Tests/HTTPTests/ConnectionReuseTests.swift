import Foundation
import HTTP
import Support
import Testing
import Text
import World

/// Requests that are not idempotent on reused connections: none is sent twice, whenever the server closes a connection.
@Suite struct ConnectionReuseTests {
  private let world = makeWorld()

  private func client(_ world: World, jobs: Int = 4, observesSending: Bool? = nil) -> HTTPClient {
    HTTPClient(
      transport: CurlTransport(world: world, version: "0.0.0", observesSending: observesSending), world: world,
      policy: HTTPClient.Policy(retries: 3, jobs: jobs))
  }

  private func posts(_ count: Int, to path: String, at server: Server, bytes: Int = 2) throws -> [Request] {
    try (0..<count).map {
      Request(.post, try server.url("/\(path)?\($0)"), body: Array(repeating: 0x20, count: bytes), isRepeatable: false)
    }
  }

  @Test func writesShareConnections() throws {
    let server = try Server("faults.py")
    try client(world).send(posts(60, to: "", at: server)) { _, result in
      let status = try result.get().status
      #expect(status == 200)
    }
    let connections = try server.records().map(\.connection)
    #expect(connections.count == 60)
    #expect((1...4).contains(Set(connections).count))
  }

  /// libcurl before 7.80 does not report that it sends a request, and would send one again on a reused connection.
  @Test func withAnOlderLibraryReadsAloneShareConnections() throws {
    let server = try Server("faults.py")
    let client = client(world, observesSending: false)
    try client.send(posts(40, to: "close-second", at: server)) { _, result in
      let status = try result.get().status
      #expect(status == 200)
    }
    #expect(Set(try server.records().map(\.connection)).count == 40)
    let reads = try (0..<40).map { Request(.get, try server.url("/\($0)")) }
    try client.send(reads) { _, result in
      let status = try result.get().status
      #expect(status == 200)
    }
    #expect(Set(try server.records().dropFirst(40).map(\.connection)).count <= 4)
  }

  /// The server closes the connection before, in and after the request or its response.
  @Test(
    arguments: ["close-in-body", "reset-before", "close-second", "reset-in-body", "truncated", "close-after"],
    [true, false])
  func noWriteIsSentTwice(_ place: String, observesSending: Bool) throws {
    let server = try Server("faults.py")
    var arrived: [Int: Bool] = [:]
    let requests = try posts(40, to: place, at: server, bytes: place == "close-in-body" ? 4 << 20 : 2)
    try client(world, observesSending: observesSending).send(requests) { index, result in
      switch result {
      case .success: arrived[index] = true
      case .failure(.transport(let failure, let tries, _)):
        #expect(tries == 1 && failure.mayHaveArrived, "\(failure)")
        arrived[index] = false
      case .failure(let error): Issue.record("\(error)")
      }
    }
    #expect(arrived.count == 40)
    var counts: [String: Int] = [:]
    for record in try server.records() { counts[record.requestLine, default: 0] += 1 }
    #expect(counts.values.allSatisfy { $0 == 1 })
    for (index, _) in arrived.filter(\.value) {
      #expect(counts["POST /\(place)?\(index) HTTP/1.1"] == 1, "a success that did not arrive")
    }
    // A server that closes connections without saying so is noticed at once.
    if ["close-second", "close-after"].contains(place) { #expect(arrived.values.count { !$0 } <= 4) }
  }

  @Test func aWriteAfterAPauseHasANewConnection() throws {
    let server = try Server("faults.py")
    let client = client(world)
    let requests = try posts(3, to: "close-second", at: server)
    #expect(try client.send(requests[0]).status == 200)
    Thread.sleep(forTimeInterval: 2.1)
    #expect(try client.send(requests[1]).status == 200)
    #expect(throws: HTTPError.self) { try client.send(requests[2]) }
    #expect(try server.records().map(\.connection) == [1, 2, 2])
  }

  @Test(.enabled(if: Tool.exists("nginx"), "skipped: needs nginx"))
  func writesOverTLSUseHTTP1() throws {
    let authority = try Authority()
    let server = try Server("nginx.py", arguments: try authority.issue() + ["10"], logs: false)
    let world = makeWorld(environment: ["SSL_CERT_FILE": authority.certificate])
    let requests = try (0..<200).map {
      Request(.post, try server.url("/\($0)", scheme: "https"), body: [], isRepeatable: false)
    }
    var answers: [String] = []
    try client(world).send(requests) { _, result in answers.append(try result.get().text) }
    #expect(answers.count == 200)
    #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 ") })
    // Ten requests for each connection, and at most three connections that did not end.
    #expect((20...24).contains(Set(answers).count))
  }
}
