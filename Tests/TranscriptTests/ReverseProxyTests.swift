import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `service listen` behind the reverse proxy of `Examples/service/nginx.conf`, with a certificate that is made for the
/// test.
@Suite(
  .enabled(
    if: ["nginx", "openssl", "curl"].allSatisfy(Tool.isInstalled), "skipped: needs nginx, openssl and curl"))
struct ReverseProxyTests: ListenerTests {
  let home = Home()
  private let folder = TemporaryFolder()
  private static let key = "the-service-key-of-the-tests"
  private static let name = "hooks.example.com"

  private func makeCertificate() throws {
    let made = try Tool.required("openssl").run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
        "/CN=\(Self.name)", "-addext", "subjectAltName=DNS:\(Self.name)", "-keyout", folder["key.pem"], "-out",
        folder["cert.pem"],
      ], in: ScratchFolder())
    try #require(made.status == 0, "\(made.errors)")
  }

  /// The example with the ports and the certificate of the test, each of which must be in it exactly once.
  private func configuration(port: UInt16, upstream: String) throws -> String {
    var server = try Checkout.text("Examples/service/nginx.conf")
    for (old, new) in [
      ("listen 443 ssl", "listen 127.0.0.1:\(port) ssl"), ("http://127.0.0.1:8787", "http://127.0.0.1:\(upstream)"),
      ("/etc/ssl/certs/\(Self.name).pem", folder["cert.pem"]),
      ("/etc/ssl/private/\(Self.name).key", folder["key.pem"]),
    ] {
      try #require(server.components(separatedBy: old).count == 2, "\(old)")
      server = server.replacingOccurrences(of: old, with: new)
    }
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder["tmp"]);" }
    return """
      daemon off; master_process off; worker_processes 1; pid \(folder["nginx.pid"]); error_log stderr crit;
      events { worker_connections 64; }
      http { access_log off; \(folders.joined(separator: " ")) \(server) }
      """
  }

  private func startProxy(to upstream: String) throws -> (nginx: Running, port: UInt16) {
    try makeCertificate()
    let port = try { try ClosedPort().number }()
    let file = folder.write("nginx.conf", try configuration(port: port, upstream: upstream))
    let nginx = try Running(
      [try Tool.required("nginx").path, "-e", "stderr", "-p", folder.path, "-c", file],
      environment: ["PATH": "/usr/sbin:/usr/bin:/bin"])
    return (nginx, port)
  }

  /// The status of the response to a request through the proxy.
  private func status(_ port: UInt16, _ path: String, key: String?) throws -> String {
    var words = [
      "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", folder["cert.pem"], "--resolve",
      "\(Self.name):\(port):127.0.0.1", "--retry", "20", "--retry-connrefused", "--retry-delay", "1", "-H",
      "X-Request-ID: r-\(path.utf8.count)-\(key ?? "")", "-d", #"{"data":{"user_id":"u-5521"}}"#,
    ]
    if let key { words += ["-H", "IFTTT-Service-Key: \(key)"] }
    let outcome = try Tool.required("curl").run(words + ["https://\(Self.name):\(port)\(path)"], in: ScratchFolder())
    return outcome.status == 0 ? outcome.output : outcome.errors
  }

  @Test func onlyWebhooksWithTheKeyPassTheProxy() throws {
    home.environment["IFTTT_SERVICE_KEY"] = Self.key
    let (running, upstream) = try listen("-o", "jsonl", "--fields", "user_id")
    let (nginx, port) = try startProxy(to: upstream)
    let webhook = "/ifttt/v1/webhooks/connection/enabled"
    #expect(try status(port, webhook, key: Self.key) == "200")
    #expect(try status(port, webhook, key: "another-key") == "401")
    #expect(try status(port, webhook, key: nil) == "401")
    #expect(try status(port, "/ifttt/v1/status", key: Self.key) == "404")
    #expect(try status(port, "/other\(webhook)", key: Self.key) == "404")
    running.signal(SIGTERM)
    #expect(running.readToEnd() == "{\"user_id\":\"u-5521\"}\n")
    #expect(running.wait() == 0)
    nginx.signal(SIGTERM)
    nginx.wait()
    #expect(try stored() == ["u-5521"])
  }
}
