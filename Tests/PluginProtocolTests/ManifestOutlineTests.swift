import PluginProtocol
import Testing

/// The part of a `plugin.json` that a list of commands shows, read on its own.
@Suite struct ManifestOutlineTests {
  private func outline(_ text: String) throws(ManifestError) -> ManifestOutline {
    try ManifestOutline(parsing: Array(text.utf8))
  }

  private static func manifest(_ members: String) -> String {
    #"{"schema_version": 1, "name": "shelf", "version": "1", "summary": "Things", \#(members)}"#
  }

  /// Valid manifests with their members in any order.
  static let good = [
    ManifestTests.least,
    manifest(#""kind": "provider", "protocol": ["1"]"#),
    manifest(#""kind": "provider", "protocol": ["1"], "commands": null"#),
    manifest(#""kind": "command", "commands": {"name": "shelf", "summary": "Look after it"}, "hosts": ["a"]"#),
    manifest(#""commands": {"name": "shelf", "summary": "Look after it", "discussion": ["}"]}, "kind": "command""#),
    manifest(#""kind": "command", "commands": {"options": [], "summary": "R\u00e9\"gale 本", "name": "shelf"}"#),
    manifest(#""ki\u006ed": "command", "other": {"kind": "neither", "summary": 7}, "kind": "command""#),
  ]

  @Test(arguments: good) func matchesTheWholeManifest(_ text: String) throws {
    let (outline, whole) = (try outline(text), try Manifest(parsing: Array(text.utf8)))
    #expect(outline.name == whole.name)
    #expect(outline.summary == whole.summary)
    #expect(outline.command == whole.commands?.summary ?? (whole.kind == .command ? whole.summary : nil))
  }

  /// A reader of a 50 KB file must stop once it knows enough.
  @Test func theRestIsNotRead() throws {
    let text = Self.manifest(#""kind": "command", "commands": {"name": "shelf", "summary": "Look", "options": [{"#)
    #expect(try outline(text).command == "Look")
    #expect(throws: ManifestError.self) { try Manifest(parsing: Array(text.utf8)) }
  }

  /// Invalid manifests, and the reason, which is the same as for the whole manifest.
  static let faults: [(text: String, reason: String)] = [
    ("[]", "it is not JSON: not an object at byte 0"),
    ("", "it is not JSON: not an object at byte 0"),
    (#"{"schema_version": 2}"#, "it has schema_version 2, but only 1 is supported"),
    (
      ManifestTests.least.replacing("shelf", with: "../shelf"),
      "'name' must be a lowercase letter, then at most 31 lowercase letters, digits and hyphens"
    ),
    (manifest(#""kind": "other""#), "'kind' is neither 'provider' nor 'command'"),
    (manifest(#""kind": "command", "commands": []"#), "'commands' is not a JSON object"),
    (manifest(#""kind": "command", "commands": {"name": "shelf"}"#), "'commands' has no 'summary'"),
    (
      manifest(#""kind": "command", "commands": {"summary": "\u001b[2J"}"#),
      "'summary' of 'commands' has a control character"
    ),
    (
      ManifestTests.least.replacing("Things", with: "\\u202egnihT"),
      "'summary' of the manifest has a bidirectional mark"
    ),
  ]

  @Test(arguments: faults) func rejectsInvalidOutlines(_ text: String, _ reason: String) {
    #expect(throws: ManifestError(reason)) { try outline(text) }
  }

  @Test func theFirstOfARepeatedMemberCounts() throws {
    let text = Self.manifest(#""kind": "command", "summary": "Others", "commands": {"summary": "A", "summary": "B"}"#)
    #expect(try outline(text).summary == "Things")
    #expect(try outline(text).command == "A")
  }
}
