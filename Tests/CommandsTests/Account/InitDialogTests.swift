import ProgramDriver
import Session
import Support
import Testing
import Text

@testable import Commands

/// The dialog of `init` at the width of the terminal.
@Suite struct InitDialogTests {
  private static let key = "service-key-0123456789-abcdef"

  @Test(arguments: [40, 80]) func theDialogFitsTheTerminal(_ columns: Int) {
    let home = Home()
    home.secrets.append(Self.key)
    home.terminal = .interactive(columns: columns)
    let run = home.run(
      "init", input: .typed(lines: ["lampost", "y", "", "", ""], secrets: [Self.key]),
      answers: Server().answering(200, #"{"authentication_level":"channel","service_id":"lampost"}"#))
    #expect(run.exit == .success)
    for line in run.notes where TextWidth.of(line) > columns {
      // Commands, URLs and prompts are never split. The typed answer is not echoed, so the next line follows a prompt.
      let isAfterPrompt = ["? ", "user id: ", "ids or URLs: "].contains { line.contains($0) }
      #expect(!line.contains(" ") || line.contains("ifttt ") || isAfterPrompt, "\(line)")
    }
    #expect(run.errors.replacing("\n", with: " ").contains("Stored the service key in profile 'default'."))
  }

  @Test func theQuestionMarkOpensThePage() {
    let home = Home()
    home.terminal = .interactive()
    home.prepare = { $0.processes.browser = .success(()) }
    let run = home.run("init", input: .typed(lines: ["?", "lampost", "", "", ""], secrets: ["?"]))
    #expect(run.exit == .success)
    #expect(run.errors.contains("https://platform.ifttt.com/services\n"))
    #expect(run.errors.contains("https://platform.ifttt.com/services/lampost/api\n"))
  }

  /// A typed text of a few letters is not a secret, and would be masked in every message.
  @Test func aShortSecretIsRejected() {
    let home = Home()
    home.terminal = .interactive()
    let run = home.run("init", input: .typed(lines: ["", "", "", ""], secrets: ["y", ""]))
    #expect(run.exit == .success)
    #expect(run.errors.contains("the input is too short for the service key"), "\(run.errors)")
    #expect(run.errors.contains("Step 2 of 4: the service key."))
  }

  @Test func variablesAreNamed() {
    let home = Home()
    home.environment["IFTTT_SERVICE"] = "lampost"
    home.terminal = .interactive()
    let run = home.run("init", input: .typed(lines: ["", "", "", ""], secrets: [""]))
    #expect(run.errors.contains("IFTTT_SERVICE is set, and used instead of the profile's values."), "\(run.errors)")
  }

  @Test func anInvalidSlugIsNotStored() {
    let home = Home()
    home.terminal = .interactive()
    let run = home.run("init", input: .typed(lines: ["a/b", "", "", "", ""]))
    #expect(run.exit == .success && run.errors.contains("invalid value 'a/b' for '--service'"), "\(run.errors)")
    home.terminal = .none
    #expect(!home.run("profile list").output.contains("a/b"))
  }
}
