import PluginProtocol
import Plugins
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Providers' connections by id: shown, enabled and disabled.
@Suite struct ProvidedChangeTests {
  let home = Home.tracking("aa")
  private let lamps = FakeProvider(
    "lamps", [.listConnections, .showConnection, .enableConnection, .disableConnection])

  /// Makes l1 the only connection, with this status.
  private func switchTo(_ status: String) {
    lamps.answers["connections/show"] = { params in
      params["id"] == "l1"
        ? [.answer(["connection": FakeProvider.connection("l1", "Blue", status)])]
        : [.fail(PluginError("not_found", "no such lamp"))]
    }
  }

  init() {
    lamps.answers["connections/list"] = { _ in [.item(FakeProvider.connection("l1")), .answer([:])] }
    switchTo("enabled")
    lamps.answers["connections/enable"] = { _ in
      [.answer(["status": "enabled", "previous_status": "disabled", "changed": true])]
    }
    lamps.answers["connections/disable"] = { _ in
      [.fail(PluginError("unauthorized", "who are you?", reason: "the key is old", hint: "Sign in."))]
    }
    FakeProvider.install([lamps], in: home)
  }

  @Test(arguments: ["lamps:l1", "l1 --provider lamps", "lamps:l1 --provider lamps"])
  func aConnectionIsShown(_ id: String) {
    let show = home.run("connections show \(id) -o csv --fields provider,id,name,stale --no-header")
    #expect(show.output == "lamps,l1,Blue,false\n")
    #expect(show.errors == "")
    #expect(show.exit == .success)
  }

  @Test func anIDListedByOneProviderNeedsNoPrefix() {
    #expect(home.run("connections show l1 --offline").exit == .notFound)
    _ = home.run("connections list --provider lamps")
    #expect(home.run("connections show l1 --fields provider,id -o csv --no-header").output == "lamps,l1\n")
    #expect(home.run("connections show connect:l1 --offline").exit == .notFound)
    // IFTTT's connections take precedence.
    home.run("connections add l1 --offline")
    #expect(home.run("connections show l1 --offline").exit == .notFound)
  }

  @Test func withoutShowTheRowComesFromTheList() {
    lamps.capabilities = [.listConnections]
    FakeProvider.install([lamps], in: home)
    #expect(home.run("connections show lamps:l1 --fields id -o csv --no-header").output == "l1\n")
    #expect(home.run("connections show lamps:l9").exit == .notFound)
  }

  @Test func aMissingConnectionIsNotFound() {
    let show = home.run("connections show lamps:l9")
    #expect(show.exit == .notFound)
    #expect(show.errors == "ifttt: no such lamp\n")
    #expect(home.run("connections show nope:l1").exit == .notFound)
  }

  @Test func oneRunShowsConnectionsOfIFTTTAndProviders() {
    let server = Server().answering(200, Server.connection("bb"))
    let show = home.run("connections show lamps:l1 bb -o csv --fields provider,id --no-header", answers: server)
    #expect(show.output == "lamps,l1\nconnect,bb\n")
    #expect(lamps.starts == 1)
  }

  @Test func aResponseWithAnotherIDIsRejected() {
    lamps.answers["connections/show"] = { _ in [.answer(["connection": FakeProvider.connection("other")])] }
    let show = home.run("connections show lamps:l1")
    #expect(show.errors.contains("the request was for 'l1', but the response is for 'other'"))
    #expect(show.exit == .failure)
  }

