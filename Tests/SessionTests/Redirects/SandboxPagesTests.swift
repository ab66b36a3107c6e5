import Foundation
import HTTP
import JSON
import ProgramDriver
import Sandbox
import Support
import Testing

@testable import Session

/// The sandbox's web pages, served by a server and by the sandbox profile.
@Suite struct SandboxPagesTests {
  let sandbox = ServedSandbox()
  private static let access = "/access/api/Ud6Jn1Gs?sdk_return_to=lampost%3A%2F%2Fdone&email=kai%40mail.test"
  private static let connect = "/connect/Ud6Jn1Gs?redirect_uri=lampost%3A%2F%2Fdone&email=kai%40mail.test"

  private func location(_ target: String) -> String? {
    sandbox.answer("GET", target)?.fields.last { $0.isNamed("Location") }?.value
  }

  @Test func theOutcomeOptionDeterminesTheResultOfActivations() {
    sandbox.start("sandbox start --json --outcome cancelled --connect-results") { _ in
      #expect(location(Self.access) == "lampost://done?next_step=user_cancelled_configuration")
      #expect(location(Self.connect) == "lampost://done?next_step=user_cancelled_configuration")
      sandbox.run("sandbox reset")
      #expect(location(Self.access) == "lampost://done?next_step=user_cancelled_configuration")
    }
    sandbox.start("sandbox start --json --registered-redirect https://a.test/ --registered-redirect a:b") { _ in
      #expect(sandbox.answer("GET", Self.access)?.status == 400)
      #expect(location(Self.connect) == nil)
    }
    sandbox.start { _ in #expect(sandbox.answer("GET", Self.access)?.status == 200) }
    let run = sandbox.run("sandbox start --outcome success")
    #expect(run.exit == .usage && run.errors.contains("odd-fragment"))
  }

  @Test func showsUsageEventsAndMasksCodesInURLs() throws {
    sandbox.start { _ in
      let body = #"{"events":[{"name":"sdk.click","timestamp":"1","properties":{"object_id":"Kd7Rn2Qx"}}]}"#
      let type = [HeaderField("Content-Type", "application/json")]
      #expect(sandbox.answer("POST", "/v2/sdk/events", type, body: body)?.status == 204)
      _ = sandbox.answer("GET", Self.access + "&code=oc_secret_of_somebody&invite_code=secret-invitation")
      let rows = try #require(JSONValue(parsing: Array(sandbox.run("sandbox requests --json").output.utf8)).array)
      #expect(rows[0]["request"]?["body"]?.string == body)
      #expect(rows[1].text.contains("oc_secret") == false && rows[1].text.contains("secret-invitation") == false)
    }
  }

  @Test func theProfilesPagesAndRequestsShareOneState() throws {
    let home = Home()
    #expect(
      home.run("--profile sandbox connections show Ud6Jn1Gs --fields status -o tsv --no-header").lines == [
        "never_enabled"
      ])
    let test = TestWorld(now: home.now, folder: home.folder)
    let pages = SandboxPages(SandboxStateFile(home.folder["sandbox.json"], test.world))
    let reply = pages.respond(to: ReceivedRequest(method: "GET", target: Self.access + "&emulator_outcome=complete"))
    #expect(reply.status == 303 && reply.fields.contains { $0.isNamed("Location") })
    #expect(
      home.run("--profile sandbox connections show Ud6Jn1Gs --max-age 0 --fields status -o tsv --no-header").lines
        == ["enabled"])
  }

  @Test func servesOnlyPages() {
    let test = TestWorld(folder: TemporaryFolder())
    let pages = SandboxPages(SandboxStateFile("/nowhere/at/all.json", test.world))
    for target in ["/v2/me", "/v1/me", "/favicon.ico", "/", "/.sandbox", "/connections", "/access/api"] {
      #expect(!SandboxPages.serves(target))
      #expect(pages.respond(to: ReceivedRequest(method: "GET", target: target)).status == 404)
    }
    #expect(SandboxPages.serves("/connections/Kd7Rn2Qx/edit") && SandboxPages.serves(Self.access))
    #expect(pages.respond(to: ReceivedRequest(method: "TRACE", target: Self.access)).status == 404)
  }
}
