import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Installing from a URL: the checksum, the signature that may be beside the archive, and redirects.
@Suite struct WebInstallTests {
  let site = PublishedPlugins()
  private let archive: String
  private let url: String

  init() throws {
    archive = try site.publish()
    url = "\(PublishedPlugins.origin)/x/\(archive)"
  }

  @Test func theListOfChecksumsIsBesideTheArchive() throws {
    let server = try site.serving("SHA256SUMS", archive, "?")
    let outcome = site.run("plugin install \(url) --yes", server)
    #expect(outcome.exit == .success, "\(outcome.errors)")
    #expect(
      server.asked == ["SHA256SUMS", archive, archive + ".sig"].map { "GET plugins.test/x/\($0)" })
    let sum = try #require(site.plugins.folder.text("site/SHA256SUMS")?.prefix(64))
    #expect(
      site.shown("origin,archive_sha256,signer,signer_key,status")
        == #"{"origin":"\#(url)","archive_sha256":"\#(sum)","signer":null,"signer_key":null,"status":"ready"}"#)
  }

  @Test func withoutAChecksumNothingIsInstalled() throws {
    for server in [Server().answering(404), Server().answering(403), Server().answering(200, "")] {
      let outcome = site.run("plugin install \(url) --yes", server)
      #expect(outcome.exit == .failure)
      #expect(outcome.errors.contains("the checksum of \(url) is unknown"))
      #expect(outcome.notes.last == "  Get the SHA-256 from the publisher and pass it with --sha256.")
    }
    #expect(try site.plugins.listed().isEmpty)
  }

  @Test func aNamedChecksumNeedsNoList() throws {
    let sum = try #require(site.plugins.folder.text("site/SHA256SUMS")?.prefix(64)).uppercased()
    #expect(site.run("plugin install \(url) --sha256 \(sum) --yes", try site.serving(archive, "?")).exit == .success)
    let upgrade = site.run("plugin upgrade shelf")
    #expect(upgrade.exit == .failure && upgrade.errors.contains("it was installed with --sha256"))
  }

  @Test func anotherArchiveIsRejected() throws {
    let sum = String(repeating: "0", count: 64)
    let server = try site.serving(archive)
    let outcome = site.run("plugin install \(url) --sha256 \(sum) --yes", server)
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("\(archive) has a different SHA-256 than expected\n  expected \(sum), but it has "))
    #expect(site.run("plugin install \(url) --sha256 1234").exit == .usage)
    #expect(try site.plugins.listed().isEmpty)
  }

  private func redirect(to location: String) -> Server {
    Server().answering(302, headers: [Server.field("Location", location)])
  }

  /// A redirect to http could be read and changed by anyone on the way.
  @Test(arguments: ["http://other.test/x", "http://127.0.0.1:8000/x"]) func aRedirectToHTTPIsNotFollowed(to: String) {
    let outcome = site.run("plugin install \(url) --yes", redirect(to: to))
    #expect(outcome.exit == .unavailable)
    #expect(outcome.errors.contains("was not downloaded"))
  }

  @Test func aRedirectToAnotherHostIsFollowed() throws {
    let server = redirect(to: "https://files.test/sums").answering(with: try site.bytes("SHA256SUMS"))
      .answering(302, headers: [Server.field("Location", "https://files.test/blob/1")])
      .answering(with: try site.bytes(archive)).answering(404)
    #expect(site.run("plugin install \(url) --yes", server).exit == .success)
    #expect(
      server.requests.map(\.url.host) == ["plugins.test", "files.test", "plugins.test", "files.test", "plugins.test"])
  }

  @Test func noCredentialIsSent() throws {
    site.home.environment["IFTTT_SERVICE_KEY"] = "lantern-key-of-the-tests-1234"
    site.home.secrets.append("lantern-key-of-the-tests-1234")
    let server = try site.serving("SHA256SUMS", archive, "?")
    site.run("plugin install \(url) --yes", server)
    #expect(
      !server.requests.isEmpty
        && server.requests.allSatisfy { $0.secrets.isEmpty && $0.header("Accept-Encoding") == "identity" })
  }

  @Test(arguments: [
    (404, ExitCode.notFound), (401, .credentials), (429, .unavailable), (500, .unavailable), (204, .unavailable),
  ])
  func errorsOfTheServerHaveTheirCodes(status: Int, exit: ExitCode) {
    let sum = String(repeating: "0", count: 64)
    let outcome = site.run("plugin install \(url) --sha256 \(sum) --retries 0", Server().answering(status))
    #expect(outcome.exit == exit, "\(outcome.errors)")
  }

  /// A query may hold a token.
  @Test func theQueryIsNeitherShownNorPinned() throws {
    let server = try site.serving("SHA256SUMS", archive, "?")
    #expect(site.run("plugin install '\(url)?token=lantern' --yes", server).exit == .success)
    #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0.url.wire.hasSuffix("?token=lantern") })
    #expect(site.run("plugin verify --write-lock").exit == .success)
    #expect(!site.run("plugin show shelf").output.contains("lantern"))
    #expect(site.plugins.folder.text("ifttt-plugins.lock")?.contains("lantern") == false)
    #expect(site.run("plugin outdated", try site.serving("SHA256SUMS")).exit == .success)
  }

  @Test func offlineNothingIsSent() {
    #expect(site.run("plugin install \(url) --offline").exit == .unavailable)
  }

  /// The sandbox answers requests to IFTTT alone.
  @Test func theSandboxProfileDownloadsToo() throws {
    let server = try site.serving("SHA256SUMS", archive, "?")
    #expect(site.run("--profile sandbox plugin install \(url) --yes", server).exit == .success)
  }

  @Test(arguments: [
    "http://plugins.test/a.zip", "ftp://plugins.test/a.zip", "https://plugins.test/a.txt", "https://plugins.test/",
    "https://plugins.test/a.zip --index local", "./site --sha256 \(sum)",
    "shelf --sha256 \(sum)",
    "git+https://plugins.test/a --sha256 \(sum)",
  ])
  func otherArgumentsAreUsageErrors(arguments: String) {
    let outcome = site.run("plugin install \(arguments)")
    #expect(outcome.exit == .usage, "\(outcome.errors)")
  }
  private static let sum = String(repeating: "0", count: 64)

  @Test func aDryRunOnlyReads() throws {
    let outcome = site.run("plugin install \(url) --dry-run", try site.serving("SHA256SUMS", archive, "?"))
    #expect(outcome.notes.last == "Would install plugin 'shelf'.")
    #expect(outcome.notes.contains("  signed by    no key"))
    #expect(try site.plugins.listed().isEmpty)
    #expect(!site.plugins.folder.names.contains { $0.hasPrefix("ifttt-") })
  }
}
