import Foundation
import HTTP
import Testing

/// Which certificates are accepted. curl with the same environment must agree.
@Suite struct CertificateTests {
  let authority: Authority
  let other: Authority

  init() throws { (authority, other) = (try Authority(), try Authority()) }

  /// Requests `/` from the server with this program and with curl, which must agree.
  func verdict(
    _ server: Server, host: String = "127.0.0.1", environment: [String: String]
  ) throws -> TransportError? {
    let url = try server.url("/", host: host, scheme: "https")
    let curl = try Tool.run("curl", "-sS", "--max-time", "30", url.wire, environment: environment)
    do {
      #expect(try exchange(Request(.get, url), environment: environment).status == 200)
      #expect(curl.status == 0, "curl: \(curl.output)")
      return nil
    } catch HTTPError.transport(let failure, let tries, _) {
      #expect(curl.status != 0)
      #expect(failure.kind == .tls)
      #expect(!failure.mayHaveArrived)
      #expect(tries == 1)
      return failure
    }
  }

  func server(_ certificate: [String]) throws -> Server { try Server("faults.py", arguments: certificate) }

  @Test func rejectsUnknownAuthority() throws {
    let server = try server(try authority.issue())
    #expect(try verdict(server, environment: [:]) != nil)
    #expect(try verdict(server, environment: ["SSL_CERT_FILE": other.certificate]) != nil)
    #expect(try server.records().isEmpty)
  }

  @Test(arguments: ["SSL_CERT_FILE", "CURL_CA_BUNDLE"])
  func trustsFileNamedByVariable(_ variable: String) throws {
    let server = try server(try authority.issue())
    #expect(try verdict(server, environment: [variable: authority.certificate]) == nil)
    #expect(try verdict(server, host: "localhost", environment: [variable: authority.certificate]) == nil)
  }

  @Test func curlCABundleTakesPrecedence() throws {
    let server = try server(try authority.issue())
    let both = ["CURL_CA_BUNDLE": authority.certificate, "SSL_CERT_FILE": "/does/not/exist"]
    #expect(try verdict(server, environment: both) == nil)
    let reversed = ["CURL_CA_BUNDLE": other.certificate, "SSL_CERT_FILE": authority.certificate]
    #expect(try verdict(server, environment: reversed) != nil)
    #expect(try verdict(server, environment: ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": authority.certificate]) == nil)
  }

  @Test func trustsFolderWithHashLinks() throws {
    let server = try server(try authority.issue())
    let hashed = try authority.certificateFolder(hashed: true)
    #expect(try verdict(server, environment: ["SSL_CERT_DIR": hashed.path]) == nil)
    let plain = try authority.certificateFolder(hashed: false)
    #expect(try verdict(server, environment: ["SSL_CERT_DIR": plain.path]) != nil)
  }

  @Test func trustsFileAndFolderTogether() throws {
    let server = try server(try authority.issue())
    let folder = try other.certificateFolder(hashed: true)
    let request = Request(.post, try server.url("/", scheme: "https"))
    let environment = ["SSL_CERT_FILE": authority.certificate, "SSL_CERT_DIR": folder.path]
    #expect(try exchange(request, environment: environment).status == 200)
  }

  @Test func readsLargeFileIfFolderIsNotSufficient() throws {
    let server = try server(try authority.issue())
    let folder = try other.certificateFolder(hashed: true)
    let bundle = folder.path + "/bundle"
    let text = try String(contentsOfFile: authority.certificate, encoding: .utf8)
    try (String(repeating: "Text around certificates.\n", count: 5000) + text)
      .write(toFile: bundle, atomically: true, encoding: .utf8)
    let environment = ["SSL_CERT_FILE": bundle, "SSL_CERT_DIR": folder.path]
    let world = makeWorld(environment: environment)
    let client = HTTPClient(
      transport: CurlTransport(world: world, version: "0.0.0"), world: world, policy: HTTPClient.Policy(jobs: 4))
    let requests = try (0..<8).map { Request(.post, try server.url("/\($0)", scheme: "https")) }
    try client.send(requests) { _, result in
      let response = try result.get()
      #expect(response.status == 200)
    }
    #expect(try server.records().count == 8)
    let unknown = try Authority()
    let stranger = try self.server(try unknown.issue())
    let failure = try failure(Request(.get, try stranger.url("/", scheme: "https")), environment: environment).failure
    #expect(failure.kind == .tls)
    #expect(try stranger.records().isEmpty)
  }

  @Test func unreadableFileIsNamedInError() throws {
    let server = try server(try authority.issue())
    let failure = try verdict(server, environment: ["SSL_CERT_FILE": "/does/not/exist.pem"])
    #expect(failure?.message == "the certificates in /does/not/exist.pem cannot be read")
  }

  @Test func rejectsExpiredCertificate() throws {
    let server = try server(try authority.issue(days: -1))
    let failure = try verdict(server, environment: ["SSL_CERT_FILE": authority.certificate])
    #expect(try #require(failure).message.contains("expired"))
  }

  @Test func rejectsWrongHostName() throws {
    let server = try server(try authority.issue("DNS:other.example"))
    #expect(try verdict(server, environment: ["SSL_CERT_FILE": authority.certificate]) != nil)
    #expect(try verdict(server, host: "localhost", environment: ["SSL_CERT_FILE": authority.certificate]) != nil)
  }

  @Test func plainHTTPServerIsATLSFailure() throws {
    let server = try Server("faults.py")
    let failure = try failure(Request(.get, try server.url("/", scheme: "https"))).failure
    #expect(failure.kind == .tls)
    #expect(!failure.mayHaveArrived)
  }
}
