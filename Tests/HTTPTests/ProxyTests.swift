import HTTP
import Testing
import World

/// Proxies from the environment are used, and their credentials go only to them.
@Suite struct ProxyTests {
  let proxy: Server
  let authority: Authority

  init() throws { (proxy, authority) = (try Server("proxy.py"), try Authority()) }

  var address: String { "http://127.0.0.1:\(proxy.port)" }

  @Test(arguments: ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
  func httpsUsesATunnel(_ variable: String) throws {
    let server = try Server("faults.py", arguments: try authority.issue())
    let url = try server.url("/there", host: "service.example", scheme: "https")
    let environment = [
      variable: "http://agent:pass-word@127.0.0.1:\(proxy.port)", "SSL_CERT_FILE": authority.certificate,
    ]
    let response = try exchange(Request(.get, url), environment: environment)
    #expect(response.status == 200)
    #expect(response.headers.map(\.name) == ["Content-Type", "Content-Length"])
    let tunnel = try #require(try proxy.records().first)
    #expect(tunnel.requestLine == "CONNECT service.example:\(server.port) HTTP/1.1")
    #expect(tunnel.header("Proxy-Authorization") == "Basic YWdlbnQ6cGFzcy13b3Jk")
    #expect(tunnel.header("Accept") == nil)
    let record = try #require(try server.records().first)
    #expect(record.requestLine == "GET /there HTTP/1.1")
    #expect(record.header("Proxy-Authorization") == nil)
  }

  /// Searching for certificates takes time, so requests without TLS do not.
  @Test func certificatesAreNeededForTLSOnly() {
    func settings(_ proxy: String) -> ProxySettings { ProxySettings(environment: Environment(["all_proxy": proxy])) }
    #expect(!settings("").usesTLS(forScheme: "http") && settings("").usesTLS(forScheme: "https"))
    #expect(!settings("http://127.0.0.1:1").usesTLS(forScheme: "http"))
    #expect(settings("HTTPS://127.0.0.1:1").usesTLS(forScheme: "http"))
    #expect(!settings("https://elsewhere.example:1").usesTLS(forScheme: "http"), "it is not used for plain http")
  }

  @Test(arguments: ["NO_PROXY", "no_proxy"])
  func exceptionsAreReachedDirectly(_ variable: String) throws {
    let server = try Server("faults.py", arguments: try authority.issue())
    let environment = [
      "HTTPS_PROXY": address, variable: "example.com,127.0.0.1", "SSL_CERT_FILE": authority.certificate,
    ]
    let request = Request(.get, try server.url("/", scheme: "https"))
    #expect(try exchange(request, environment: environment).status == 200)
    #expect(try proxy.records().isEmpty)
  }

  @Test func lowerCaseTakesPrecedenceAndEmptyIsUnset() throws {
    let server = try Server("faults.py", arguments: try authority.issue())
    let request = Request(.get, try server.url("/", scheme: "https"))
    let environment = [
      "https_proxy": address, "HTTPS_PROXY": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1", "no_proxy": "",
      "SSL_CERT_FILE": authority.certificate,
    ]
    #expect(try exchange(request, environment: environment).status == 200)
    #expect(try proxy.records().count == 1)
  }

  @Test func plainHTTPUsesOnlyLocalProxies() throws {
    let server = try Server("faults.py")
    let request = Request(.get, try server.url("/a?b=c"))
    #expect(try exchange(request, environment: ["http_proxy": address]).status == 200)
    #expect(try proxy.records().map(\.requestLine) == ["GET http://127.0.0.1:\(server.port)/a?b=c HTTP/1.1"])
    for elsewhere in ["http://proxy.example:1", "proxy.example:1", "http://127.0.0.1@proxy.example:1"] {
      #expect(try exchange(request, environment: ["http_proxy": elsewhere]).status == 200)
    }
    #expect(try exchange(request, environment: ["HTTP_PROXY": address]).status == 200)
    #expect(try proxy.records().count == 1)
  }

  @Test(arguments: ["407", "403", "502"], [true, false])
  func errorStatusIsReportedAsProxys(_ status: String, observesSending: Bool) throws {
    let refusing = try Server("proxy.py", arguments: [status])
    let request = Request(.post, try WebURL(parsing: "https://service.example/"))
    let proxy = "http://agent:pass-word@127.0.0.1:\(refusing.port)"
    let (failure, tries) = try failure(
      request, environment: ["HTTPS_PROXY": proxy], retries: 3, observesSending: observesSending)
    #expect(
      failure == TransportError(kind: .proxy, message: "the proxy responded with \(status)", mayHaveArrived: false))
    #expect(tries == 1)
  }

  @Test(arguments: [
    ("http://agent:pass-word@127.0.0.1:1", TransportError.Kind.connect),
    ("http://agent:pass-word@nowhere.invalid:1", .proxy),
    ("ftp://agent:pass-word@127.0.0.1:1", .connect),
    ("http://agent:pass-word@127.0.0.1:port", .proxy),
  ])
  func failureShowsNoCredentials(_ proxy: String, _ kind: TransportError.Kind) throws {
    let request = Request(.post, try WebURL(parsing: "https://service.example/"))
    let failure = try failure(request, environment: ["HTTPS_PROXY": proxy]).failure
    #expect(!failure.mayHaveArrived)
    #expect(failure.kind == kind, "\(failure.message)")
    #expect(!failure.message.contains("pass-word") && !failure.message.contains("agent"), "\(failure.message)")
  }
}
