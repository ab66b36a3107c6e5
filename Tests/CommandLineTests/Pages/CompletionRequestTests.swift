import CommandLine
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

  /// Candidates from bytes take a shorter way, with the same result.
  @Test(arguments: [
    "Kd7Rn2Qx", "", "two words", " a", "a ", "a  b", "a\tb", "\u{e4}", "\u{9b}m", "\u{7f}", "\u{1b}[31m",
  ])
  func linesFromBytesAreThoseOfCandidates(text: String) {
    for other in ["x", "", "a \u{e4}", " ", "train\n", "\u{1b}[31m", "a  b"] {
      for (value, description) in [(text, other), (other, text)] {
        var lines = CompletionLines()
        Array(value.utf8).withUnsafeBytes { value in
          Array(description.utf8).withUnsafeBytes { description in lines.add(value, description) }
        }
        var expected = CompletionLines()
        expected.add([CompletionCandidate(value, description)].compactMap { $0 })
        #expect(lines.bytes == expected.bytes, "\(value) and \(description)")
      }
    }
  }

  @Test(arguments: ["", "a\nb", "a\tb", "\u{1b}[31m", "\u{9b}m", "\u{7f}"])
  func rejectsAValueThatCannotBeTyped(value: String) { #expect(CompletionCandidate(value) == nil) }
}
