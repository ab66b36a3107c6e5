import CommandLine
import Support
import Testing

/// The program's side of the protocol between the completion scripts and the program.
@Suite struct CompletionRequestTests {
  @Test func parsesARequest() throws {
    let words = ["field", "--command=connections list", "--profile=--", "--", "--na me"]
    let request = try #require(CompletionRequest(arguments: words))
    #expect(request.kind == "field")
    #expect(request.command == ["connections", "list"])
    #expect(request.profile == "--")
    #expect(request.prefix == "--na me")
  }

  @Test func parsesTheFirstArgument() throws {
    let words = ["setting", "--command=configure", "--argument=--x", "--", ""]
    #expect(try #require(CompletionRequest(arguments: words)).argument == "--x")
    #expect(CompletionRequest(arguments: ["setting", "--command=configure", "--", ""])?.argument == nil)
  }

  @Test func theProgramItselfHasAnEmptyPath() throws {
    let request = try #require(CompletionRequest(arguments: ["profile", "--command=", "--", ""]))
    #expect(request.command == [])
    #expect(request.profile == nil)
    #expect(request.prefix == "")
  }

  @Test(arguments: [
    [], ["--"], ["field"], ["field", "--", "x"], ["field", "--command=list"], ["field", "--command=list", "--"],
    ["field", "--command=list", "--", "x", "y"], ["field", "--comand=list", "--", "x"], ["field", "list", "--", "x"],
  ]) func refusesAnythingElse(arguments: [String]) { #expect(CompletionRequest(arguments: arguments) == nil) }

  @Test func aCandidateIsOneLine() {
    #expect(CompletionCandidate("id", "Log\train\n\u{1b}[31m")?.line == "id\tLog rain \\u{1b}[31m")
    #expect(CompletionCandidate("id")?.line == "id")
    #expect(CompletionCandidate("id", " ")?.line == "id")
    #expect(CompletionCandidate("a b \u{e4}")?.line == "a b \u{e4}")
  }

  /// Texts of all lengths in which spaces, tabs and control characters are frequent.
  @Test func aDescriptionIsOneLineOfPrintableText() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("abcdefghijk ~ \t\u{7f}".utf8)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<40, using: &generator)
      let choices = Bool.random(using: &generator) ? alphabet[...] : alphabet[..<14]
      let text = (0..<length).map { _ in choices.randomElement(using: &generator) ?? 0 }
      let words = text.split { $0 == 0x20 || $0 == 0x09 }
        .map { String(decoding: $0, as: UTF8.self).replacing("\u{7f}", with: "\\u{7f}") }
      let expected = words.isEmpty ? "value" : "value\t\(words.joined(separator: " "))"
      #expect(CompletionCandidate("value", String(decoding: text, as: UTF8.self))?.line == expected, "\(text)")
    }
  }

  @Test(arguments: ["", "a\nb", "a\tb", "\u{1b}[31m", "\u{9b}m", "\u{7f}"])
  func rejectsAValueThatCannotBeTyped(value: String) { #expect(CompletionCandidate(value) == nil) }
}
