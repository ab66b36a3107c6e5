import Testing
@testable import Text

/// Credentials as users pass them: in files, on stdin, in variables and at prompts.
@Suite struct InvalidSecretTests {
  private let key = "sandbox-key-7hQ2xV9mTz4LcB1n"

  private func read(_ bytes: [UInt8]) -> Result<Secret, InvalidSecret> {
    Result { () throws(InvalidSecret) in try Secret(file: bytes) }
  }

  @Test(arguments: ["", "\n", "\r\n", "\r", "\n\n"], ["", "\u{feff}"])
  func theLineAloneIsTheSecret(_ end: String, _ mark: String) throws {
    #expect(try read(Array((mark + key + end).utf8)).get().revealed == key)
  }

  @Test(arguments: [
    ("", "is empty"), ("\u{feff}\n", "is empty"), ("a\nb", "contains control characters"),
    ("abc\u{a0}", "contains a no-break space (U+00A0)"), ("abc\u{200b}def", "contains a zero-width character (U+200B)"),
    ("abc\u{feff}", "contains a zero-width character (U+FEFF)"),
    ("\"abc\"", "is in quotes"), ("'abc'", "is in quotes"), ("`abc`", "is in quotes"),
    ("\u{201c}abc\u{201d}", "is in quotes"), ("IFTTT_SERVICE_KEY=abc", "has the form KEY=value"),
    ("export IFTTT_USER_TOKEN=abc", "has the form KEY=value"), ("KEY=abc==", "has the form KEY=value"),
    ("access_token=abc", "has the form KEY=value"), ("code=abc", "has the form KEY=value"),
  ])
  func anythingElseIsNamedButNotRepeated(_ text: String, _ predicate: String) {
    guard case .failure(let error) = read(Array(text.utf8)) else {
      Issue.record("\(text) is a secret")
      return
    }
    #expect(error.predicate == predicate)
    #expect(!error.description.contains("abc"))
  }

  @Test(arguments: ["QUJD=", "QUJD==", "abc=def", "a b", "\"abc", "x'y'", "https://maker.ifttt.com/use/abc"])
  func whatACredentialMayContainIsAccepted(_ text: String) throws {
    #expect(try Secret(given: text).revealed == text)
  }

  @Test func otherEncodingsAreNamed() {
    let wide: [UInt8] = [0xff, 0xfe] + Array(key.utf8).flatMap { [$0, 0] }
    #expect(read(wide) == .failure(.encoding(.utf16)))
    #expect(read(Array(wide.dropFirst(2))) == .failure(.encoding(.utf16)))
    #expect(read([0x61, 0xff]) == .failure(.notUTF8))
  }
}
