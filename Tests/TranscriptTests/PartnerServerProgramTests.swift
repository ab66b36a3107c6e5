import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The sandbox as IFTTT, toward the service of `Examples/service`: from its definition to an action that ran.
@Suite(.enabled(if: PartnerServer.isAvailable, "skipped: needs python3 and curl"))
struct PartnerServerProgramTests {
  private let files = TemporaryFolder()

  /// A sandbox server that acts as IFTTT for the partner's server.
  private func sandbox(
    for partner: PartnerServer, poll: String = "200ms", _ options: [String] = []
  ) throws -> SandboxServer {
    let seed = try Home().run("sandbox", "seed", "--definition", Checkout.path("Examples/service/definition.json"))
    #expect(seed.status == 0, "\(seed.errors)")
    return try SandboxServer(
      options: [
        "--seed", files.write("seed.json", seed.text), "--service-url", partner.url, "--poll", poll, "--outcome",
        "complete", "--service-key-file", files.write("key", PartnerServer.serviceKey), "--access-token-file",
        files.write("token", partner.accessToken()),
      ] + options)
  }

  /// The steps that the server lists, as they arrive.
  private final class Steps {
    private let following: Running
    private var text = ""

    init(_ server: SandboxServer) throws {
      following = try server.home.start(
        ["sandbox", "activity", "--follow", "--fields", "step,cause,endpoint,status,detail"])
    }

    /// Read until a step is listed that begins so.
    func wait(for step: String, _ cause: String, _ endpoint: String?) throws {
      let shown = endpoint.map { "\"\($0)" } ?? "null"
      let wanted = #"{"step":"\#(step)","cause":"\#(cause)","endpoint":\#(shown)"#
      while !text.contains(wanted) {
        let line = following.read(until: "\n")
        try #require(!line.isEmpty, "\(step) is missing in:\n\(text)\(following.readToEnd(following.errors))")
        text += line
      }
    }
  }

  /// Enable a connection on the page of the Connect URL.
  private func activate(_ id: String, on server: SandboxServer) throws {
    let page = try PartnerServer.curl("--fail", "\(server.url)/connect/\(id)?email=user-1@mail.test")
    #expect(page.contains("Connected"), "\(page)")
  }

  @Test func anEventRunsAnActionAndDisablingEndsIt() throws {
    let partner = try PartnerServer()
    let server = try sandbox(for: partner)
    let user = server.user()
    let steps = try Steps(server)
    try activate("lampost-1", on: server)
    try steps.wait(for: "options", "request", "triggers/lamp_switched_on/fields/lamp/options")
    try steps.wait(for: "webhook_sent", "enabled", "webhooks/connection/enabled")
    try steps.wait(for: "polled", "enabled", "triggers/lamp_switched_on")
    #expect(try partner.webhooks() == ["connection/enabled"])

    let configured = try user.run("configure", "lampost-1", "--set", "lamp=garden-2", "--no-input")
    #expect(configured.status == 0, "\(configured.errors)")
    try steps.wait(for: "validated", "request", "triggers/lamp_switched_on/fields/lamp/validate")
    try steps.wait(for: "webhook_sent", "updated", "webhooks/connection/updated")
    try steps.wait(for: "identity_deleted", "updated", "triggers/lamp_switched_on")
    try steps.wait(for: "polled", "updated", "triggers/lamp_switched_on")
    #expect(try partner.shown("/scenes").isEmpty, "earlier events run nothing")

    try partner.press("garden-2")
    try steps.wait(for: "found", "schedule", "triggers/lamp_switched_on")
    try steps.wait(for: "webhook_sent", "event", "webhooks/trigger_subscription/fired")
    try steps.wait(for: "queried", "event", "queries/list_lamps")
    try steps.wait(for: "ran", "event", "actions/set_scene")
    let scenes = try partner.shown("/scenes")
    #expect(scenes.map { $0["note"] as? String } == ["garden-2"] && scenes[0]["scene"] as? String == "sc_04")
    #expect(try partner.webhooks().last == "trigger_subscription/fired")

    let off = try user.run("connections", "disable", "lampost-1")
    #expect(off.status == 0, "\(off.errors)")
    try steps.wait(for: "webhook_sent", "disabled", "webhooks/connection/disabled")
    try steps.wait(for: "identity_deleted", "disabled", "triggers/lamp_switched_on")
    #expect(try partner.webhooks().last == "connection/disabled")
    let deleted = try partner.shown("/deleted_identities")
    #expect(deleted.map { ($0["trigger_identity"] as? String)?.count } == [40, 40])

    let on = try user.run("connections", "enable", "lampost-1")
    #expect(on.status == 0, "\(on.errors)")
    try partner.press("garden-2")
    let table = try server.home.run("sandbox", "activity", "--connection", "lampost-1", "--step", "ran", "-o", "table")
    #expect(table.text.contains("ENDPOINT") && table.text.contains("actions/set_scene"), "\(table.text)")
    server.running.signal(SIGTERM)
    #expect(server.running.wait() == 0)
  }

