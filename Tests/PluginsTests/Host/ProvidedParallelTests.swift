import PluginProtocol
import Plugins
import ProgramDriver
import Session
import Support
import Testing
import Text
import World

/// Requests to IFTTT and to several providers, in flight at the same time.
@Suite struct ProvidedParallelTests {
  let home = Home.tracking("aa")
  private let lamps = FakeProvider("lamps", [.listConnections, .showConnection])
  private let shelf = FakeProvider("shelf", [.listConnections, .showConnection])

  init() {
    for provider in [lamps, shelf] {
      provider.answers["connections/show"] = { params in
        let id = params["id"]?.string ?? ""
        return id.hasPrefix("no")
          ? [.fail(PluginError("not_found", "no '\(id)'"))] : [.answer(["connection": FakeProvider.connection(id)])]
      }
    }
    FakeProvider.install([lamps, shelf], in: home)
  }

  private func show(_ ids: String, _ server: Server? = nil) -> Home.Outcome {
    home.run("connections show \(ids) -o csv --fields provider,id --no-header", answers: server)
  }

  /// The provider responds only while IFTTT's request is in flight: before or after that, its request would time out.
  @Test(arguments: ["table", "csv", "jsonl"]) func aListIsFetchedInParallelWithIFTTTs(_ format: String) {
    home.wait(.seconds(100))
    lamps.answers["connections/list"] = { _ in [] }
    shelf.answers["connections/list"] = { _ in [.answer([:])] }
    let server = Server().answering(200, Server.connection("aa"))
    server.whileWaiting = { [lamps] in lamps.finish(listing: [FakeProvider.connection("l1")]) }
    let list = home.run("connections list -o \(format) --fields id --no-header", answers: server)
    #expect(list.output == (format == "jsonl" ? "{\"id\":\"aa\"}\n{\"id\":\"l1\"}\n" : "aa\nl1\n"))
    #expect(list.errors == "")
  }

  @Test func aConnectionIsFetchedInParallelWithIFTTTs() {
    lamps.answers["connections/show"] = { _ in [] }
    let server = Server().answering(200, Server.connection("bb"))
    server.whileWaiting = { [lamps] in lamps.finish(["connection": FakeProvider.connection("l1")]) }
    let show = show("lamps:l1 bb shelf:s1", server)
    #expect(show.output == "lamps,l1\nconnect,bb\nshelf,s1\n")
    #expect(show.errors == "")
  }

  @Test func silentProvidersTimeOutTogether() {
    for provider in [lamps, shelf] { provider.answers["connections/show"] = { _ in [] } }
    let show = home.run(
      "connections show lamps:l1 shelf:s1 bb --timeout 7s -o csv --fields id --no-header",
      answers: Server().answering(200, Server.connection("bb")))
    #expect(show.output == "bb\n")
    #expect(show.exit == .partial)
    #expect(home.last?.clock.monotonic() == .seconds(7))
  }

  /// Two requests of 5 s each, in one session and with a timeout of 7 s.
  @Test func eachRequestHasItsOwnTimeout() {
    lamps.answers["connections/show"] = { _ in [] }
    let server = Server().answering(200, Server.connection("bb")).answering(200, Server.connection("cc"))
    server.whileWaiting = { [home, lamps] in
      home.last?.clock.advance(by: .seconds(5))
      lamps.finish(["connection": FakeProvider.connection(lamps.asked.last?.params["id"]?.string ?? "")])
    }
    let show = show("lamps:l1 lamps:l2 bb cc --timeout 7s --jobs 1", server)
    #expect(show.output == "lamps,l1\nlamps,l2\nconnect,bb\nconnect,cc\n")
    #expect(show.errors == "")
    #expect(home.last?.clock.monotonic() == .seconds(10))
  }

  @Test func resultsAreInTheOrderOfTheArguments() {
    let server = Server().answering(200, Server.connection("bb"))
    let show = show("shelf:s2 lamps:l1 bb shelf:s1 lamps:l2", server)
    #expect(show.output == "shelf,s2\nlamps,l1\nconnect,bb\nshelf,s1\nlamps,l2\n")
    #expect([lamps.starts, shelf.starts] == [1, 1])
  }

  @Test func oneFailureDoesNotEndOtherRequests() {
    let show = show("lamps:no1 shelf:s1 lamps:l1 lamps:no2")
    #expect(show.output == "shelf,s1\nlamps,l1\n")
    #expect(show.exit == .partial)
    #expect(show.errors.contains("lamps:no1") && show.errors.contains("lamps:no2"))
    #expect(lamps.asked.map(\.method) == ["initialize"] + Array(repeating: "connections/show", count: 3))
  }

  @Test func aFailedStartFailsEachOfTheProvidersIDs() {
    lamps.problem = Problem(.refused, "plugin 'lamps' was changed", hint: "Install it again.")
    let show = show("lamps:l1 shelf:s1 lamps:l2")
    #expect(show.output == "shelf,s1\n")
    #expect(show.exit == .partial)
    #expect(show.errors.contains("lamps:l1") && show.errors.contains("lamps:l2"))
  }

  @Test func withoutShowSeveralRowsComeFromTheList() {
    lamps.capabilities = [.listConnections]
    lamps.answers["connections/list"] = { _ in
      [.item(FakeProvider.connection("l1")), .item(FakeProvider.connection("l2")), .answer([:])]
    }
    FakeProvider.install([lamps, shelf], in: home)
    let show = show("lamps:l2 lamps:no1 lamps:l1")
    #expect(show.output == "lamps,l2\nlamps,l1\n")
    #expect(show.exit == .partial)
    #expect(lamps.starts == 1)
  }

  @Test func withoutCredentialsNoProviderIsStarted() {
    home.environment = [:]
    #expect(show("lamps:l1 bb --as service").exit == .credentials)
    home.wait(.seconds(100))
    #expect(home.run("connections list --as service -o csv").exit == .credentials)
    #expect([lamps.starts, shelf.starts] == [0, 0])
  }
}

extension FakeProvider {
  /// Responds to the latest request, if there is one.
  fileprivate func finish(_ result: Value = [:], listing items: [Value] = []) {
    guard let last, let line = last.lines.last,
      case .request(.number(let id), _, _)? = try? Message(parsing: Array(line.utf8))
    else { return }
    let notes = items.map { Message.notification(method: "item", params: ["id": Value(id), "item": $0]) }
    last.act((notes + [Message.response(id: .number(id), result: result)]).map { .output($0.line) })
  }
}
