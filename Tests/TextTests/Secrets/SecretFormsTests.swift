import Testing
import Text

/// Which texts count as a token, a password or the name of a secret.
@Suite struct SecretFormsTests {
  private func tokens(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    return SecretForms.tokens(in: bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  @Test(arguments: [
    "ift_k3yOfSomeone", "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk", "kept-token-0123456789-abcdef",
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "0123456789abcdef0123456789abcdef",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  ])
  func aTokenIsFoundAlone(_ token: String) { #expect(tokens(in: token) == [token]) }

  @Test(arguments: [
    ("v2/x/TOKEN", "TOKEN"), ("/v2/me?a=TOKEN&b=1", "TOKEN"), ("https://h.test/TOKEN/x", "TOKEN"),
    ("name=TOKEN", "TOKEN"), ("Bearer TOKEN", "TOKEN"),
  ])
  func aTokenIsFoundInAPathOrURL(_ text: String, _ part: String) {
    let token = "e1hMq8Zr2TnVb5Kx9WcYd3Lf7Gj0Ps4aTz"
    #expect(tokens(in: text.replacing("TOKEN", with: token)) == [token])
  }

  @Test(arguments: [
    "enabled", "Kd7Rn2Qx", "/home/kai/2026/backup-of-today-1.db", "https://ifttt.com/connections/Kd7Rn2Qx-4711",
    "connections-of-the-lamps", "12345678901234567890123", "garage_door_opened_2", "every-day-at-10-in-2026",
    "123e4567-e89b-12d3-a456-426614174000", "https://man.test/page-of-the-manual/connections",
    "git+https://h.test/o/r#0123456789abcdef0123456789abcdef01234567",
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
  ])
  func otherTextIsNoToken(_ text: String) { #expect(tokens(in: text) == []) }

  @Test(arguments: [
    ("https://u:hunter2@h.test/x", "hunter2"), ("https://tok@h.test/", "tok"), ("git+ssh://git@h.test/o/r", nil),
    ("https://h.test/a@b", nil), ("me@h.test", nil), ("https://u:@h.test", nil),
    ("x https://a.test, https://u:p@b", "p"),
  ])
  func thePasswordOfAURLIsFound(_ text: String, _ password: String?) {
    let bytes = Array(text.utf8)
    let found = SecretForms.password(in: bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
    #expect(found == password)
  }

  @Test func theNamesOfOptions() {
    for name in ["user-token", "--service-key", "IFTTT_OAUTH_CODE", "api-key", "passphrase", "-token", "INVITE_CODE"] {
      #expect(SecretNames.announces(name), "\(name)")
    }
    for name in ["user-token-file", "exit-codes", "profile", "fields", "key-command", "locale"] {
      #expect(!SecretNames.announces(name), "\(name)")
    }
  }

  @Test func aMaskedTextIsRecognized() {
    for text in ["…", "e1hM…4aTz", "Bearer e1hM…4aTz"] { #expect(Secret.isMasked(text)) }
    for text in ["", "e1hMq8Zr2TnV…", "a", "e1hM…4aTz…4aTz"] { #expect(!Secret.isMasked(text)) }
  }

  @Test func aShortenedSecretIsMasked() throws {
    let redactor = Redactor([try #require(Secret(parsing: "e1hMq8Zr2TnVb5Kx9WcYd3Lf7Gj0Ps4aTz"))])
    #expect(redactor.redact("no 'e1hMq8Zr2TnVb5…' here") == "no 'e1hM…4aTz' here")
    #expect(redactor.redact("no 'e1hMq8…' here") == "no 'e1hMq8…' here")
  }
}