  @Test func enablingAConnectionExpiresTheList() {
    switchTo("disabled")
    _ = home.run("connections list --provider lamps")
    let enable = home.run("connections enable lamps:l1 --json")
    #expect(
      enable.output == """
        [
        {"id":"lamps:l1","status":"enabled","previous_status":"disabled","changed":true,"error":null}
        ]

        """)
    #expect(lamps.asked.last?.params == ["id": "l1", "options": [:]])
    let before = lamps.starts
    _ = home.run("connections list --provider lamps")
    #expect(lamps.starts == before + 1)
  }

  @Test func rejectionsShowTheProvidersMessage() {
    let disable = home.run("connections disable lamps:l1")
    #expect(disable.exit == .credentials)
    #expect(disable.errors == "ifttt: who are you?\n  the key is old\n  Sign in.\n")
  }

  @Test func connectionsOfIFTTTAndProvidersAreChangedTogether() {
    switchTo("disabled")
    let server = Server().answering(200, Server.connection("aa", status: "disabled"))
      .answering(200, Server.connection("aa", status: "enabled"))
    let enable = home.run(
      "connections enable lamps:l1 aa --max-age 0 -o csv --fields id,status,changed --no-header", answers: server)
    #expect(enable.output == "lamps:l1,enabled,true\naa,enabled,true\n", "\(enable.errors)")
    #expect(lamps.asked.map(\.method) == ["initialize", "connections/show", "connections/enable"])
    #expect(server.asked.count == 2 && server.asked.allSatisfy { !$0.contains("lamps") && !$0.contains("l1") })
  }

  @Test func ownConnectionsMayHaveThePrefixConnect() {
    let server = Server().answering(200, Server.connection("aa"))
    let show = home.run("connections show connect:aa -o csv --fields provider,id --no-header", answers: server)
    #expect(show.output == "connect,aa\n")
  }

  @Test func allOfAProviderRequiresConfirmation() {
    lamps.answers["connections/list"] = { _ in
      [
        .item(FakeProvider.connection("l1")), .item(FakeProvider.connection("l2", "Red", "disabled")), .answer([:]),
      ]
    }
    lamps.answers["connections/show"] = { params in
      let isFirst = params["id"] == "l1"
      return [
        .answer(["connection": FakeProvider.connection(isFirst ? "l1" : "l2", nil, isFirst ? "enabled" : "disabled")])
      ]
    }
    let refused = home.run("connections enable --provider lamps --all")
    #expect(refused.exit == .failure)
    #expect(refused.errors.contains("Enable 1 connection?"))
    #expect(home.run("connections enable --provider lamps --all --yes --fields id -o csv --no-header").lines.count == 2)
    let some = home.run("connections enable --provider lamps --status disabled --fields id -o csv --no-header")
    #expect(some.output == "lamps:l2\n")
    let typed = home.run(
      "connections enable --provider lamps --stdin --fields id -o csv --no-header", input: .text("l1\n"))
    #expect(typed.output == "lamps:l1\n")
  }

  @Test func activationUsesTheProvider() {
    lamps.capabilities.append(.activateConnection)
    lamps.answers["connections/activate"] = { _ in
      [.answer(["connection": FakeProvider.connection("l1", "Blue", "enabled")])]
    }
    FakeProvider.install([lamps], in: home)
    let activate = home.run("connections activate lamps:l1 -o csv --no-header")
    #expect(activate.output == "lamps:l1,Blue,enabled,enabled,false,false,\n")
    #expect(lamps.asked.last?.params == ["id": "l1", "values": [:]])
  }

  @Test func fieldsAreSetUnderTheProvidersNames() {
    lamps.capabilities.append(.configureConnection)
    lamps.answers["connections/configure"] = { _ in [.answer(["connection": FakeProvider.connection("l1")])] }
    FakeProvider.install([lamps], in: home)
    let configure = home.run(
      "configure lamps:l1 --set color=red --set level=3 -o csv --no-header --fields field,value,change")
    #expect(configure.output == "color,red,changed\nlevel,3,changed\n")
    #expect(lamps.asked.last?.params == ["id": "l1", "values": ["color": "red", "level": "3"]])
    #expect(home.run("configure lamps:l1").exit == .usage)
    #expect(home.run("configure lamps:l1 --set a=b --file x").exit == .usage)
    let undone = home.run("connections undo")
    #expect(undone.exit == .failure && undone.errors.contains("cannot be undone"))
    #expect(undone.errors.contains("the previous settings of connection 'lamps:l1' are unknown"), "\(undone.errors)")
    let dryRun = home.run("configure lamps:l1 --set a=b --dry-run --json --fields after,requests")
    #expect(
      dryRun.lines[1]
        == #"{"after":{"status":"unknown","fields":{"a":"b"}},"requests":[{"method":"connections/configure","params":{"id":"l1","values":{"a":"b"}}}]}"#
    )
  }

  /// The run is named, and nothing is requested.
  @Test func aRunIsNotUndoneAtAProviderThatCannotEnable() {
    lamps.capabilities = lamps.capabilities.filter { $0 != .enableConnection }
    lamps.answers["connections/disable"] = { _ in [.answer(["status": "disabled", "changed": true])] }
    FakeProvider.install([lamps], in: home)
    #expect(home.run("connections disable lamps:l1 --yes").exit == .success)
    let requests = lamps.asked.count
    let undo = home.run("connections undo --json")
    #expect(undo.exit == .failure)
    #expect(undo.errors.contains(#""code":"cannot_undo","message":"run 1, "#), "\(undo.errors)")
    #expect(undo.errors.contains("provider 'lamps' cannot enable connection 'lamps:l1'"))
    #expect(lamps.asked.count == requests)
  }

  @Test func aDryRunStartsNoProvider() {
    let enable = home.run("connections enable lamps:l1 --dry-run --exit-code")
    #expect(enable.errors == "lamps:l1\n  ~ status: unknown → enabled\nifttt: something would change\n")
    #expect(enable.exit == .notYet)
    #expect(lamps.starts == 0)
  }

  @Test func undeclaredCapabilitiesAreNotRequested() {
    lamps.capabilities = [.listConnections]
    FakeProvider.install([lamps], in: home)
    let disable = home.run("connections disable lamps:l1 --yes")
    #expect(disable.exit == .failure)
    #expect(disable.errors.contains("it does not offer 'connections/disable'"))
    #expect(lamps.asked.map(\.method) == ["initialize", "connections/list"])
  }

  @Test func anUnknownErrorCodeIsAPluginFailure() {
    var error = PluginError("lamp_is_hot", "do not touch")
    (error.retryAfter, error.reference) = (30, "(Lamp 17)")
    error.extra = ["lamp_code": ["heat": 9], "code": "stolen"]
    error.reason = "it glows"
    lamps.answers["connections/disable"] = { [error] _ in [.fail(error)] }
    let text = home.run("connections disable lamps:l1")
    #expect(text.errors == "ifttt: plugin 'lamps': do not touch\n  it glows (Lamp 17)\n  Try again in 30 s.\n")
    let json = home.run("connections disable lamps:l1 --json")
    #expect(
      json.errors == """
        {"error":{"code":"plugin_failed","message":"plugin 'lamps': do not touch: it glows","hint":"Try again in 30 s.",\
        "status":null,"details":[],"exit_code":1,"request_id":null,"attempts":null,"retry_after":30,"lamp_code":{"heat":9}}}

        """)
  }
}
