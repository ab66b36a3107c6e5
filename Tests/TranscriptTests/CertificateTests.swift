import Support
import Testing

/// TLS and proxies, configured with the same variables as in curl.
@Suite(.enabled(if: Tool.isInstalled("openssl"), "needs openssl")) struct CertificateTests {
  let folder: ScratchFolder
  let server: Server
  let home: Home

  init() throws {
    let folder = try ScratchFolder()
    self.folder = folder
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    func openssl(_ words: [String]) throws {
      let outcome = try Tool.required("openssl").run(words, in: folder)
      guard outcome.status == 0 else { throw Server.Failed(reason: outcome.errors) }
    }
    try folder.write("subjectAltName=IP:127.0.0.1,DNS:connect.example\n", to: "names")
    try openssl(
      ["req", "-x509"] + key + ["-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Throwaway"])
    try openssl(["req"] + key + ["-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server"])
    let sign = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
    try openssl(["x509", "-req", "-in", "server.csr", "-out", "server.pem"] + sign)
    server = try Server(certificate: ["\(folder.path)/server.pem", "\(folder.path)/server.key"])
    home = Home(nil, ["IFTTT_CONNECT_URL": "https://127.0.0.1:\(server.port)"].merging(Known.asUser) { $1 })
  }

  private var trust: [String: String] { ["SSL_CERT_FILE": "\(folder.path)/ca.pem"] }

  private func show(_ environment: [String: String]) throws -> Home.Outcome {
    try home.run(["connections", "show", "one", "--json", "--retries", "0"], environment)
  }

  @Test func aTrustedCertificateIsAccepted() throws {
    #expect(try show(trust).status == 0)
    #expect(try server.requests().map(\.level) == ["user"])
  }

  @Test func anUnknownAuthorityFailsBeforeAnythingIsSent() throws {
    let outcome = try show([:])
    #expect(outcome.status == 5)
    #expect(outcome.code == "tls", "\(outcome.errors)")
    #expect(try server.records().isEmpty)
  }

  @Test func aMismatchedNameFails() throws {
    home.environment["IFTTT_CONNECT_URL"] = "https://localhost:\(server.port)"
    #expect(try show(trust).code == "tls")
    #expect(try server.records().isEmpty)
  }

  @Test func aProxySeesNoCredentials() throws {
    home.environment["IFTTT_CONNECT_URL"] = "https://connect.example"
    let proxy = ["HTTPS_PROXY": "http://127.0.0.1:\(server.port)"]
    let outcome = try show(trust.merging(proxy) { $1 })
    #expect(outcome.status == 0, "\(outcome.errors)")
    let records = try server.requests()
    #expect(records.map(\.method) == ["CONNECT", "GET"])
    #expect(records.first?.target == "connect.example:443")
    #expect(records.first?.header("Authorization") == nil)
    #expect(records.last?.level == "user")
    #expect(records.last?.header("Host") == "connect.example")
  }

  @Test func excludedHostsBypassTheProxy() throws {
    let outcome = try show(
      trust.merging(["HTTPS_PROXY": "http://127.0.0.1:1", "NO_PROXY": "127.0.0.1"]) { $1 })
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try server.requests().map(\.method) == ["GET"])
    let through = try show(trust.merging(["HTTPS_PROXY": "http://127.0.0.1:1"]) { $1 })
    #expect(through.status == 5)
    #expect(through.code == "network")
  }
}
