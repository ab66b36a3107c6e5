import PluginProtocol
import Testing

/// Valid and invalid `plugin.json` files.
@Suite struct ManifestTests {
  private func read(_ text: String) throws(ManifestError) -> Manifest { try Manifest(parsing: Array(text.utf8)) }

  static let least = #"{"schema_version":1,"name":"shelf","version":"1.2.0","summary":"Things","kind":"command"}"#

  @Test func readsAMinimalManifest() throws {
    let manifest = try read(Self.least)
    #expect(
      manifest
        == Manifest(
          name: try #require(PluginName(parsing: "shelf")), version: "1.2.0", summary: "Things", kind: .command))
    #expect(manifest.executable == "ifttt-shelf")
    #expect(manifest.commands == nil)
  }

  @Test func readsACompleteManifest() throws {
    let manifest = try read(
      #"""
      {"schema_version": 1, "name": "shelf", "version": "1.2.0-rc.1+7", "summary": "Things on a shelf", "vendor": "Lampost",
       "kind": "provider", "executable": "shelf.py", "protocol": ["1"], "capabilities": ["connections/list"],
       "credentials": ["accounts", "account/*"], "hosts": ["https://api.lampost.test"], "environment": ["LAMPOST_REGION"],
       "commands": {"name": "shelf", "summary": "Look after it"}, "unknown": {"members": "are ignored"}}
      """#)
    #expect(manifest.kind == .provider)
    #expect(manifest.vendor == "Lampost")
    #expect(manifest.executable == "shelf.py")
    #expect(manifest.protocols == ["1"])
    #expect(manifest.capabilities == ["connections/list"])
    #expect(manifest.hosts == ["https://api.lampost.test"])
    #expect(manifest.environment == ["LAMPOST_REGION"])
    #expect(manifest.commands == ManifestCommand(name: "shelf", summary: "Look after it"))
  }

  @Test func credentialsMatchByNameAndPrefix() throws {
    var manifest = try read(Self.least)
    #expect(!manifest.mayAsk(for: "accounts"))
    manifest.credentials = ["accounts", "account/*"]
    #expect(manifest.mayAsk(for: "accounts"))
    #expect(manifest.mayAsk(for: "account/ann"))
    #expect(!manifest.mayAsk(for: "account"))
    #expect(!manifest.mayAsk(for: "accounts2"))
    manifest.credentials = ["*"]
    #expect(manifest.mayAsk(for: "anything"))
  }

  /// The changed member, its new value, and the reason.
  static let faults: [(member: String, value: String?, reason: String)] = [
    ("schema_version", "2", "it has schema_version 2, but only 1 is supported"),
    ("schema_version", "\"1\"", "'schema_version' of the manifest is not a number"),
    ("schema_version", nil, "the manifest has no 'schema_version'"),
    ("name", nil, "the manifest has no 'name'"),
    ("name", "\"Shelf\"", "'name' must be a lowercase letter, then at most 31 lowercase letters, digits and hyphens"),
    ("name", "7", "'name' of the manifest is not a non-empty string"),
    ("version", nil, "the manifest has no 'version'"),
    ("version", "\"1 2\"", "'version' may have at most 64 letters, digits, '.', '+', '-' and '_'"),
    ("summary", nil, "the manifest has no 'summary'"),
    ("summary", "\"\"", "'summary' of the manifest is not a non-empty string"),
    ("summary", #""a\u001b[31mb""#, "'summary' of the manifest has a control character"),
    ("summary", #""a\nb""#, "'summary' of the manifest has a control character"),
    ("summary", #""a\u202eb""#, "'summary' of the manifest has a bidirectional mark"),
    ("summary", #""a\u200bb""#, "'summary' of the manifest has an invisible character, U+200B"),
    ("summary", #""a\u00adb""#, "'summary' of the manifest has an invisible character, U+00AD"),
    ("vendor", #""a\ufeffb""#, "'vendor' of the manifest has an invisible character, U+FEFF"),
    ("vendor", #""a\u3164b""#, "'vendor' of the manifest has an invisible character, U+3164"),
    ("vendor", #""a\ufe0fb""#, "'vendor' of the manifest has an invisible character, U+FE0F"),
    ("vendor", #""a\udb40\udc41b""#, "'vendor' of the manifest has an invisible character, U+E0041"),
    (
      "hosts", #"["https://paypal.test@evil.test"]"#,
      "'hosts' of the manifest has a user name in 'https://paypal.test@evil.test'"
    ),
    ("hosts", #"["https://evil.test\\a.b"]"#, "'hosts' of the manifest has a backslash in 'https://evil.test\\a.b'"),
    (
      "hosts", #"["https://evil.test/\u0430"]"#,
      "'hosts' of the manifest has a non-ASCII path in 'https://evil.test/\u{430}'"
    ),
    ("kind", nil, "the manifest has no 'kind'"),
    ("kind", "\"daemon\"", "'kind' is neither 'provider' nor 'command'"),
    ("kind", "\"provider\"", "a provider needs 'protocol', which is missing"),
    ("executable", "\"bin/x\"", "'executable' must be the name of a file in the same folder"),
    ("executable", "\"..\"", "'executable' must be the name of a file in the same folder"),
    ("executable", "\"plugin.json\"", "'executable' must be the name of a file in the same folder"),
    ("executable", "\"-rf\"", "'executable' must be the name of a file in the same folder"),
    ("protocol", "\"1\"", "'protocol' of the manifest is not a list"),
    ("credentials", "[1]", "'credentials' of the manifest is not a list of strings"),
    ("credentials", "[\"a b\"]", "'credentials' has an invalid name: 'a b'"),
    ("credentials", "[\"a*b\"]", "'credentials' has an invalid name: 'a*b'"),
    ("environment", "[\"A=B\"]", "'environment' has an invalid name: 'A=B'"),
    ("environment", "[\"1A\"]", "'environment' has an invalid name: '1A'"),
    ("hosts", "[\"\"]", "'hosts' has an empty entry"),
    ("commands", "[]", "'commands' is not a JSON object"),
    ("commands", #"{"name":"other","summary":"x"}"#, "the name in 'commands' is not the plugin's name"),
  ]

  @Test(arguments: faults) func rejectsInvalidMembers(member: String, value: String?, reason: String) throws {
    var members = [
      ("schema_version", "1"), ("name", "\"shelf\""), ("version", "\"1\""), ("summary", "\"Things\""),
      ("kind", "\"command\""),
    ].filter { $0.0 != member }
    if let value { members.append((member, value)) }
    let text = "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    #expect(throws: ManifestError(reason)) { _ = try read(text) }
  }

  /// Hosts become ASCII (RFC 3492); descriptions instead of hosts stay unchanged.
  @Test func hostsAreConvertedToASCII() throws {
    let hosts = [
      "https://b\u{fc}cher.example": "https://xn--bcher-kva.example",
      "B\u{dc}CHER.example:8443/a?b": "xn--bcher-kva.example:8443/a?b",
      "wss://\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}\u{3002}\u{438}\u{441}\u{43f}\u{44b}\u{442}\u{430}\u{43d}\u{438}\u{435}":
        "wss://xn--e1afmkfd.xn--80akhbyknj4f",
      "https://xn--bcher-kva.example": "https://xn--bcher-kva.example", "https://[::1]:8080": "https://[::1]:8080",
      "localhost": "localhost", "the server of b\u{fc}cher.example": "the server of b\u{fc}cher.example",
      "\u{4efb}\u{610f}\u{306e}\u{30b5}\u{30fc}\u{30d0}\u{30fc}":
        "\u{4efb}\u{610f}\u{306e}\u{30b5}\u{30fc}\u{30d0}\u{30fc}",
    ]
    for (host, ascii) in hosts {
      #expect(try read(Self.least.replacing("}", with: ",\"hosts\":[\"\(host)\"]}")).hosts == [ascii])
    }
  }

  @Test func emojiAreUnchanged() throws {
    let text = "Sunny \u{2600}\u{fe0f} \u{4e0a}\u{6d77}"
    #expect(try read(Self.least.replacing("Things", with: text)).summary == text)
  }

  @Test func rejectsTextThatIsNotAManifest() {
    #expect(throws: ManifestError("the manifest is not a JSON object")) { _ = try read("[]") }
    #expect(throws: ManifestError.self) { _ = try read("{") }
    let long = "{\"x\":\"" + String(repeating: "a", count: Manifest.sizeLimit) + "\"}"
    #expect(throws: ManifestError("it is longer than 1 MiB")) { _ = try read(long) }
  }
}
