import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `token list`, `show`, `set` and `remove`: the stored tokens, and how they are shown.
@Suite struct StoredTokenTests {
  static let token = "kept-token-0123456789-abcdef"

  private func home() -> Home {
    let home = Home()
    home.secrets = [Self.token]
    return home
  }

  @Test func aTokenIsSetShownAndRemoved() {
    let home = home()
    let set = home.run("token set --user-id u-1 --user-token-file - --json", input: .text(Self.token + "\n"))
    #expect(
      set.output == #"{"user_id":"u-1","token":"kept…cdef","saved_at":"\#(home.now.rfc3339)","profile":"default"}"#
        + "\n")
    #expect(home.run("token list --json").output == "[\n" + set.output + "]\n")
    #expect(home.run("token show u-1 --json").output == set.output)
    #expect(
      home.run("token show --reveal --json --fields token", reveals: true).output == #"{"token":"\#(Self.token)"}"#
        + "\n")
    let removed = home.run("token remove u-1")
    #expect(removed.output == "")
    #expect(removed.errors == "Removed 1 user token.\n")
    #expect(home.run("token list --json").output == "[]\n")
  }

  /// A terminal shows how long ago it was; a pipe and data have the time.
  @Test func aTableOnATerminalShowsTheAge() {
    let home = home()
    let saved = home.now.rfc3339
    #expect(home.run("token set --user-id u-1 --user-token-file -", input: .text(Self.token)).exit == .success)
    home.now = home.now + .seconds(300)
    func shown(_ options: String) -> String { home.run("token list --no-header \(options)").output }
    #expect(shown("").contains(saved) && shown("--time-style relative").contains("5 min ago"))
    home.terminal = .interactive()
    #expect(shown("").contains("5 min ago") && shown("--time-style absolute").contains(saved))
    #expect(shown("-o csv").contains(saved) && shown("-o jsonl").contains(saved))
  }

  @Test func setPrintsTheTimeThatItStored() {
    let home = home()
    home.adapt = { $0.clock = TickingClock(clock: $0.clock) }
    let set = home.run("token set --user-id u-1 --user-token-file - --json", input: .text(Self.token))
    #expect(set.exit == .success)
    #expect(home.run("token show u-1 --json").output == set.output)
  }

  @Test func setPromptsOnATerminal() {
    let home = home()
    home.terminal = .interactive()
    let set = home.run("token set --json --fields token", input: .typed(secrets: [Self.token]))
    #expect(set.errors.hasPrefix("ifttt: 'token set' needs a user token\n"))
    #expect(set.errors.hasSuffix("\nuser token: \n"))
    #expect(set.output.contains("kept…cdef"))
    home.terminal = .none
    #expect(home.run("token set").exit == .credentials)
  }

  /// `-` is stdin, and a terminal must not echo the typed token.
  @Test func aDashOnATerminalPromptsToo() {
    let home = home()
    home.environment["NO_COLOR"] = "1"
    home.terminal = .interactive()
    let set = home.run("token set --user-token-file - --json --fields token", input: .typed(secrets: [Self.token]))
    #expect(set.errors == "user token: \n")
    #expect(set.output.contains("kept…cdef"))
    for words in ["--no-input", "-q --no-input"] {
      let refused = home.run("token set --user-token-file - \(words)")
      #expect(refused.exit == .credentials)
      #expect(refused.notes.first == "ifttt: --user-token-file - reads stdin, which is a terminal")
    }
    home.environment["CI"] = "true"
    #expect(home.run("token set --user-token-file -").exit == .credentials)
  }

  @Test func aMissingTokenIsNotFound() {
    let home = home()
    let none = home.run("token show")
    #expect(
      none.errors == """
        ifttt: no user token is stored
          Get one with 'ifttt token exchange', or store one with 'ifttt token set'.

        """)
    #expect(none.exit == .notFound)
    #expect(
      home.run("token show u-9 --json").errors.hasPrefix(
        #"{"error":{"code":"not_found","message":"no user token is stored for user 'u-9'"#))
    #expect(home.run("token remove u-9").exit == .notFound)
    #expect(home.folder.names == [])
  }

  /// Five of thousands of users are named, and the rest is counted.
  @Test func manyTokensAreCounted() {
    let home = home()
    for user in 1...7 { home.run("token set --user-id u\(user) --user-token-file -", input: .text(Self.token)) }
    #expect(home.run("token show").notes.last == "  Specify one of these users: u1, u2, u3, u4, u5 and 2 more.")
    #expect(
      home.run("connections show aa").notes.last
        == "  Specify one of these users with --user-id: u1, u2, u3, u4, u5 and 2 more.")
  }

  @Test func severalTokensNeedAUser() {
    let home = home()
    for user in ["a", "b"] { home.run("token set --user-id \(user) --user-token-file -", input: .text(Self.token)) }
    let which = home.run("token show")
    #expect(which.exit == .notFound)
    #expect(which.notes.last == "  Specify one of these users: a, b.")
    #expect(home.run("token remove").exit == .notFound)
    #expect(
      home.run("connections show aa").notes.last == "  Specify one of these users with --user-id: a, b.")
    let half = home.run("token remove a nobody")
    #expect(half.exit == .notFound)
    #expect(home.run("token list --fields user_id --no-header").output == "a\nb\n", "nothing is removed")
    let asked = home.run("token remove --all")
    #expect(asked.exit == .failure)
    #expect(asked.errors.contains("Remove 2 user tokens from profile 'default'?"))
    #expect(asked.notes.last == "  Pass --yes.")
    #expect(home.run("token remove --all --dry-run").errors == "Would remove 2 user tokens.\n")
    #expect(home.run("token list --fields user_id --no-header").output == "a\nb\n")
    home.terminal = .interactive()
    #expect(home.run("token remove --all", input: .typed(lines: ["n"])).exit == .failure)
    #expect(home.run("token remove --all", input: .typed(lines: ["y"])).errors.hasSuffix("Removed 2 user tokens.\n"))
    #expect(home.run("token remove --all").exit == .success, "there is nothing to confirm")
    home.terminal = .none
    home.run("token set --user-id a --user-token-file -", input: .text(Self.token))
    #expect(home.run("token remove --all --yes").errors == "Removed 1 user token.\n")
    #expect(home.run("token remove a --all").exit == .usage)
  }

  @Test func gitHubActionsLogsAreMasked() {
    let home = home()
    home.run("token set --user-token-file -", input: .text(Self.token))
    home.environment["GITHUB_ACTIONS"] = "true"
    #expect(home.run("token show --print", reveals: true).errors == "::add-mask::\(Self.token)\n")
    #expect(home.run("token show").errors == "")
  }

  @Test func aDryRunChangesNothing() {
    let home = home()
    home.run("token set --user-id a --user-token-file -", input: .text(Self.token))
    let remove = home.run("token remove a --dry-run --exit-code")
    #expect(remove.errors == "Would remove 1 user token.\nifttt: something would change\n")
    #expect(remove.exit == .notYet)
    #expect(home.run("token set --user-id b --user-token-file - --dry-run", input: .text(Self.token)).exit == .success)
    #expect(home.run("token list --fields user_id --no-header").output == "a\n")
  }
}

/// A clock on which a second passes whenever it is read.
private struct TickingClock: Clock {
  let clock: any Clock

  func now() -> Timestamp {
    clock.sleep(for: .seconds(1))
    return clock.now()
  }

  func monotonic() -> Duration { clock.monotonic() }
  func sleep(for duration: Duration) { clock.sleep(for: duration) }
}
