import HTTP
import Testing

/// The descriptions of a transport and of the proxy settings, for troubleshooting.
@Suite struct TransportDescriptionTests {
  @Test func describesLibraryAndCertificates() throws {
    let world = makeWorld(environment: ["SSL_CERT_FILE": "/nowhere/ca.pem", "SSL_CERT_DIR": "/nowhere/certs"])
    let description = try #require(CurlTransport(world: world, version: "1").description)
    #expect(try description.library.get().hasPrefix("libcurl/"))
    #expect(description.certificateFile == "/nowhere/ca.pem")
    #expect(description.certificateFolder == "/nowhere/certs")
  }

  @Test func transportWithoutNetworkHasNoDescription() {
    #expect(OfflineTransport(world: makeWorld()).description == nil)
  }

  @Test(
    arguments: [
      ("http://proxy.test:3128", "http://proxy.test:3128"), ("http://kai:hunter2@proxy.test", "http://…@proxy.test"),
      ("kai:hunter2@proxy.test:80", "…@proxy.test:80"), ("socks5h://kai:p@ss@[::1]:1080", "socks5h://…@[::1]:1080"),
    ]) func proxyIsShownWithoutCredentials(_ proxy: String, _ shown: String)
  {
    #expect(ProxySettings.shown(proxy) == shown)
  }
}
