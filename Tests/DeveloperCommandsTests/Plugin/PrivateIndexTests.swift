import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Indexes whose server demands a header, from a file or a command.
@Suite struct PrivateIndexTests {
  let site = PublishedPlugins()
  private let url = "\(PublishedPlugins.origin)/index.json"
  private static let token = "lantern-token-of-the-tests"

  init() throws {
    try site.publish()
    site.home.secrets.append(Self.token)
    site.plugins.folder.write("header.txt", "Authorization: Bearer \(Self.token)\nmore\n")
  }

  private func add(_ options: String, _ server: Server) -> Home.Outcome {
    site.run("plugin index add acme \(url) \(options)", server)
  }

  private func headers(_ server: Server) -> [String?] { server.requests.map { $0.header("Authorization") } }

  @Test func theHeaderGoesToTheServerOfTheIndexOnly() throws {
    let server = try site.serving("index.json")
    let added = add("--header-file header.txt -v", server)
    #expect(added.exit == .success, "\(added.errors)")
    #expect(headers(server) == ["Bearer \(Self.token)"])
    #expect(site.run("plugin index list --json --fields header").output.contains(site.plugins.folder["header.txt"]))
    // The archive is on the same server; the next one is not.
    let archive = try site.serving("shelf-1.2.0-any.tar.gz", "?")
    #expect(site.run("plugin install shelf --yes -v", archive).exit == .success)
    #expect(headers(archive) == ["Bearer \(Self.token)", "Bearer \(Self.token)"])
    let text = try String(contentsOfFile: site.plugins.folder["site/index.json"], encoding: .utf8)
    let elsewhere = text.replacing(#""url":""#, with: #""url":"https://mirror.test/"#)
    let update = Server().answering(200, elsewhere)
    #expect(site.run("plugin index update", update).exit == .success)
    #expect(headers(update) == ["Bearer \(Self.token)"])
    #expect(site.run("plugin remove shelf --yes").exit == .success)
    let mirror = try site.serving("shelf-1.2.0-any.tar.gz", "?")
    #expect(site.run("plugin install shelf --yes", mirror).exit == .success)
    #expect(headers(mirror) == [nil, nil])
    // A redirect to another host does not get it either.
    let redirect = Server().answering(302, headers: [Server.field("Location", "https://mirror.test/index.json")])
      .answering(200, text)
    #expect(site.run("plugin index update", redirect).exit == .success)
    #expect(headers(redirect) == ["Bearer \(Self.token)", nil])
  }

  /// The store has the path, and never the value.
  @Test func theValueIsNotStored() throws {
    #expect(add("--header-file header.txt", try site.serving("index.json")).exit == .success)
    for name in site.plugins.folder.names where name.hasPrefix("ifttt.db") || name.hasPrefix("cache.db") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: site.plugins.folder[name]))
      #expect(bytes.range(of: Data(Self.token.utf8)) == nil, "\(name)")
    }
  }

  @Test func aCommandPrintsIt() throws {
    site.home.programs = { words, _ in
      #expect(words == ["pass", "show", "-x"])
      return ProcessResult(status: 0, output: Array("X-Token: \(Self.token)\n".utf8))
    }
    let server = try site.serving("index.json")
    #expect(add("--header-command -- pass show -x", server).exit == .success)
    #expect(server.requests.map { $0.header("X-Token") } == [Self.token])
    #expect(site.run("plugin index list --json --fields header").output.contains("pass show -x"))
  }

  @Test(arguments: ["", "Bearer x", ": x", "Two Words: x", "Name:"]) func otherTextIsNotAHeader(text: String) throws {
    site.plugins.folder.write("header.txt", text + "\n")
    let outcome = site.run("plugin index add acme \(url) --header-file header.txt")
    #expect(outcome.exit == .credentials, "\(outcome.errors)")
    #expect(outcome.errors.contains("does not begin with a line 'NAME: VALUE'"), "\(outcome.errors)")
  }

  @Test func optionsAreChecked() throws {
    for options in ["--header-command", "--header-file a --header-command -- x", "extra"] {
      #expect(site.run("plugin index add acme \(url) \(options)").exit == .usage, "\(options)")
    }
    #expect(site.run("plugin index add acme ./site/index.json --header-file header.txt").exit == .usage)
    #expect(site.run("plugin index add acme \(url) --header-file nowhere.txt").exit == .credentials)
    let denied = site.run("plugin index add acme \(url)", Server().answering(401))
    #expect(denied.exit == .credentials && denied.errors.contains("help plugin index add"), "\(denied.errors)")
  }

  // MARK: Hints

  @Test func aSearchWithoutAnIndexSaysHowToAddOne() {
    let outcome = site.run("plugin search tides")
    #expect(outcome.errors.contains("ifttt plugin index add examples https://"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("acme/tides", "ifttt plugin install git+https://github.com/acme/tides"),
    ("git.example.com/acme/tides", "ifttt plugin install git+https://git.example.com/acme/tides"),
    ("git@git.example.com:acme/tides.git", "ifttt plugin install git+ssh://git@git.example.com/acme/tides.git"),
    ("https://github.com/acme/tides", "ifttt plugin install git+https://github.com/acme/tides"),
    ("./tides.tar.xz", ".tar.xz is not supported"), ("https://example.com/tides.7z", ".7z is not supported"),
  ])
  func otherSourcesGetAHint(source: String, hint: String) {
    site.plugins.folder.write("tides.tar.xz", "x")
    let outcome = site.run("plugin install \(source)")
    #expect(outcome.exit != .success && outcome.errors.contains(hint), "\(outcome.errors)")
  }
}
