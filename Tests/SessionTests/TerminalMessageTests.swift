import Foundation
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Text on stderr: wrapped on a terminal, one line per message in a pipe, and no repetition.
@Suite struct TerminalMessageTests {
  private func widths(_ text: String) -> [Int] { text.split(separator: "\n").map(\.count) }

  @Test func errorsAndNotesAreWrappedAt80ColumnsOnATerminal() {
    let home = Home()
    home.terminal = .interactive(columns: 200)
    let failed = home.sandbox("connections run Kd7Rn2Qx tidebook.add_entry -f lamp=nonsense --no-input")
    let long = home.sandbox("connections enable Ud6Jn1Gs --no-input")
    for errors in [failed.errors, long.errors] {
      // A command is never broken, so that it can be copied.
      let lines = errors.split(separator: "\n").filter { !$0.contains("'ifttt") }
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(errors)")
    }
    #expect(long.errors.contains("'ifttt --profile sandbox connections activate Ud6Jn1Gs'"), "\(long.errors)")
    home.terminal = .interactive(columns: 40)
    let narrow = home.sandbox("connections enable Ud6Jn1Gs --no-input --color never").errors
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 40 || $0.contains("'ifttt") }, "\(narrow)")
    #expect(narrow.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("  ") })
  }

  @Test func linesInAPipeAreNotWrapped() {
    let home = Home()
    let failed = home.sandbox("connections enable Ud6Jn1Gs")
    #expect(failed.notes.count == 3, "\(failed.errors)")
  }

  @Test func promptsAreWrapped() {
    let home = Home()
    home.terminal = .interactive(columns: 30)
    let asked = home.sandbox("connections disable --all --force --color never", input: .text("n\n"))
    // The input follows the prompt, and so does subsequent output if there is no echo.
    let shown = asked.errors.components(separatedBy: "ifttt:")[0]
    // The question is printed where the progress bar was.
    let question = shown.components(separatedBy: "\u{1b}[K").last ?? ""
    #expect(question.hasSuffix("[y/N] "))
    let lines = question.split(separator: "\n")
    #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 30 }, "\(question)")
  }

  @Test func failedRowPrintsItsErrorOnce() {
    let home = Home()
    let failed = home.sandbox("connections enable Ud6Jn1Gs")
    #expect(failed.exit == .failure)
    #expect(failed.output.contains("Ud6Jn1Gs") && !failed.output.contains("was never enabled"), "\(failed.output)")
    #expect((failed.output + failed.errors).ranges(of: "was never enabled").count == 1)
    let several = home.sandbox("connections enable Ud6Jn1Gs Kd7Rn2Qx")
    #expect((several.output + several.errors).ranges(of: "was never enabled").count == 1, "\(several.errors)")
    // In data formats, every row contains its result.
    let csv = home.sandbox("connections enable Ud6Jn1Gs -o csv")
    #expect(csv.output.contains("was never enabled") && csv.errors.contains("was never enabled"))
    let chosen = home.sandbox("connections enable Ud6Jn1Gs --fields id,error.message")
    #expect(chosen.output.contains("was never enabled") && !chosen.errors.isEmpty)
  }

  @Test func doctorPrintsTheSameListInAPipe() {
    let home = Home()
    home.prepare = { $0.processes.program = nil }
    let piped = home.sandbox("doctor --offline")
    #expect(piped.lines.allSatisfy { $0.count <= 80 || !$0.contains("  ") || $0.contains("/") }, "\(piped.output)")
    #expect(!piped.output.contains("CHECK"))
    #expect(home.sandbox("doctor --offline --fields check,status").output.contains("CHECK"))
    _ = piped.errors
  }

  @Test(arguments: ["connections list", "token list", "plugin list", "location events list"])
  func emptyTableInAPipeShowsTheFirstSteps(line: String) {
    let home = Home()
    let table = home.run(line)
    #expect(table.exit == .success && table.output == "")
    #expect(table.notes.count == 1, "\(line): \(table.errors)")
    let json = home.run(line + " --json")
    #expect(json.output == "[]\n" && json.errors == "", "\(json.errors)")
    #expect(home.run(line + " -q").errors == "")
  }

  @Test func emptyListSuggestsAWorkingCommand() throws {
    let home = Home()
    let note = home.run("connections list").errors
    let command = try #require(note.split(separator: ": ifttt ").last)
    let begun = home.run(String(command).trimmed)
    #expect(begun.exit == .success && begun.output.contains("Kd7Rn2Qx"), "\(begun.errors)")
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }.prefix { $0 != "\n" }) }
}