  @Test func aNotificationPollsAtOnceAndConfiguringUsesTheServersOptions() throws {
    let partner = try PartnerServer()
    let server = try sandbox(for: partner, poll: "1h")
    let user = server.user()
    let steps = try Steps(server)
    try activate("lampost-2", on: server)
    try steps.wait(for: "polled", "enabled", "triggers/any_lamp_switched_on")
    try partner.press("hall-1")
    try PartnerServer.curl(
      "--fail", "-H", "IFTTT-Service-Key: \(PartnerServer.serviceKey)", "-H", "Content-Type: application/json",
      "--data",
      #"{"data":[{"user_id":"user-1"}]}"#, "\(server.url)/v1/notifications")
    try steps.wait(for: "notified", "request", "triggers/any_lamp_switched_on")
    try steps.wait(for: "found", "notification", "triggers/any_lamp_switched_on")
    try steps.wait(for: "ran", "event", "actions/set_scene")
    #expect(try partner.shown("/scenes").map { $0["note"] as? String } == ["hall-1"])

    let path = "/v2/connections/lampost-2/actions/lampost.set_scene"
    let options = try user.run("api", "GET", "\(path)/field_options")
    #expect(options.text.contains("sc_06") && options.text.contains("Away"), "\(options.text)\(options.errors)")
    let rejected = try user.run("connections", "run", "lampost-2", "lampost.set_scene", "-f", "scene=none")
    #expect(rejected.status != 0)
    let ran = try user.run("connections", "run", "lampost-2", "lampost.set_scene", "-f", "scene=sc_06")
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(try partner.shown("/scenes").last?["scene"] as? String == "sc_06")
  }

  @Test func valuesThatDependOnEachOtherAreValidatedTogether() throws {
    let partner = try PartnerServer()
    let server = try sandbox(for: partner, poll: "1h")
    let user = server.user()
    let steps = try Steps(server)
    try activate("lampost-3", on: server)
    let endpoint = "triggers/lamp_of_room_switched_on/validate"
    let trigger = "lampost-3-f1.lampost.lamp_of_room_switched_on"
    func configure(_ lamp: String) throws -> Home.Outcome {
      try user.run("configure", "lampost-3", "--set", "\(trigger).room=house", "--set", "lamp=\(lamp)", "--no-input")
    }
    let rejected = try configure("garden-2")
    #expect(rejected.status == 1 && rejected.errors.contains("\(trigger).lamp: Pond is not in this room."))
    let configured = try configure("hall-1")
    try #require(configured.status == 0, "\(configured.errors)")
    for detail in ["Pond is not in this room.", "valid"] {
      try steps.wait(for: "validated", "request", #"\#(endpoint)","status":200,"detail":"\#(detail)""#)
    }
  }

  @Test func anExpiredAccessTokenIsRefreshed() throws {
    let partner = try PartnerServer(["--auto-allow"])
    let server = try SandboxServer(
      "--seed", try seed(refreshToken: partner.refreshToken()), "--service-url", partner.url, "--outcome", "complete",
      "--service-key-file",
      files.write("key", PartnerServer.serviceKey), "--access-token-file", files.write("token", "expired"),
      "--client-id", "ifttt", "--client-secret-file", files.write("secret", PartnerServer.clientSecret), "--token-url",
      "\(partner.url)/oauth/token")
    let steps = try Steps(server)
    try activate("lampost-2", on: server)
    try steps.wait(for: "refreshed", "unauthorized", nil)
    try steps.wait(for: "polled", "enabled", "triggers/any_lamp_switched_on")
    let activity = try server.home.run("sandbox", "activity", "--json")
    #expect(!activity.text.contains("expired") && !activity.text.contains(PartnerServer.clientSecret))
    #expect(try server.home.run("sandbox", "activity", "--step", "failed", "--json").text == "[]\n")
  }

  /// The server puts every credential that the sandbox knows into its headers, errors and events.
  @Test func repeatedCredentialsAreMasked() throws {
    let credentials = [
      "service+key+0x91ab4417", "first+access+7f20c1d9", "second+access+c93e58b0", "second+refresh+2d57e4a1",
      "first+refresh+8f0b6c1e", "client+secret+b1b5a377",
    ]
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/repeating_partner.py").path
    let partner = try Running(
      Python.command(script, Array(credentials[..<4])), environment: ["PATH": "/usr/bin:/bin"])
    defer {
      partner.endInput()
      partner.wait()
    }
    let url = String(partner.read(until: "\n").dropLast())
    let recording = files["recording"]
    let server = try SandboxServer(
      "--seed", try seed(refreshToken: credentials[4]), "--service-url", url, "--poll", "200ms", "--outcome",
      "complete",
      "--service-key-file", files.write("key", credentials[0]), "--access-token-file",
      files.write("token", credentials[1]), "--client-id", "ifttt", "--client-secret-file",
      files.write("secret", credentials[5]), "--token-url", "\(url)/token", "-v", "--record", recording)
    let steps = try Steps(server)
    try activate("lampost-2", on: server)
    try steps.wait(for: "refreshed", "unauthorized", nil)
    try steps.wait(for: "found", "schedule", "triggers/any_lamp_switched_on")
    try steps.wait(for: "given_up", "event", "actions/set_scene")
    var texts = [
      "activity": try server.home.run("sandbox", "activity", "--json").text,
      "requests": try server.home.run("sandbox", "requests", "--json").text,
    ]
    server.running.signal(SIGTERM)
    texts["trace"] = server.running.readToEnd(server.running.errors)
    for name in try FileManager.default.subpathsOfDirectory(atPath: recording) {
      guard let bytes = FileManager.default.contents(atPath: "\(recording)/\(name)") else { continue }
      texts["recording, \(name)"] = String(decoding: bytes, as: UTF8.self)
    }
    #expect(texts["trace"]?.contains("POST \(url)/token") == true && texts["activity"]?.contains("4; …") == true)
    #expect(texts["requests"]?.contains("trigger_subscription") == true && texts.count > 5)
    for credential in credentials {
      let encoded = credential.replacing("+", with: "%2B")
      for (name, text) in texts where text.contains(credential) || text.contains(encoded) {
        Issue.record("\(name) contains \(credential): \(text.prefix(2000))")
      }
      // The beginning alone is not enough to recognize a credential, but enough to reveal it.
      #expect(texts["trace"]?.contains(credential.prefix(9)) == false)
    }
  }

  /// The seed of the example's definition, in which the first user has a refresh token.
  private func seed(refreshToken: String) throws -> String {
    let text = try Home().run("sandbox", "seed", "--definition", PartnerServer.definition).text
    var seed = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    var users = try #require(seed["users"] as? [[String: Any]])
    users[0]["refresh_token"] = refreshToken
    seed["users"] = users
    return files.write("seed.json", String(decoding: try JSONSerialization.data(withJSONObject: seed), as: UTF8.self))
  }

  @Test func aRequestWithoutAResponseDelaysNoOther() throws {
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/waiting_partner.py").path
    let partner = try Running(Python.command(script), environment: ["PATH": "/usr/bin:/bin"])
    defer {
      partner.endInput()
      partner.wait()
    }
    let url = String(partner.read(until: "\n").dropLast())
    let seed = try Home().run("sandbox", "seed", "--definition", PartnerServer.definition).text
    let server = try SandboxServer(
      "--seed", files.write("seed.json", seed), "--service-url", url, "--outcome", "complete", "--poll", "1h")
    let user = server.user()
    let steps = try Steps(server)
    try activate("lampost-2", on: server)
    try steps.wait(for: "webhook_sent", "enabled", "webhooks/connection/enabled")
    let ran = try user.run("connections", "run", "lampost-2", "lampost.set_scene", "-f", "scene=sc_06")
    #expect(ran.status == 0, "\(ran.errors)")
    try steps.wait(for: "polled", "enabled", "triggers/any_lamp_switched_on")
  }

  @Test func webhooksMayNameTheirEvents() throws {
    let partner = try PartnerServer()
    for (options, hasNames) in [([String](), false), (["--webhook-names"], true)] {
      let server = try sandbox(for: partner, options)
      let steps = try Steps(server)
      try activate("lampost-2", on: server)
      try steps.wait(for: "webhook_sent", "enabled", "webhooks/connection/enabled")
      let text = try server.home.run("sandbox", "requests", "--path", "*webhooks*", "--json").text
      let sent = try #require(
        (try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])?.first, "\(text)")
      let request = try #require(sent["request"] as? [String: Any])
      let body = try #require(request["body"] as? String)
      #expect(body.contains(#""type":"connection","event":"enabled""#) == hasNames, "\(body)")
      let id = (request["headers"] as? [String: Any])?["X-Request-ID"] as? String
      #expect(try partner.shown("/webhooks").last?["request_id"] as? String == id)
    }
  }

