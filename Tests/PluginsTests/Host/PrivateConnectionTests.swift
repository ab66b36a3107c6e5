import Foundation
import JSON
import PluginProtocol
import Plugins
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Connections that a provider marks as private: their names and facts are shown, but never cached in plain text.
@Suite struct PrivateConnectionTests {
  let home = Home()
  private let people = FakeProvider("people", [.listConnections, .showConnection, .disableConnection, .runCommand])

  init() {
    people.answers["connections/list"] = { _ in
      [.item(Self.person("p2", "Bea@mail.test")), .item(Self.person("p1", "alice@mail.test")), .answer([:])]
    }
    people.answers["connections/show"] = { _ in [.answer(["connection": Self.person("p1", "alice@mail.test")])] }
    FakeProvider.install([people], in: home)
  }

  private static func person(_ id: String, _ name: String, _ status: String = "enabled") -> Value {
    let field: Value = ["id": "sub", "label": "sub", "type": "TEXT_FIELD", "default_value": Value("subject-of-\(id)")]
    return [
      "id": Value(id), "name": Value(name), "status": Value(status), "private": true,
      "description": Value("Known as \(name)"),
      "features": [["id": "claims", "title": "Claims", "fields": [field]]],
    ]
  }

  private func list(_ options: String = "") -> Home.Outcome {
    home.run("connections list --provider people -o csv --fields id,name,status,stale --no-header \(options)")
  }

  /// Whether any file of the home folder contains the text.
  private func isOnDisk(_ text: String) -> Bool {
    home.folder.names.contains { name in
      FileManager.default.contents(atPath: home.folder[name])?.firstRange(of: Data(text.utf8)) != nil
    }
  }

  @Test func privateConnectionsAreShownAndNotCached() {
    let list = list()
    #expect(list.output == "p1,alice@mail.test,enabled,false\np2,Bea@mail.test,enabled,false\n")
    #expect(list.errors == "" && list.exit == .success)
    _ = home.run("connections show people:p1")
    #expect(home.folder.names.contains("cache.db") && isOnDisk("people"), "the search works")
    for text in ["alice", "Bea", "mail.test", "subject-of", "claims"] { #expect(!isOnDisk(text), "\(text)") }
  }

  @Test func privateIDsAreCached() {
    _ = list()
    #expect(
      home.run("connections show p1 -o csv --fields provider,name --no-header").output == "people,alice@mail.test\n")
  }

  @Test func offlineTheProviderIsQueriedForPrivateRows() {
    _ = list()
    people.answers["connections/list"] = { _ in [.item(Self.person("p1", "alice@mail.test", "disabled")), .answer([:])]
    }
    #expect(list("--offline").output == "p1,alice@mail.test,disabled,false\n")
    #expect(people.asked.last { $0.method == "initialize" }?.params["offline"] == true)
    #expect(
      home.run("connections show people:p1 --offline -o csv --fields name --no-header").output == "alice@mail.test\n")
  }

  @Test func anUnavailableRowIsShownByItsID() {
    _ = list()
    for method in ["connections/list", "connections/show"] {
      people.answers[method] = { _ in [.fail(PluginError("network", "the office is closed"))] }
    }
    let list = list("--offline")
    #expect(list.output == "p1,p1,enabled,true\np2,p2,enabled,true\n" && list.exit == .success)
    #expect(
      home.run("connections show people:p2 --offline -o csv --fields name,stale --no-header").output == "p2,true\n")
  }

  @Test func theCardShowsPrivateFacts() {
    let card = home.run("connections show people:p1").output
    #expect(card.contains("Claims\n") && card.contains("sub:  subject-of-p1\n"), "\(card)")
    #expect(!card.contains("TEXT_FIELD"))
  }

  /// Earlier versions cached all rows.
  @Test func previouslyCachedRowsAreOverwritten() throws {
    people.answers["connections/list"] = { _ in
      [
        .item(["id": "p1", "name": "alice@mail.test", "status": "enabled", "description": "subject-of-p1"]),
        .answer([:]),
      ]
    }
    _ = list()
    #expect(isOnDisk("alice@mail.test") && isOnDisk("subject-of-p1"))
    people.answers["connections/list"] = { _ in [.item(Self.person("p1", "alice@mail.test")), .answer([:])] }
    _ = list("--max-age 0")
    #expect(!isOnDisk("alice@mail.test") && !isOnDisk("subject-of-p1"))
  }

  @Test(arguments: [true, false]) func deletingCredentialsRemovesTheCachedRows(_ isPrivate: Bool) {
    people.credentials = ["account/*"]
    people.answers["connections/list"] = { _ in
      [
        .ask("credential/put", ["name": "account/p1", "value": "x"]),
        .item(["id": "p1", "name": "alice@mail.test", "status": "enabled", "private": Value(isPrivate)]), .answer([:]),
      ]
    }
    people.answers["connections/disable"] = { _ in
      [
        .ask("credential/delete", ["name": "account/p1"]),
        .answer(["status": "disabled", "previous_status": "enabled", "changed": true]),
      ]
    }
    FakeProvider.install([people], in: home)
    _ = list()
    #expect(isOnDisk("\"id\":\"p1\""))
    #expect(home.run("connections disable people:p1 --yes").exit == .success)
    #expect(!isOnDisk("\"id\":\"p1\"") && !isOnDisk("alice@mail.test"))
  }
}
