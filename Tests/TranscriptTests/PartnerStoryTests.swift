import Foundation
import Support
import Testing

/// What a partner's engineer does in the browser: two people sign in at the service of `Examples/service`, an action fails,
/// its setting is corrected, and it is sent again.
@Suite(
  .enabled(if: InspectorBrowser.isAvailable && PartnerServer.isAvailable, "skipped: needs chromium, python3 and curl"))
struct PartnerStoryTests {
  private let files = TemporaryFolder()
  private let partner: PartnerServer
  private let server: SandboxServer
  private let browser: InspectorBrowser

  private static let connection = "lampost-2"
  private static let refusal = "The wall panel shows at most 40 characters."
  private static let longNote = "This note is far too long for the panel on the wall"

  init() throws {
    partner = try PartnerServer()
    server = try .signingIn(at: partner, files)
    browser = try InspectorBrowser()
  }

  /// Connect as a user of the service, with these settings.
  private func connect(_ email: String, as name: String, note: String) throws {
    try browser.open(
      "\(server.url)/connect/\(Self.connection)?email=\(email)", .wait("A new account"), .click("Continue"),
      .wait("Sign in to Lampost Lights"), .screenshot("story-sign-in"), .click("Continue"),
      .wait("Who are you?"), .click(.init(name, role: "radio")), .click("Allow"), .wait("Note on the wall panel"))
    // The options are those of the service.
    try browser.perform(
      .choose("Which room?", "Garden"), .choose("Which scene?", "Evening"), .fill("Note on the wall panel", note),
      .screenshot("story-configuration"), .click("Continue"), .wait("Enable it?"), .click("Connect"),
      .wait("Connected"))
    #expect(browser.complaints == [])
  }

  @Test func aFailedActionIsCorrectedAndSentAgain() throws {
    try connect("kai%40mail.test", as: "Kai", note: Self.longNote)

    // A trigger fires from the inspector, and its action fails.
    let inspector = try server.inspectorURL()
    try browser.open(
      inspector, .wait("Live"), .click(.link("Triggers")), .fill("User", "u-5521"), .key("Tab"),
      .wait("brightness"), .fill("lamp", "Porch"), .screenshot("story-trigger"), .click("Fire"))
    try browser.perform(.click(.link("Timeline")), .wait(Self.refusal), .screenshot("story-timeline"))
    let entries = try browser.text(of: "Entries, newest first")
    for word in ["found", "actions/set_scene", "400", Self.refusal] { #expect(entries.contains(word), "\(entries)") }
    try browser.perform(.click(.row(Self.refusal)), .wait("Request id"), .screenshot("story-entry"))
    let entry = try browser.text()
    #expect(entry.contains(Self.refusal) && entry.contains(Self.longNote), "\(entry)")
    #expect(try #require(entry.range(of: Self.refusal)).lowerBound < #require(entry.range(of: "Request id")).lowerBound)
    let address = try #require(try browser.evaluate("location.hash") as? String)
    #expect(browser.complaints == [])

    // The setting is corrected on the page of the connection.
    try browser.perform(.click(.link("Connections")), .fill("User", "u-5521"), .key("Tab"), .wait(Self.longNote))
    let edit = try #require(
      try browser.evaluate("[...document.links].find(link => link.pathname.endsWith('\(Self.connection)/edit')).href")
        as? String)
    try browser.open(
      edit, .wait("Save"), .fill("Note on the wall panel", "Short"), .screenshot("story-edit"), .click("Save"),
      .wait("Saved."))

    try browser.open(
      inspector, .wait("Live"), .click(.link("Timeline")), .wait(Self.refusal),
      .click(.row(Self.refusal)), .wait("Request id"), .click("Send again"), .wait("Sent POST again: 200."),
      .screenshot("story-sent-again"))
    #expect(try browser.evaluate("location.hash") as? String != address, "the new entry is shown")
    let scenes = try partner.shown("/scenes")
    #expect(scenes.map { $0["note"] as? String } == ["Short"] && scenes.first?["user"] as? String == "u-5521")
    #expect(browser.complaints == [])
  }

  @Test func aSecondPersonHasTheirOwnID() throws {
    try connect("kai%40mail.test", as: "Kai", note: "For Kai")
    try connect("mira%40mail.test", as: "Mira", note: "For Mira")
    for _ in 0..<100 where try enabledUsers().count < 2 { usleep(100_000) }
    #expect(try enabledUsers() == ["u-5521", "u-7304"])
    try browser.open(try server.inspectorURL(), .wait("Live"), .wait("u-7304"))
    try browser.perform(
      .click(.link("Connections")), .fill("User", "u-7304"), .key("Tab"), .wait("For Mira"),
      .screenshot("story-second-person"))
    #expect(try !browser.text().contains("For Kai"))
  }

  private func enabledUsers() throws -> [String] {
    try partner.shown("/webhooks").filter { $0["event"] as? String == "enabled" }.compactMap {
      (($0["body"] as? [String: Any])?["data"] as? [String: Any])?["user_id"] as? String
    }
  }
}
