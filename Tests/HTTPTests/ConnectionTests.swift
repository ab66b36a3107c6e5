import Foundation
import HTTP
import Support
import Testing
import Text
import World

/// Reuse of connections, and cancellation of exchanges.
@Suite struct ConnectionTests {
  func client(_ world: World, jobs: Int = 16, retries: Int = 0) -> HTTPClient {
    HTTPClient(
      transport: CurlTransport(world: world, version: "0.0.0"), world: world,
      policy: HTTPClient.Policy(retries: retries, jobs: jobs))
  }

  @Test func connectionsAreReused() throws {
    let server = try Server("faults.py")
    var answered: Set<Int> = []
    let requests = try (0..<60).map { Request(.get, try server.url("/\($0)")) }
    try client(makeWorld(), jobs: 4).send(requests) { index, result in
      let response = try result.get()
      #expect(response.status == 200)
      answered.insert(index)
    }
    #expect(answered == Set(0..<60))
    let connections = Set(try server.records().map(\.connection))
    #expect((1...4).contains(connections.count))
  }

  @Test(.enabled(if: Tool.exists("nginx"), "skipped: needs nginx"))
  func http2UsesOneConnectionForAllRequests() throws {
    let authority = try Authority()
    let server = try Server("nginx.py", arguments: try authority.issue(), logs: false)
    let world = makeWorld(environment: ["SSL_CERT_FILE": authority.certificate])
    let requests = try (0..<50).map { Request(.get, try server.url("/\($0)", scheme: "https")) }
    var answers: [String] = []
    try client(world).send(requests) { _, result in answers.append(try result.get().text) }
    #expect(answers.count == 50)
    #expect(Set(answers).count == 1)
    #expect(try #require(answers.first).hasPrefix("HTTP/2.0 "))
  }

  /// libcurl would retry it by itself, invisibly.
  @Test func readOnAClosedConnectionIsRetriedVisibly() throws {
    let server = try Server("faults.py")
    let client = client(makeWorld(), retries: 1)
    var lines: [String] = []
    client.trace = { lines.append($0) }
    let read = Request(.get, try server.url("/close-second"))
    #expect(try client.send(read).status == 200)
    let second = try client.send(read)
    #expect(second.status == 200)
    #expect(second.attempts == 2)
    let connections = try server.records().map(\.connection)
    #expect(connections.count == 3 && connections[1] == 1 && connections[2] != 1)
    #expect(lines.count { $0.hasPrefix("> GET ") } == 3)
    #expect(lines.count { $0.hasPrefix("retry 1 in ") } == 1)
  }

  @Test func nothingIsResentWithoutRetries() throws {
    let server = try Server("faults.py")
    let client = client(makeWorld(), retries: 0)
    let read = Request(.get, try server.url("/close-second"))
    #expect(try client.send(read).status == 200)
    #expect(throws: HTTPError.self) { try client.send(read) }
    #expect(try server.records().map(\.connection) == [1, 1])
  }

  @Test(arguments: [false, true]) func resetIsOneAttemptAndEachAttemptIsTraced(_ isRepeatable: Bool) throws {
    let server = try Server("faults.py")
    let client = client(makeWorld(), retries: 2)
    var sent = 0
    client.trace = { if $0.hasPrefix("> POST ") { sent += 1 } }
    #expect(try client.send(Request(.get, try server.url("/"))).status == 200)
    let write = Request(.post, try server.url("/reset-before"), isRepeatable: isRepeatable)
    let failure = #expect(throws: HTTPError.self) { try client.send(write) }
    guard case .transport(let why, let tries, _) = failure else { return #expect(Bool(false), "\(failure as Any)") }
    #expect(why.mayHaveArrived)
    let expected = isRepeatable ? 3 : 1
    #expect(tries == expected)
    #expect(sent == expected)
    #expect(try server.records().count { $0.requestLine.hasPrefix("POST") } == expected)
  }

  @Test func nothingListeningIsAConnectFailure() throws {
    let port: Int
    do { port = try Server("faults.py").port }
    let request = Request(.post, try WebURL(parsing: "http://127.0.0.1:\(port)/"))
    let failure = try failure(request).failure
    #expect(failure.kind == .connect)
    #expect(!failure.mayHaveArrived)
  }

  @Test func unknownHostNameIsAResolveFailure() throws {
    let failure = try failure(Request(.get, try WebURL(parsing: "https://nowhere.invalid/"))).failure
    #expect(failure.kind == .resolve)
    #expect(!failure.mayHaveArrived)
  }

  @Test func interruptionEndsWaitForResponse() throws {
    let server = try Server("faults.py")
    let interruption = TestInterruption()
    let client = client(makeWorld(interruption: interruption))
    let log = server.folder.path + "/log"
    Thread.detachNewThread {
      while FileManager.default.contents(atPath: log)?.isEmpty ?? true { usleep(1000) }
      interruption.interrupt()
    }
    #expect(throws: HTTPError.interrupted) { try client.send(Request(.get, try server.url("/hang"))) }
    #expect(throws: HTTPError.interrupted) { try client.send(Request(.get, try server.url("/"))) }
    #expect(try server.records().count == 1)
  }

  @Test func interruptionEndsWaitForRetry() throws {
    let server = try Server("faults.py")
    let interruption = TestInterruption()
    let client = client(makeWorld(interruption: interruption), retries: 3)
    client.trace = { if $0.hasPrefix("retry") { interruption.interrupt() } }
    let request = Request(.get, try server.url("/status/503/Retry-After/20"))
    #expect(throws: HTTPError.interrupted) { try client.send(request) }
  }

  @Test(arguments: [
    ("ID=debian\nVERSION_ID=\"12\"", "apt install libcurl4"),
    ("NAME=x\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt install"),
    ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"", "dnf install libcurl"), ("ID=\"amzn\"", "dnf install libcurl"),
    ("ID=opensuse-leap\nID_LIKE='suse opensuse'", "zypper install libcurl4"), ("ID=arch", "pacman -S curl"),
    ("", "with the package manager"), ("ID=debianish", "with the package manager"),
  ])
  func theAdviceIsForTheSystem(_ description: String, _ command: String) {
    #expect(CurlLibrary.advice(for: description).contains(command))
  }

  @Test func missingLibraryIsReported() throws {
    let failure = try #require(CurlLibrary.open(["libnothing-of-this-name.so.4", "libc.so.6"]))
    #expect(failure.kind == .missingLibrary)
    #expect(!failure.mayHaveArrived)
    #expect(failure.message.contains("libnothing-of-this-name.so.4"))
    #expect(!failure.message.contains("nstall"), "the hint says it")
  }
}
