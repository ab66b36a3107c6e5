import Arguments
import Encoding
import Testing

/// A recorded command line contains no secrets.
@Suite struct WrittenWordsTests {
  @Test func possibleSecretsAreMasked() {
    let words = ["show", "--api-token", "abc", "--other", "password=x", "key:y", "plain", "--invite-code=z"].map(
      Word.init)
    let written = Sample.parser.written(words + [Word(bytes: [0xff])])
    #expect(
      written == [
        "show", "--api-token", "…", "--other", "password=…", "key:…", "plain", "--invite-code=…", "\u{FFFD}",
      ])
  }
}

/// A value that names a file may have any bytes.
@Suite struct FileNameWordTests {
  @Test func aFileNameIsRead() throws {
    let words = ["connections", "show", "a", "--service-key-file"].map { Word($0) } + [Word(bytes: [0x63, 0xe9])]
    guard case .run(.show(let options), _, _) = Sample.parser.parse(words, environment: { _ in nil }).outcome else {
      Issue.record("the file name was rejected")
      return
    }
    #expect(options.keyFile.map { FileName.bytes(of: $0) } == [0x63, 0xe9])
  }

  @Test func anotherValueIsRejected() {
    let words = ["connections", "show"].map { Word($0) } + [Word(bytes: [0x63, 0xe9])]
    guard case .usage(let error) = Sample.parser.parse(words, environment: { _ in nil }).outcome else {
      Issue.record("the id was accepted")
      return
    }
    #expect(error.message.contains("it is not valid UTF-8"))
  }
}
