import Foundation
import JSON
import PluginProtocol
import Plugins
import ProgramDriver
import Session
import Support
import Testing
import Text
import World

/// Providers' connections in `connections list`, in addition to IFTTT's own.
@Suite struct ProvidedListTests {
  let home = Home.tracking("aa")
  private let lamps = FakeProvider(
    "lamps", listing: [FakeProvider.connection("l2", "Yellow", "disabled"), FakeProvider.connection("l1", "Blue")])
  private let shelf = FakeProvider("shelf", listing: [FakeProvider.connection("s1")])

  private func list(_ options: String = "") -> Home.Outcome {
    home.run("connections list -o csv --fields provider,id,status,stale --no-header \(options)")
  }

  /// Whichever provider responds first, and also if a list is cached.
  @Test(arguments: ["csv", "tsv", "table", "json"]) func rowsOfAllProvidersAreSortedByNameAndID(format: String) {
    let tides = FakeProvider(
      "tides", listing: [FakeProvider.connection("t1", "AA"), FakeProvider.connection("t0", "blue")])
    FakeProvider.install([shelf, tides, lamps], in: home)
    func ids(_ answers: Server? = nil) -> [String] {
      let list = home.run("connections list -o \(format) --fields id --no-header", answers: answers)
      return list.output.split { !($0.isLetter || $0.isNumber) }.map(String.init).filter { $0 != "id" }
    }
    let expected = ["aa", "t1", "l1", "t0", "s1", "l2"]
    #expect(ids() == expected && ids() == expected, "fetched, and then cached")
    home.wait(.seconds(61))
    #expect(ids(Server().answering(200, Server.connection("aa"))) == expected, "while IFTTT's own are fetched")
  }

  /// In a table a plugin's connection has the name that commands accept, also if several plugins have the id.
  @Test func aPluginsConnectionIsNamedWithItsPlugin() {
    FakeProvider.install([shelf, FakeProvider("tides", listing: [FakeProvider.connection("s1")])], in: home)
    let table = home.run("connections list").output
    #expect(table.contains("\nshelf:s1  ") && table.contains("\ntides:s1  ") && table.contains("\naa  "), "\(table)")
    let run = home.run("connections disable s1")
    #expect(run.exit == .usage && run.notes.first == "ifttt: 's1' is a connection of shelf and tides", "\(run.errors)")
    #expect(run.errors.contains("shelf:s1 or tides:s1"))
  }

  @Test func everyMemberOfTheContractIsPresent() throws {
    FakeProvider.install([shelf], in: home)
    let text = home.run("connections list --provider shelf --json").output
    let row = try #require(JSONValue(parsing: Array(text.utf8)).array?.first?.object)
    let ours = home.run("connections list --provider connect --json").output
    let own = try #require(JSONValue(parsing: Array(ours.utf8)).array?.first?.object)
    #expect(row.members.map(\.key) == own.members.map(\.key))
  }

  @Test func freshListsAreNotFetchedAgain() {
    FakeProvider.install([lamps], in: home)
    let first = list().output
    #expect(list().output == first)
    #expect(lamps.starts == 1)
    home.wait(.seconds(61))
    #expect(list("--provider lamps").output.hasPrefix("lamps,l1,enabled,false\n"))
    #expect(lamps.starts == 2)
    _ = list("--provider lamps --max-age 0")
    _ = list("--provider lamps --refresh")
    #expect(lamps.starts == 4)
  }

