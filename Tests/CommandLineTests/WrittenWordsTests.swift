import Testing
import Text

@testable import CommandLine

/// A recorded command line contains no secrets.
@Suite struct WrittenWordsTests {
  @Test func possibleSecretsAreMasked() {
    let words = ["show", "--api-token", "abc", "--other", "password=x", "key:y", "plain", "--invite-code=z"].map(
      RawArgument.init)
    let written = Sample.parser.written(words + [RawArgument(bytes: [0xff])])
    #expect(
      written == [
        "show", "--api-token", "…", "--other", "password=…", "key:…", "plain", "--invite-code=…", "\u{FFFD}",
      ])
  }
}

/// A value that names a file may have any bytes.
@Suite struct FileNameWordTests {
  @Test func aFileNameIsRead() throws {
    let words =
      ["connections", "show", "a", "--service-key-file"].map { RawArgument($0) } + [RawArgument(bytes: [0x63, 0xe9])]
    guard case .run(.show(let options), _, _) = Sample.parser.parse(words, environment: { _ in nil }).outcome else {
      Issue.record("the file name was rejected")
      return
    }
    #expect(options.keyFile.map { FileName.bytes(of: $0) } == [0x63, 0xe9])
  }

  /// The text of a file name may be longer than its bytes, so positions in the text are not positions in the argument.
  @Test func anErrorInAFileNamePointsAtTheWholeValue() {
    let kind = ValueKind<String>(ValueSchema(placeholder: "FILE", completion: .file)) {
      (text: String) throws(ValueError) in
      throw ValueError("bad", bytes: 0..<text.utf8.count)
    }
    let given = ParsedValue(
      value: FileName.text(of: [0x61, 0xff, 0xc3]), source: .commandLine(index: 0, bytes: 4..<7))
    let argument = ArgumentSchema(value: kind.schema, help: "")
    #expect(throws: ValueError.self) { try kind.parse(given.text) }
    let error = SyntaxError(.argument(argument), given, ValueError("bad", bytes: 0..<given.text.utf8.count))
    #expect(error.location == SyntaxError.Location(index: 0, bytes: 4..<7))
  }

  @Test func anotherValueIsRejected() {
    let words = ["connections", "show"].map { RawArgument($0) } + [RawArgument(bytes: [0x63, 0xe9])]
    guard case .usage(let error) = Sample.parser.parse(words, environment: { _ in nil }).outcome else {
      Issue.record("the id was accepted")
      return
    }
    #expect(error.message.contains("it is not valid UTF-8"))
  }
}