  /// The whole request and the server's own words show why an action failed, and the corrected request succeeds.
  @Test func aFailedActionIsCorrectedAndSentAgain() throws {
    let partner = try PartnerServer()
    let server = try sandbox(for: partner)
    try activate("lampost-2", on: server)
    let ran = try server.user().run(
      "connections", "run", "lampost-2", "lampost.set_scene", "-f", "scene=sc_06", "-f", "note=Evening")
    #expect(ran.status == 0, "\(ran.errors)")
    func object(_ text: String) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }
    let listed = try server.home.run("sandbox", "activity", "--step", "ran", "--json").text
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [[String: Any]])
    let first = try #require(rows.last)
    let number = String(try #require(first["number"] as? Int))
    #expect(first["url"] as? String == "\(partner.url)/ifttt/v1/actions/set_scene" && first["attempt"] as? Int == 1)
    #expect((first["fields"] as? [String: String])?["scene"] == "sc_06")
    let body = try #require((first["request"] as? [String: Any])?["body"] as? String)

    let wrong = files.write("wrong.json", body.replacing("sc_06", with: "nope"))
    let failed = try server.home.run("sandbox", "send-again", number, "--input", wrong, "--json")
    #expect(failed.status == 1 && failed.errors.contains("No scene has this name."), "\(failed.errors)")
    let second = String(try #require(try object(failed.text)["number"] as? Int))
    let token = try partner.accessToken()
    let shown = try server.home.run("sandbox", "activity", second).text
    #expect(shown.split(separator: "\n").dropFirst().first == "MESSAGE:     No scene has this name.", "\(shown)")
    #expect(!shown.contains(PartnerServer.serviceKey) && !shown.contains(token), "\(shown)")

    let corrected = try server.home.run(
      "sandbox", "send-again", second, "--input", files.write("body.json", body), "--json")
    #expect(corrected.status == 0, "\(corrected.errors)")
    let row = try object(corrected.text)
    #expect(row["status"] as? Int == 200 && (row["caused_by"] as? Int).map(String.init) == second)
    #expect(try partner.shown("/scenes").map { $0["scene"] as? String } == ["sc_06", "sc_06"])
  }

  @Test func aServerThatIsGoneIsReported() throws {
    let port = try PartnerServer().url
    let seed = files.write(
      "seed.json",
      try Home().run("sandbox", "seed", "--definition", Checkout.path("Examples/service/definition.json")).text)
    let server = try SandboxServer("--seed", seed, "--service-url", port)
    let page = try PartnerServer.curl(
      "--data", "step=account&do=go", "\(server.url)/connect/lampost-1?email=user-1@mail.test")
    #expect(page.contains("The service cannot be reached"))
    let failures = try server.home.run("sandbox", "activity", "--step", "failed", "--json")
    #expect(failures.text.contains("no response"), "\(failures.text)")
  }
}
