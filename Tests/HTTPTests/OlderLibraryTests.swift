import HTTP
import Testing

/// libcurl before 7.80 does not report that it sends a request. What it reports instead tells whether a failed request
/// may have arrived.
@Suite struct OlderLibraryTests {
  private let authority: Authority

  init() throws { authority = try Authority() }

  private func failure(
    _ method: Method, _ url: WebURL, trusting certificate: String? = nil, through proxy: Server? = nil
  ) throws -> TransportError {
    var environment = ["SSL_CERT_FILE": certificate ?? authority.certificate]
    if let proxy { environment["HTTPS_PROXY"] = "http://127.0.0.1:\(proxy.port)" }
    return try HTTPTests.failure(
      Request(method, url), environment: environment, timeout: .seconds(5), observesSending: false
    ).failure
  }

  @Test(arguments: ["http", "https"], ["reset-before", "truncated", "reset-in-body"])
  func whatWasSentMayHaveArrived(_ scheme: String, _ fault: String) throws {
    let server = try Server("faults.py", arguments: scheme == "https" ? try authority.issue() : [])
    for method in [Method.get, .post] {
      let failure = try failure(method, try server.url("/\(fault)", scheme: scheme))
      #expect(failure.kind == .broken && failure.mayHaveArrived, "\(failure)")
    }
  }

  @Test func whatWasSentThroughATunnelMayHaveArrived() throws {
    let (proxy, server) = (try Server("proxy.py"), try Server("faults.py", arguments: try authority.issue()))
    let url = try server.url("/reset-before", host: "service.example", scheme: "https")
    #expect(try failure(.post, url, through: proxy).mayHaveArrived)
    #expect(try server.records().count == 1)
  }

  @Test(arguments: ["http", "https"])
  func withoutAConnectionNothingArrived(_ scheme: String) throws {
    let failure = try failure(.post, try WebURL(parsing: "\(scheme)://127.0.0.1:1/"))
    #expect(failure.kind == .connect && !failure.mayHaveArrived, "\(failure)")
  }

  @Test(arguments: [false, true])
  func withoutATrustedCertificateNothingArrived(hasProxy: Bool) throws {
    let server = try Server("faults.py", arguments: try authority.issue())
    let url = try server.url("/", host: hasProxy ? "service.example" : "127.0.0.1", scheme: "https")
    let failure = try failure(
      .post, url, trusting: try Authority().certificate, through: hasProxy ? try Server("proxy.py") : nil)
    #expect(failure.kind == .tls && !failure.mayHaveArrived, "\(failure)")
    #expect(try server.records().isEmpty)
  }
}
