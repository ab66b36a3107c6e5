import Support
import Testing
import Text

/// Masking of known credentials in text from other sources.
@Suite struct RedactorTests {
  func redact(_ text: String, _ secrets: String...) throws -> String {
    Redactor(try secrets.map { try #require(Secret(parsing: $0)) }).redact(text)
  }

  @Test func masksEveryOccurrence() throws {
    #expect(try redact("hunter2 and hunter2, Hunter2", "hunter2") == "… and …, Hunter2")
    #expect(try redact("hunter2", "hunter2") == "…")
    #expect(try redact("huntehunter2r2", "hunter2") == "hunte…r2")
  }

  @Test func longSecretKeepsItsEnds() throws {
    #expect(try redact("token=\(SecretTests.token)!", SecretTests.token) == "token=e1hM…4aTz!")
  }

  @Test func masksASecretThatContainsAnother() throws {
    #expect(try redact("<abcdef> <abc>", "abc", "abcdef") == "<…> <…>")
  }

  @Test(arguments: ["?t=a%2Fb%20%C3%A9", "?t=a%2fb%20%c3%a9", "?t=a/b é"])
  func masksPercentEncodedSecrets(_ text: String) throws {
    #expect(try redact(text, "a/b é") == "?t=…")
  }

  @Test func masksATruncatedSecretAtTheEnd() throws {
    let start = String(SecretTests.token.prefix(20))
    #expect(try redact("<pre>\(start)", SecretTests.token) == "<pre>e1hM…4aTz")
    #expect(try redact("\(start)!", SecretTests.token) == "\(start)!")
    #expect(try redact("e1hM012", SecretTests.token) == "e1hM012")
  }

  /// After 0, 1 and 2 bytes of other text, the same secret has different digits.
  @Test(arguments: ["", "a", "ab", "abc", "user:"], ["", "z", "zz", "zzz"])
  func masksBase64InEveryAlignment(_ before: String, _ after: String) throws {
    let secret = "k~?>k~?>0123456789-\u{e9}"
    for isForURLs in [false, true] {
      var text = Base64.standard.encode(Array("\(before)\(secret)\(after)".utf8))
      if isForURLs { text = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }) }
      let shown = try redact("<\(text)>", secret)
      #expect(shown.contains("…"))
      // Only digits that depend on the surrounding text remain.
      #expect(shown.utf8.count <= 2 + before.utf8.count * 2 + after.utf8.count * 2 + 12, "\(shown)")
      #expect(!shown.contains("MTIzNDU2"), "\(shown)")
    }
  }

  @Test func shortSecretIsNotSearchedInBase64() throws {
    #expect(try redact("YWJj YWJjZGU=", "abc", "abcde") == "YWJj YWJjZGU=")
  }

  @Test func textWithoutSecretsIsUnchanged() throws {
    #expect(Redactor([]).redact("as it was \u{1b}") == "as it was \u{1b}")
    #expect(try redact("as it was, ünïcode 👍🏽 too", "absent") == "as it was, ünïcode 👍🏽 too")
    #expect(try redact("", "absent") == "")
  }

  @Test func duplicateSecretsAreMaskedOnce() throws {
    #expect(try redact("one one", "one", "one") == "… …")
  }

  /// The result of a search for the longest secret at each position.
  private func expected(_ text: String, _ secrets: [Secret]) -> String {
    var (shown, rest) = ("", text[...])
    while let first = rest.first {
      let found = secrets.filter { rest.hasPrefix($0.revealed) }.max { $0.revealed.count < $1.revealed.count }
      shown += found?.masked ?? String(first)
      rest = rest.dropFirst(found?.revealed.count ?? 1)
    }
    return shown
  }

  /// Few different letters, so that secrets share beginnings and contain each other.
  @Test func manySecretsAreMaskedLikeOneByOne() throws {
    var random = SeededGenerator.random()
    func word(_ letters: String, _ lengths: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: lengths, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
    }
    for _ in 0..<300 {
      let secrets = try (0..<Int.random(in: 1...40, using: &random)).map { _ in
        try #require(Secret(parsing: word("ab_", 1...30)))
      }
      let text =
        (0..<30).map { _ in
          Bool.random(using: &random)
            ? secrets[Int.random(in: secrets.indices, using: &random)].revealed : word("ab_ .", 0...9)
        }.joined() + "."
      let once = Redactor(secrets)
      var standIns = Redactor(as: .standIn)
      standIns.add(secrets)
      #expect(once.redact(text) == expected(text, secrets), "\(secrets.map(\.revealed)) in \(text)")
      var (growing, growingStandIns) = (Redactor([]), Redactor(as: .standIn))
      for secret in secrets {
        growing.add([secret])
        growingStandIns.add([secret])
      }
      // Truncated texts too.
      for end in text.indices {
        #expect(growing.redact(String(text[..<end])) == once.redact(String(text[..<end])))
      }
      #expect(growingStandIns.redact(text) == standIns.redact(text))
    }
  }

  @Test func thousandsOfTokensWithOneBeginningAreMasked() throws {
    var redactor = Redactor([])
    let tokens = (0..<5000).map { "token_of_user_\($0)_c0ffee" }
    for token in tokens { redactor.add([try #require(Secret(parsing: token))]) }
    let shown = redactor.redact(tokens.joined(separator: " ") + " token_of_user_x_c0ffee")
    #expect(!shown.dropLast(23).contains("user"))
    #expect(shown.hasSuffix(" token_of_user_x_c0ffee"))
    // Text may end in the middle of any of them.
    #expect(!redactor.redact("token_of_user_4999").contains("user"))
  }
}
