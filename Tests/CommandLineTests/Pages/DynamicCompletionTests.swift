import CommandLine
import Foundation
import Support
import Testing

/// Values requested from the program: the request, and names that a shell would execute if they were not quoted.
@Suite struct DynamicCompletionTests {
  private static let questions = [
    ("ifttt --profile a", "[__complete][profile][--command=][--][a]"),
    ("ifttt connections list ", "[__complete][connection-id][--command=connections list][--][]"),
    ("ifttt --fields=id,name,a", "[__complete][field][--command=][--][a]"),
    (
      "ifttt --profile 'my own' connections list --fields id,a",
      "[__complete][field][--command=connections list][--profile=my own][--][a]"
    ),
    (
      "ifttt connections list --profile=p a",
      "[__complete][connection-id][--command=connections list][--profile=p][--][a]"
    ),
    ("ifttt token remove -q x", "[__complete][token-user][--command=token remove][--][x]"),
    (
      "ifttt connections list one two --fields id,a",
      "[__complete][field][--command=connections list][--argument=one][--][a]"
    ),
    (
      "ifttt connections list --profile=p one a",
      "[__complete][connection-id][--command=connections list][--profile=p][--argument=one][--][a]"
    ),
  ]

  private func script(_ shell: CompletionShell) -> String { Completion.script(for: shell, root: SampleTree.root) }

  private let lines = questions.map(\.0)

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bashSendsRequests() throws {
    try check { _ = try Shells.bashCompletions(script: script(.bash), lines: lines, programs: $0.path) }
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fishSendsRequests() throws {
    try check { _ = try Shells.fishCompletions(script: script(.fish), lines: lines, programs: $0.path) }
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zshSendsRequests() throws {
    try check { _ = try Shells.zshCompletions(script: script(.zsh), lines: lines, programs: $0.path) }
  }

  private func check(_ complete: (FakeProgram) throws -> Void) throws {
    let program = try FakeProgram()
    try complete(program)
    #expect(try program.questions() == Self.questions.map(\.1))
    #expect(!program.hasRunName)
  }

  @Test(arguments: questions.map(\.1)) func theProgramParsesTheRequests(question: String) {
    let words = question.dropFirst().dropLast().components(separatedBy: "][")
    #expect(CompletionRequest(arguments: Array(words.dropFirst())) != nil)
  }

  /// Each name typed until it is unique, and the line after TAB.
  private static let typed = [
    ("ifttt --profile al", "ifttt --profile alpha "),
    ("ifttt --profile a\\ ", "ifttt --profile a\\ b "),
    ("ifttt --profile 'a ", "ifttt --profile 'a b' "),
    ("ifttt --profile \"a ", "ifttt --profile \"a b\" "),
    ("ifttt --profile 'a$", "ifttt --profile 'a$(touch MARKER)`touch MARKER`' "),
    ("ifttt --profile 'it", #"ifttt --profile 'it'\''s:"quoted"\back' "#),
    ("ifttt --profile \"it", #"ifttt --profile "it's:\"quoted\"\\back" "#),
    ("ifttt connections list it", #"ifttt connections list it\'s:\"quoted\"\\back "#),
    ("ifttt --fields id,al", "ifttt --fields id,alpha"),
    ("ifttt --fields=id,al", "ifttt --fields=id,alpha"),
    ("ifttt --profile=nä", "ifttt --profile=näme "),
    ("ifttt connections list -- -", "ifttt connections list -- -dash "),
    ("ifttt connections list -d", "ifttt connections list -d"),
  ]

  @Test(.enabled(if: Tool.isInstalled("zsh") && Tool.isInstalled("bash"), "skipped: needs zsh and bash"))
  func bashInsertsQuotedNames() throws {
    let program = try FakeProgram()
    let lines = try Shells.bashLines(script: script(.bash), lines: Self.typed.map(\.0), programs: program.path)
    #expect(lines == Self.typed.map { $0.1.replacingOccurrences(of: "MARKER", with: program.marker) })
    #expect(!program.hasRunName)
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zshInsertsQuotedNames() throws {
    let program = try FakeProgram()
    let lines = try Shells.zshLines(script: script(.zsh), lines: Self.typed.map(\.0), programs: program.path)
    #expect(lines == Self.typed.map { $0.1.replacingOccurrences(of: "MARKER", with: program.marker) })
    #expect(!program.hasRunName)
  }

  @Test(.enabled(if: Tool.isInstalled("zsh") && Tool.isInstalled("bash"), "skipped: needs zsh and bash"))
  func noSpaceFollowsABeginning() throws {
    let program = try FakeProgram(beginning: "Kd")
    let lines = ["ifttt connections list K"]
    let inBash = try Shells.bashLines(script: script(.bash), lines: lines, programs: program.path)
    let inZsh = try Shells.zshLines(script: script(.zsh), lines: lines, programs: program.path)
    #expect(inBash == ["ifttt connections list Kd"] && inZsh == inBash && !program.hasRunName)
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fishOffersNames() throws {
    let program = try FakeProgram()
    let offered = try Shells.fishCompletions(
      script: script(.fish), lines: ["ifttt --profile ", "ifttt connections list "], programs: program.path)
    for candidate in offered.joined() {
      #expect(candidate.description == FakeProgram.description(of: candidate.value))
    }
    #expect(Set(offered[0].map(\.value)) == Set(program.values))
    // An id that looks like an option is offered only after `--`.
    #expect(Set(offered[1].map(\.value)) == Set(program.values).subtracting(["-dash"]))
    #expect(!program.hasRunName)
  }
}
