import Foundation
import HTTP
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The usage events of an activation and of the button, and the id in the URL that is opened.
@Suite struct ActivationUsageTests {
  private let activator = Activator(userToken: Activator.token)
  private var home: Home { activator.home }

  init() {
    let prepare = activator.home.prepare
    activator.home.prepare = { test in
      prepare(test)
      test.processes.again = .success(())
    }
  }

  private func shown() throws -> JSONValue {
    try JSONValue(parsing: Array(home.run("privacy show --json").output.utf8))
  }

  /// The queued events, each in a few words.
  private func waiting() throws -> [String] {
    try (shown()["next"]?["body"]?["events"]?.array ?? []).map { event in
      let keys = ["object_type", "object_id", "object_status", "location_id", "state"]
      let words = keys.compactMap { event["properties"]?[$0]?.string }
      return ([event["name"]?.string ?? ""] + words).joined(separator: " ")
    }
  }

  private func user(_ status: String) -> Server {
    Server().answering(200, Server.connection("aa", status: status)).answering(200, #"{"user_login":"kai"}"#)
  }

  @Test func theWholeFlowIsRecorded() throws {
    home.run("privacy on")
    home.environment["IFTTT_USER_TOKEN"] = nil
    home.terminal = .interactive()
    activator.returns("next_step=complete&user_token=\(Activator.newToken)")
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
      .answering(200, #"{"user_login":"kai"}"#).answering(200, Server.connection("aa"))
    let run = home.run(
      "connections activate aa", input: .typed(lines: ["kai", "kai@mail.test"]), answers: server)
    #expect(run.exit == .success)
    home.terminal = .none
    #expect(
      try waiting() == [
        "sdk.impression connection_email aa aa", "sdk.click connection_email aa aa", "sdk.click connection aa aa",
        "sdk.statechange connection aa enabled aa enabled", "sdk.pageviewed aa",
      ])
    let text = try shown()["next"]?.text ?? ""
    #expect(!text.contains("mail.test") && !text.contains(Activator.newToken))
  }

  @Test func theInstallationIDIsSentWhileTelemetryIsOn() throws {
    home.run("privacy on")
    activator.returns("next_step=complete")
    let server = user("never_enabled").answering(200, Server.connection("aa"))
    #expect(home.run("connections activate aa", answers: server).exit == .success)
    let id = activator.item("sdk_anonymous_id")
    #expect(try id == shown()["anonymous_id"]?.string)
    #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0.header("IFTTT-SDK-Anonymous-Id") == id })
    #expect(
      try waiting() == [
        "sdk.click connection aa never_enabled aa", "sdk.statechange connection aa enabled aa created",
        "sdk.pageviewed aa",
      ])
  }

  @Test func nothingIsRecordedWhileTelemetryIsOff() throws {
    home.run("privacy on")
    let id = try shown()["anonymous_id"]?.string
    home.run("privacy off")
    activator.returns("next_step=complete")
    let server = user("never_enabled").answering(200, Server.connection("aa"))
    #expect(home.run("connections activate aa", answers: server).exit == .success)
    #expect(activator.item("sdk_anonymous_id") != id && activator.item("sdk_anonymous_id")?.count == 36)
    #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0.header("IFTTT-SDK-Anonymous-Id") == nil })
    home.run("connections button aa", answers: Server().answering(200, Server.connection("aa")))
    home.run("privacy on")
    #expect(try waiting() == [])
  }

  @Test func aCanceledActivationIsOnlyAClick() throws {
    home.run("privacy on")
    activator.returns("next_step=user_cancelled_configuration")
    #expect(home.run("connections activate aa", answers: user("never_enabled")).exit == .failure)
    #expect(try waiting() == ["sdk.click connection aa never_enabled aa"])
  }

  @Test func enablingAgainIsRecordedOnce() throws {
    home.run("privacy on")
    let on = Server().answering(200, Server.connection("aa"))
    #expect(home.run("connections activate aa", answers: on).exit == .success)
    #expect(try waiting() == [], "it was already enabled")
    activator.returns("next_step=complete")
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(422)
      .answering(200, #"{"user_login":"kai"}"#).answering(200, Server.connection("aa"))
    #expect(home.run("connections activate aa", answers: server).exit == .success)
    #expect(
      try waiting() == [
        "sdk.click connection aa disabled aa", "sdk.statechange connection aa enabled aa enabled", "sdk.pageviewed aa",
      ])
  }

  @Test func theButtonIsAnImpression() throws {
    home.run("privacy on")
    home.run("connections button aa", answers: Server().answering(200, Server.connection("aa", status: "disabled")))
    home.run("connections button aa --dry-run")
    #expect(try waiting() == ["sdk.impression connection aa disabled aa"])
  }

  @Test func theAppletPageGetsTheInstallationIDToo() throws {
    home.run("privacy on")
    activator.returns("")
    let applet = { (status: String) in
      #"{"type":"applet","id":"bb","name":"Dusk","user_status":"\#(status)","services":[],"#
        + #""embedded_url":"https://ifttt.com/embed/lampost/applets/bb"}"#
    }
    let server = Server().answering(200, applet("never_enabled")).answering(200, applet("enabled"))
    let run = home.run("applets activate bb --service lampost --user-id u-1", answers: server)
    #expect(run.exit == .success)
    #expect(
      activator.opened.queryItems?.map(\.name) == [
        "user_id", "redirect_uri", "ifttt_sdk_version", "ifttt_sdk_platform", "ifttt_sdk_anonymous_id",
      ])
    #expect(try activator.item("ifttt_sdk_anonymous_id") == shown()["anonymous_id"]?.string)
    #expect(try waiting() == [])
  }
}