  @Test func oneFailureDoesNotAffectOtherProviders() {
    lamps.answers["connections/list"] = { _ in [.item(FakeProvider.connection("x")), .raw(.ended(status: 3))] }
    FakeProvider.install([lamps, shelf], in: home)
    let list = list()
    #expect(list.output == "connect,aa,enabled,false\nshelf,s1,enabled,false\n")
    #expect(
      list.errors
        == "Provider 'lamps' is skipped: plugin 'lamps' failed: it exited with status 3 before it responded\n")
    #expect(list.exit == .success)
  }

  @Test func providersAreQueriedInParallel() {
    // None of them ever responds; each gets its whole timeout, and no more.
    let silent = ["a", "b", "c", "d"].map { FakeProvider($0) }
    for provider in silent { provider.answers["connections/list"] = { _ in [] } }
    FakeProvider.install(silent + [shelf], in: home)
    let list = list("--timeout 7s")
    #expect(list.output == "connect,aa,enabled,false\nshelf,s1,enabled,false\n")
    #expect(
      list.notes
        == ["a", "b", "c", "d"].map {
          "Provider '\($0)' is skipped: plugin '\($0)' failed: it did not respond to 'connections/list' within 7 s"
        })
    #expect(home.last?.clock.monotonic() == .seconds(7))
  }

  @Test func startupCountsTowardTheTimeout() {
    shelf.answers["initialize"] = { _ in [] }
    FakeProvider.install([shelf], in: home)
    let list = list("--provider shelf --timeout 1s")
    #expect(list.errors.contains("it did not respond to 'initialize' within 1 s"))
    #expect(home.last?.clock.monotonic() == .seconds(1))
  }

  @Test func aHeldLockDelaysNoOtherProvider() throws {
    lamps.answers["connections/list"] = { _ in
      [.ask("lock/acquire", ["name": "l"]), .fail(PluginError("network", "closed"))]
    }
    FakeProvider.install([lamps, shelf], in: home)
    _ = list("--provider lamps")
    let folder = home.folder["plugin-locks"]
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let lock = try #require(try LiveFiles(interruption: TestInterruption()).lock("\(folder)/\(name)"))
    let list = list("--timeout 3s")
    lock.release()
    #expect(list.output == "connect,aa,enabled,false\nshelf,s1,enabled,false\n")
    #expect(list.notes.count == 1 && list.errors.hasPrefix("Provider 'lamps' is skipped: "))
    #expect(home.last?.clock.monotonic() == .seconds(3))
  }

  @Test func ctrlCEndsAllProviders() {
    for provider in [lamps, shelf] { provider.answers["connections/list"] = { _ in [.raw(.interrupted)] } }
    FakeProvider.install([lamps, shelf], in: home)
    #expect(list().exit == .interrupted)
    for provider in [lamps, shelf] {
      #expect(provider.last?.lines.contains(#"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":2}}"#) == true)
    }
  }

  @Test func theLastListIsShownAsStale() {
    FakeProvider.install([lamps], in: home)
    _ = list("--provider lamps")
    lamps.answers["connections/list"] = { _ in [.raw(.line("rubbish"))] }
    home.wait(.seconds(61))
    let list = list("--provider lamps")
    #expect(list.output == "lamps,l1,enabled,true\nlamps,l2,disabled,true\n")
    #expect(list.errors.hasPrefix("Provider 'lamps' is shown from the cache: plugin 'lamps' failed: it wrote"))
    #expect(list.exit == .success)
  }

  @Test(arguments: ["--max-age 0", "--refresh"])
  func aRequiredRefreshFails(_ option: String) {
    lamps.answers["connections/list"] = { _ in [.fail(PluginError("network", "the shop is closed", hint: "Wait."))] }
    FakeProvider.install([lamps], in: home)
    let list = list("--provider lamps \(option)")
    #expect(list.exit == .unavailable)
    #expect(list.errors == "ifttt: the shop is closed\n  Wait.\n")
  }

  @Test func withoutOtherRowsAProviderFailureFailsTheCommand() {
    lamps.problem = Problem(.refused, "plugin 'lamps' was changed", hint: "Install it again.")
    FakeProvider.install([lamps], in: home)
    let list = list("--provider lamps")
    #expect(list.exit == .failure)
    #expect(list.errors == "ifttt: plugin 'lamps' was changed\n  Install it again.\n")
    #expect(self.list().errors == "Provider 'lamps' is skipped: plugin 'lamps' was changed\n")
  }

  @Test func offlineUsesTheCache() {
    FakeProvider.install([lamps], in: home)
    _ = list("--provider lamps")
    home.wait(.seconds(3600))
    #expect(list("--provider lamps --offline").output == "lamps,l1,enabled,true\nlamps,l2,disabled,true\n")
    #expect(lamps.starts == 1)
  }

  @Test func statusFiltersApplyToAllProviders() {
    FakeProvider.install([lamps, shelf], in: home)
    #expect(list("--status disabled").output == "lamps,l2,disabled,false\n")
  }

  @Test func aProviderWithCredentialsIsUsedAfterOneIsStored() {
    lamps.credentials = ["account"]
    lamps.answers["connections/show"] = { _ in
      [
        .ask("credential/put", ["name": "account", "value": "x"]),
        .answer(["connection": FakeProvider.connection("l1")]),
      ]
    }
    lamps.capabilities.append(.showConnection)
    FakeProvider.install([lamps], in: home)
    #expect(list().output == "connect,aa,enabled,false\n")
    #expect(lamps.starts == 0)
    #expect(home.run("connections show lamps:l1").exit == .success)
    #expect(list().output.hasSuffix("lamps,l1,enabled,false\nlamps,l2,disabled,false\n"))
  }

  @Test func theSandboxUsesNoProviders() {
    FakeProvider.install([lamps], in: home)
    #expect(home.sandbox("connections list --fields provider -o csv --no-header").output.contains("lamps") == false)
    #expect(home.sandbox("connections list --provider lamps").exit == .notFound)
    #expect(lamps.starts == 0)
  }

  @Test func aRecordingContainsNoProviders() {
    FakeProvider.install([lamps], in: home)
    let recorded = list("--record \(home.folder["recorded"])")
    #expect(recorded.output == "connect,aa,enabled,false\n")
    #expect(list("--provider lamps --record \(home.folder["again"])").exit == .failure)
    #expect(lamps.starts == 0)
  }

  @Test func anUnknownProviderIsNotFound() {
    FakeProvider.install([lamps], in: home)
    let list = list("--provider nope")
    #expect(list.exit == .notFound)
    #expect(list.errors == "ifttt: no provider 'nope'\n  Providers: 'connect', 'lamps'.\n")
  }

  @Test(
    arguments: [
      ["name": "no id", "status": "enabled"], ["id": "a/b", "name": "n", "status": "enabled"],
      ["id": "a", "status": "enabled"], ["id": "a", "name": "n", "status": "on"], ["id": "a", "name": "n"],
    ] as [Value])
  func invalidConnectionsAreRejected(_ item: Value) {
    FakeProvider.install([FakeProvider("lamps", listing: [item])], in: home)
    let list = list("--provider lamps")
    #expect(list.exit == .failure)
    #expect(list.errors.hasPrefix("ifttt: plugin 'lamps' failed\n"))
  }

  @Test func hostileNamesAreEscaped() {
    let name = "\u{1b}[2J\nconnect"
    FakeProvider.install([FakeProvider("lamps", listing: [FakeProvider.connection("l1", name)])], in: home)
    let table = home.run("connections list --provider lamps").output
    #expect(table.contains("\\u{1b}[2J\\u{a}connect") || table.contains("\\u{1b}[2J\\nconnect"))
    #expect(!table.contains("\u{1b}"))
  }

  @Test func theGreetingDescribesTheRun() {
    FakeProvider.install([lamps], in: home)
    _ = home.run("connections list --provider lamps --offline --timeout 7s --locale fr-CA -v")
    let greeting = lamps.asked.first?.params
    #expect(lamps.asked.first?.method == "initialize")
    #expect(greeting?["offline"] == true)
    #expect(greeting?["verbose"] == true)
    #expect(greeting?["interactive"] == false)
    #expect(greeting?["timeout_ms"] == 7000)
    #expect(greeting?["locale"] == "fr-CA")
    #expect(greeting?["profile"] == "default")
  }
}
