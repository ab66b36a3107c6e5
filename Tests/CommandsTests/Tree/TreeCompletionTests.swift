import Foundation
import ProgramDriver
import Sandbox
import Support
import Testing

/// The committed scripts with the built program, for values that come from stored data.
@Suite struct TreeCompletionTests {
  /// Command lines, and all values that are offered for them.
  private static let questions: [(line: String, values: [String])] = [
    ("ifttt --profile sandbox connections show ", SandboxFixtures.connectionIDs),
    ("ifttt connections disable --profile=sandbox Kd7Rn2Qx Fq", ["Fq3Lw8Zt"]),
    ("ifttt --profile sandbox applets fetch ", ["mB3xWq7T", "cH8nRt5K", "vL2sJy9D", "zD4hMr8S"]),
    ("ifttt --profile ", ["default", "sandbox", "work"]),
    ("ifttt profile use ", ["default", "sandbox", "work"]),
    ("ifttt --profile sandbox token show ", ["u-5521"]),
    ("ifttt --profile sandbox connections list --user-id ", ["u-5521"]),
    ("ifttt connections enable --fields st", ["status"]),
    ("ifttt connections list --fields id,services.sh", ["id,services.short_name"]),
    ("ifttt connections list --fields=id,name,primary", ["--fields=id,name,primary_service"]),
    ("ifttt schema connections-s", ["connections-show"]),
    // The default profile tracks nothing.
    ("ifttt connections show ", []),
    ("ifttt --profile nobody connections show ", []),
  ]
  private static let lines = questions.map(\.line)

  private func filledProgram() throws -> CompletionProgram {
    let program = try CompletionProgram()
    try program.run("-q", "--profile", "sandbox", "connections", "list")
    try program.run("-q", "--profile", "sandbox", "token", "exchange")
    try program.run("-q", "--profile", "sandbox", "applets", "fetch")
    try program.run("-q", "profile", "create", "work", "--service", "lampost")
    return program
  }

  private func check(_ complete: (CompletionProgram) throws -> [[Shells.Candidate]]) throws {
    let program = try filledProgram()
    let offered = try complete(program)
    try #require(offered.count == Self.questions.count)
    for (question, candidates) in zip(Self.questions, offered) {
      #expect(candidates.map(\.value).sorted() == question.values.sorted(), "\(question.line)")
    }
    #expect(program.complaints == "")
    #expect(!program.hasUsedNetwork)
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bash() throws {
    let script = try Checkout.text("completions/ifttt.bash")
    try check { program in
      let offered = try Shells.bashCompletions(script: script, lines: Self.lines, programs: program.path)
      // Readline does not replace the text before the equals sign.
      return zip(Self.lines, offered).map { line, values in
        values.map { Shells.Candidate(line.hasSuffix("=id,name,primary") ? "--fields=" + $0 : $0) }
      }
    }
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zsh() throws {
    let script = try Checkout.text("completions/_ifttt")
    try check { try Shells.zshCompletions(script: script, lines: Self.lines, programs: $0.path) }
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fish() throws {
    let script = try Checkout.text("completions/ifttt.fish")
    try check { try Shells.fishCompletions(script: script, lines: Self.lines, programs: $0.path) }
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func idsHaveNames() throws {
    let program = try filledProgram()
    let offered = try Shells.fishCompletions(
      script: Checkout.text("completions/ifttt.fish"),
      lines: [
        "ifttt --profile sandbox connections show Yb", "ifttt --profile sandbox applets fetch vL",
        "ifttt --profile san",
      ], programs: program.path)
    #expect(
      offered == [
        [.init("Yb8Cz3Ve", "Mail blinks the lamp")], [.init("vL2sJy9D", "Blue light before rain")],
        [.init("sandbox", "built in; needs no network")],
      ])
    #expect(!program.hasUsedNetwork)
  }
}
