import Foundation
import Support
import Testing

/// The inspector page of a sandbox server in a real browser: its look, its controls and its security.
@Suite(.serialized, .enabled(if: InspectorBrowser.isAvailable, "skipped: needs chromium and python3"))
struct InspectorPageTests {
  private let server: SandboxServer
  private let browser: InspectorBrowser

  private static let parts = ["Overview", "Connections", "Timeline", "Triggers", "Faults", "State"]
  private static let connection = "Kd7Rn2Qx"

  init() throws {
    server = try SandboxServer("--seed", "unusual")
    browser = try InspectorBrowser()
  }

  /// Send requests that the timeline then shows.
  /// - Returns: The page's URL.
  private func fillTimeline() throws -> String {
    let user = server.user()
    #expect(try user.run("connections", "show", Self.connection).status == 0)
    #expect(try user.run("token", "verify").status == 0)
    return try server.inspectorURL()
  }

  /// Open the page with a timeline.
  private func open(width: Int = 1280) throws { try browser.open(fillTimeline(), width: width, .wait("Live")) }

  private func expectNoComplaints(_ location: SourceLocation = #_sourceLocation) {
    #expect(browser.complaints == [], sourceLocation: location)
    for url in browser.requests { #expect(url.hasPrefix("\(server.url)/"), "another host", sourceLocation: location) }
  }

  // MARK: Look

  /// Looking changes nothing, so all looks are at one server.
  @Test func isReadable() throws {
    let url = try fillTimeline()
    for width in [360, 1280, 1920] {
      for isDark in [false, true] { try expectReadable(url, width: width, isDark: isDark) }
    }
  }

  private func expectReadable(_ url: String, width: Int, isDark: Bool) throws {
    try browser.open(url, width: width, isDark: isDark, .wait("Live"))
    func check(_ name: String) throws {
      let look = "\(name)-\(width)-\(isDark ? "dark" : "light")"
      try browser.perform(.screenshot("inspector-\(look)"))
      #expect(try browser.overflow() == [], "\(look)")
      #expect(try browser.lowContrast() == [], "\(look)")
    }
    for part in Self.parts {
      try browser.perform(.click(.link(part)))
      if let text = ["Connections": Self.connection, "Timeline": "/v2/me"][part] { try browser.perform(.wait(text)) }
      try check(part)
    }
    try browser.perform(.click(.link("Timeline")), .click(.row("/v2/me")), .wait("Request id"), .click("Edit"))
    try check("Entry")
    expectNoComplaints()
  }

  @Test func namesItsControls() throws {
    try open()
    let expected = [
      "Overview": ["Reveal", "Copy environment"], "Connections": ["User", "Edit"],
      "Timeline": ["Search", "User", "Connection", "Direction", "Step", "Status", "Pause", "Clear"],
      "Triggers": ["User", "Connection", "Fire", "Notify"], "Faults": ["Set fault", "Clear faults"],
      "State": ["Download seed", "Load seed", "Reset"],
    ]
    for part in Self.parts {
      try browser.perform(.click(.link(part)))
      if part == "Connections" { try browser.perform(.wait(Self.connection)) }
      let names = Set(try browser.controls().map(\.name))
      for name in Self.parts + (expected[part] ?? []) { #expect(names.contains(name), "\(part): \(names)") }
    }
    try browser.perform(.click(.link("Timeline")), .click(.row("/v2/me")), .wait("Request id"))
    let names = Set(try browser.controls().map(\.name))
    for name in ["Send again", "Edit", "Copy as curl"] { #expect(names.contains(name), "\(names)") }
  }

  // MARK: Keyboard

  @Test func worksFromAKeyboard() throws {
    try open()
    for part in Self.parts {
      try browser.perform(.key("Tab"))
      #expect(try browser.focus() == .init("link", part))
    }
    for _ in 0..<3 { try browser.perform(.key("Shift+Tab")) }
    // The third part before the last is the timeline.
    try browser.perform(.key("Enter"), .wait("/v2/me"))
    #expect(try browser.focus() == .init("heading", "Timeline"))
    try browser.perform(.key("Tab"))
    #expect(try browser.focus()?.name == "Search")
    repeat { try browser.perform(.key("Tab")) } while try browser.focus()?.role != "link"
    let newest = try browser.focus()
    try browser.perform(.key("ArrowDown"))
    let older = try browser.focus()
    #expect(newest?.name.contains("/v2/me") == true && older?.name.contains(Self.connection) == true)
    try browser.perform(.key("Enter"), .wait("Request id"))
    #expect(try browser.focus()?.role == "heading")
    try browser.perform(.key("Tab"))
    #expect(try browser.focus() == .init("link", "Close"))
    try browser.perform(.key("Enter"), .waitUntilGone("Request id"))
    #expect(try browser.focus() == older)
    expectNoComplaints()
  }

  // MARK: Key

  @Test func theKeyLeavesTheAddressAndStaysInTheTab() throws {
    try open()
    #expect(try browser.evaluate("location.href + document.referrer") as? String == "\(server.url)/")
    try browser.perform(.reload, .wait("Live"))
    #expect(try browser.evaluate("location.href") as? String == "\(server.url)/")
    let key = try #require(server.inspectorURL().split(separator: "=").last.map(String.init))
    #expect(!browser.requests.contains { $0.contains(key) })
    expectNoComplaints()
    // Chromium complains about reading cookies.
    #expect(try browser.evaluate("document.cookie") as? String == "")
  }

  @Test func withoutAKeySaysHowToOpenIt() throws {
    try browser.open("\(server.url)/", .wait("ifttt sandbox open"))
    #expect(try !browser.has(.link("Timeline")))
    expectNoComplaints()
    // The browser reports the status 401 on the console.
    try browser.open(
      "\(server.url)/#key=\(String(repeating: "0", count: 48))", .wait("The server rejects the key of this page"))
    #expect(try browser.text().contains("ifttt sandbox open"))
    #expect(try browser.evaluate("sessionStorage.length") as? Int == 0)
  }

  @Test func withoutJavaScriptNamesTheCommands() throws {
    try browser.open(server.inspectorURL(), width: 360, hasScripts: false)
    let text = try browser.text()
    #expect(text.contains("ifttt sandbox requests") && text.contains("ifttt sandbox activity"), "\(text)")
    #expect(try !browser.has(.link("Timeline")))
    #expect(try browser.overflow() == [])
    expectNoComplaints()
  }

  // MARK: Security

  private static let markup = "<img src=x onerror=\"document.title='attacked'\"><script>window.attacked=1</script>"
  private static let hostile = "\(markup)\u{202e}\u{1b}[31m\u{7}'`$(id)\\ שלום \(String(repeating: "x", count: 10_000))"

  @Test func hostileTextsStayText() throws {
    let body = try String(
      decoding: JSONSerialization.data(withJSONObject: [Self.hostile: Self.hostile]), as: UTF8.self)
    let path = try #require(Self.markup.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    try PartnerServer.curl(
      "-X", "POST", "-H", "X-Attack: \(Self.markup)", "-H", "Content-Type: application/json", "--data-raw", body,
      "\(server.url)/v2/connections/\(path)?user_id=\(path)")
    try open(width: 360)
    try browser.perform(.click(.link("Connections")), .wait(Self.connection))
    #expect(try browser.overflow() == [])
    try browser.perform(.click(.link("Timeline")), .fill("Search", "POST"), .click(.row("POST")), .wait("X-Attack"))
    let text = try browser.text()
    #expect(text.contains(Self.markup), "\(text.prefix(3000))")
    #expect(!text.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{7}" || $0 == "\u{202e}" })
    #expect(try browser.overflow() == [])
    let found = "[document.images.length, document.scripts.length, window.attacked ?? 0]"
    #expect(try browser.evaluate(found) as? [Int] == [0, 1, 0])
    #expect(try browser.evaluate("document.title") as? String == "Timeline – IFTTT sandbox")
    expectNoComplaints()
  }

  // MARK: Requests

  @Test(.enabled(if: Tool.isInstalled("curl"), "skipped: needs curl")) func theCopiedCommandSendsTheRequest() throws {
    try open()
    try browser.perform(
      .click(.link("Timeline")), .click(.row("/v2/me")), .wait("Request id"), .click("Copy as curl"), .wait("Copied"))
    let command = try browser.copied()
    let token = try #require(server.environment["IFTTT_USER_TOKEN"])
    #expect(command.contains("$IFTTT_USER_TOKEN") && !command.contains(token), "\(command)")
    let pasted = try Running(["/bin/sh", "-c", command], environment: server.user().environment)
    #expect(pasted.readToEnd().contains("user_login"), "\(command)")
    #expect(pasted.wait() == 0)
    #expect(try server.requests().filter { $0.path == "/v2/me" }.map(\.status) == [200, 200])
  }

  @Test func aRequestIsSentAgainWithChanges() throws {
    try open()
    func number() throws -> String { (try browser.evaluate("location.hash.slice('#entry-'.length)") as? String) ?? "" }
    try browser.perform(.click(.link("Timeline")), .click(.row("/v2/me")), .wait("Request id"))
    let first = try number()
    try browser.perform(
      .click("Edit"), .fill("Path", "/v2/connections/none"), .click("Send edited"), .wait("Sent GET again: 404"))
    #expect(try server.requests().last?.path == "/v2/connections/none")
    // The new entry is open, and leads to its cause.
    let second = try number()
    try browser.perform(
      .click(.link("Entry \(first) received /v2/me")), .wait("Entry \(second) received /v2/connections/none"))
    expectNoComplaints()
  }

  @Test func faultsAreSetAndCleared() throws {
    try open()
    try browser.perform(.click(.link("Faults")), .fill("Rule", "status=503,path=/v2/me"), .click("Set fault"))
    try browser.perform(.wait("Added status=503"))
    #expect(try server.user().run("token", "verify", "--retries", "0").status != 0)
    try browser.perform(.fill("Rule", "nonsense"), .click("Set fault"), .wait("is not a known fault"))
    try browser.perform(.click("Clear faults"), .wait("Cleared all faults"))
    #expect(try server.user().run("token", "verify").status == 0)
  }

  @Test func theStateIsSavedAndReset() throws {
    try open()
    #expect(try server.user().run("connections", "disable", Self.connection).status == 0)
    try browser.perform(.click(.link("State")))
    let seed = server.home.folder.write("seed.json", try browser.download("Download seed"))
    try browser.perform(.click("Reset"), .click("Cancel"), .click("Reset"), .click("Reset the server"))
    try browser.perform(.wait("Reset the server."))
    #expect(try status() == "enabled\n")
    try browser.perform(.file("Load seed", path: seed), .click("Replace the state"), .wait("Loaded seed.json"))
    #expect(try status() == "disabled\n")
    expectNoComplaints()
  }

  private func status() throws -> String {
    try server.user().run(
      "connections", "show", Self.connection, "-o", "tsv", "--no-header", "--fields", "status"
    ).text
  }

  // MARK: Load

  /// More requests per second than the page shows one by one.
  @Test func manyRequestsDoNotBlockThePage() throws {
    try open()
    try browser.perform(.click(.link("Timeline")), .wait("/v2/me"))
    _ = try browser.longestTask()
    let script = """
      import http.client, sys
      connection = http.client.HTTPConnection(sys.argv[1])
      for number in range(4000):
        connection.request("GET", f"/v2/connections/none-{number}")
        connection.getresponse().read()
      """
    let host = String(server.url.dropFirst("http://".count))
    let load = try Tool.required("python3").run(["-c", script, host], in: ScratchFolder())
    #expect(load.status == 0, "\(load.errors)")
    // The newest entry is shown, and an entry that the stream skipped is found after the page has caught up.
    try browser.perform(.wait("none-3999"), .fill("Search", "none-17"), .wait("none-1799"))
    // Other tests share the processor.
    #expect(try browser.longestTask() < 500)
    expectNoComplaints()
  }
}
