import Pages
import Testing

/// The contract between the scripts and the program, from the program's side.
@Suite struct CompletionRequestTests {
  @Test func readsAQuestion() throws {
    let words = ["field", "--command=connections list", "--profile=--", "--", "--na me"]
    let request = try #require(CompletionRequest(arguments: words))
    #expect(request.kind == "field")
    #expect(request.command == ["connections", "list"])
    #expect(request.profile == "--")
    #expect(request.prefix == "--na me")
  }

  @Test func readsTheFirstArgument() throws {
    let words = ["setting", "--command=configure", "--argument=--x", "--", ""]
    #expect(try #require(CompletionRequest(arguments: words)).argument == "--x")
    #expect(CompletionRequest(arguments: ["setting", "--command=configure", "--", ""])?.argument == nil)
  }

  @Test func programItselfHasAnEmptyPath() throws {
    let request = try #require(CompletionRequest(arguments: ["profile", "--command=", "--", ""]))
    #expect(request.command == [])
    #expect(request.profile == nil)
    #expect(request.prefix == "")
  }

  @Test(arguments: [
    [], ["--"], ["field"], ["field", "--", "x"], ["field", "--command=list"], ["field", "--command=list", "--"],
    ["field", "--command=list", "--", "x", "y"], ["field", "--comand=list", "--", "x"], ["field", "list", "--", "x"],
  ]) func refusesAnythingElse(arguments: [String]) { #expect(CompletionRequest(arguments: arguments) == nil) }

  @Test func candidateIsOneLine() {
    #expect(CompletionCandidate("id", "Log\train\n\u{1b}[31m")?.line == "id\tLog rain \\u{1b}[31m")
    #expect(CompletionCandidate("id")?.line == "id")
    #expect(CompletionCandidate("id", " ")?.line == "id")
    #expect(CompletionCandidate("a b \u{e4}")?.line == "a b \u{e4}")
  }

  @Test(arguments: ["", "a\nb", "a\tb", "\u{1b}[31m", "\u{9b}m", "\u{7f}"])
  func valueThatCannotBeTypedIsNone(value: String) { #expect(CompletionCandidate(value) == nil) }
}
