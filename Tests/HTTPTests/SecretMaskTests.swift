import HTTP
import Support
import Testing
import Text
import World

/// A recording contains no credentials, whatever their name and form.
@Suite struct SecretMaskTests {
  private static let token = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"
  private static let standIn = "Zq8v-stand-in-for-a-secret-VwBk"
  private static let webToken =
    "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSIsIm4iOjF9.c2lnbmF0dXJlLW9mLWl0LWFsbA"

  private func masked(_ text: String) -> String {
    var mask = ExchangeRedactor()
    let masked = mask.masked(text.replacing("TOKEN", with: Self.token))
    // Masking the result again changes nothing.
    var other = ExchangeRedactor()
    #expect(other.masked(masked) == masked)
    return masked.replacing(Self.standIn, with: "STAND")
  }

  @Test(arguments: [
    "accessToken", "refreshToken", "refresh-token", "secretKey", "jwt", "session", "client_assertion", "id_token_hint",
    "api-key", "apiKey", "API_KEY", "passwd", "Password", "client secret", "x-auth-token", "sessionId", "accessTokens",
    "webhooks_key", "IFTTT-Service-Key", "inviteCode", "credentials", "private.key", "signature",
  ])
  func valueOfCredentialNameIsMasked(_ name: String) {
    #expect(masked(#"{"\#(name)":"TOKEN"}"#) == #"{"\#(name)":"STAND"}"#)
    #expect(
      masked(#"{"\#(name)" : {"a":["TOKEN",12,true,null],"b":{"c":"x"}},"d":"TOKE"}"#)
        == #"{"\#(name)" : {"a":["STAND",0,true,null],"b":{"c":"stand-in"}},"d":"TOKE"}"#)
    #expect(masked(#"{"a":"{\"\#(name)\":\"TOKEN\"}"}"#) == #"{"a":"{\"\#(name)\":\"STAND\"}"}"#)
  }

  @Test(arguments: [
    "key", "primary_key", "keyboard", "tokenizer", "token_type", "client_assertion_type", "secretary", "sessions_count",
    "passenger", "cursor", "code", "author",
  ])
  func valueOfOtherNameIsUnchanged(_ name: String) {
    let text = #"{"\#(name)":"as it was","other":[1,{"a":"b"}]}"#
    #expect(masked(text) == text)
  }

  @Test(arguments: [
    // A whole subtree, also if truncated, and nothing after it.
    (#"[{"secrets":[["TOKEN"],{"a":1}]},"b",2]"#, #"[{"secrets":[["STAND"],{"a":0}]},"b",2]"#),
    (#"{"tokens":["TOKEN","TOKEN""#, #"{"tokens":["STAND","STAND""#),
    (#"{"tokens":{"TOKEN":{"n":1}},"n":1}"#, #"{"tokens":{"STAND":{"n":0}},"n":1}"#),
    // Several words without quotes, which is not JSON.
    (#"{"token": TOKEN TOKEN, "a": b c}"#, #"{"token": STAND STAND, "a": b c}"#),
    // JSON in strings, nested to any depth, and in a query.
    (#"{"a":"{\"b\":\"{\\\"token\\\":[\\\"TOKEN\\\"]}\"}"}"#, #"{"a":"{\"b\":\"{\\\"token\\\":[\\\"STAND\\\"]}\"}"}"#),
    (#"{"a":"log: {\"token\":\"TOKEN\"} end"}"#, #"{"a":"log: {\"token\":\"STAND\"} end"}"#),
    ("x=%7B%22token%22%3A%22TOKEN%22%7D&y=1", "x=%7B%22token%22%3A%22STAND%22%7D&y=1"),
    ("u=https%3A%2F%2Fh%2F%3Faccess_token%3DTOKEN%26b%3D1", "u=https%3A%2F%2Fh%2F%3Faccess_token%3DSTAND%26b%3D1"),
    ("user%5Btoken%5D=TOKEN&user[token]=TOKEN", "user%5Btoken%5D=STAND&user[token]=STAND"),
    // Authorization, directly and repeated in a body.
    ("Authorization: Bearer TOKEN\r\n", "Authorization: Bearer STAND\r\n"),
    (#"{"headers":"bearer  TOKEN"}"#, #"{"headers":"bearer  STAND"}"#),
    ("Basic dXNlcjpob3JzZSBzdGFwbGU= x", "Basic stand-in x"),
    ("X-Api-Key: TOKEN", "X-Api-Key: STAND"), ("X-Auth-Token:'TOKEN'", "X-Auth-Token:'STAND'"),
    // User information of a URL, also in JSON with escapes.
    ("postgres://me:TOKEN@host:1/x?y@z", "postgres://stand-in:STAND@host:1/x?y@z"),
    ("git+https://TOKEN@host/", "git+https://STAND@host/"),
    (#"{"url":"https:\/\/me:TOKEN@host\/"}"#, #"{"url":"https://stand-in:STAND@host/"}"#),
    ("https://host/a@b", "https://host/a@b"), ("mail me@host", "mail me@host"),
    // Prose.
    ("Bearer authentication is needed", "Bearer authentication is needed"),
    (#"Bearer realm="x", error="invalid_token""#, #"Bearer realm="x", error="invalid_token""#),
    ("Basic features", "Basic features"), ("Invalid token: it is too short", "Invalid token: it is too short"),
    ("eyJ.eyJ.eyJ and 1.2.3", "eyJ.eyJ.eyJ and 1.2.3"),
  ])
  func valueInCredentialFormIsMasked(_ text: String, _ expected: String) { #expect(masked(text) == expected) }

  @Test func webTokenIsMaskedAnywhere() {
    for text in [#"{"a":"JWT"}"#, "<p>JWT</p>", "/path/JWT/x", "a=JWT&b", #"{"a":"line\nJWT"}"#] {
      let shown = masked(text.replacing("JWT", with: Self.webToken))
      #expect(shown == text.replacing("JWT", with: "eyJh-stand-in-for-a-secret-\(Self.webToken.suffix(4))"))
      #expect(!shown.contains("eyJzdWIi"))
    }
  }

  /// A credential from one response is masked in the next, in Base64 too.
  @Test func foundCredentialIsMaskedLater() {
    var mask = ExchangeRedactor()
    _ = mask.masked(#"{"deep":{"client_secret":["horse-staple-4711"]}}"#)
    #expect(mask.masked("<horse-staple-4711>") == "<stand-in>")
    for before in ["", "a", "ab"] {
      let encoded = Base64.standard.encode(Array("\(before)horse-staple-4711 and more".utf8))
      let shown = mask.masked(encoded)
      #expect(shown.contains("StandsIn"))
      #expect(!shown.contains("c3RhcGxl") && !shown.contains("N0YXBsZ") && !shown.contains("zdGFwbGU"), "\(shown)")
      #expect(shown.utf8.count % 4 == 0, "the length must be valid for Base64")
    }
  }

  /// A recording without the API's own keywords could not be replayed.
  @Test func keywordsOfTheAPIAreMaskedOnlyInSecretMembers() {
    var mask = ExchangeRedactor()
    #expect(mask.masked(#"{"session":"enabled"}"#) == #"{"session":"stand-in"}"#)
    #expect(mask.masked(#"{"status":"enabled"}"#) == #"{"status":"enabled"}"#)
  }

  @Test func headersAreMaskedByName() throws {
    var written = ""
    let transport = RecordingTransport(
      ScriptedTransport(
        Response(
          status: 200,
          headers: [
            .init("X-Auth-Token", Self.token), .init("x-api-key", "short"), .init("X-Plain", "plain words"),
            .init("Location", "https://me:\(Self.token)@host/\(Self.webToken)"),
          ])), clock: FrozenClock(from: .init(milliseconds: 0))
    ) { written += String(decoding: $0.bytes, as: UTF8.self) }
    let url = try WebURL(parsing: "https://x.test/\(Self.webToken)?apiKey=\(Self.token)")
    transport.start(
      Request(.get, url, headers: [Header("X-Api-Key", "a key of mine")]), as: 1, limit: .seconds(1))
    _ = transport.wait(atMost: .zero, orReadable: -1)
    for trace in [Self.token, "short", "a key of mine", "eyJzdWIi"] { #expect(!written.contains(trace), "\(trace)") }
    #expect(written.contains("plain words"))
    #expect(written.contains("?apiKey=\(Self.standIn)"))
  }

  /// However deeply text is nested, masking ends.
  @Test(arguments: ["=", "%25", "\\", "a=%", "://", "\\\"", "eyJ", "bearer ", "{\"token\":"])
  func maskingHostileTextEnds(_ piece: String) {
    var mask = ExchangeRedactor()
    let text = "a=" + String(repeating: piece, count: 20_000) + "token=\(Self.token)"
    #expect(!mask.masked(text).contains(Self.token))
  }
}
