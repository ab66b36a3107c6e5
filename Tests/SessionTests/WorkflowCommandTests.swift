import ProgramDriver
import Support
import Testing
import Text

@testable import Session

/// The workflow commands for GitHub Actions, and protection from commands injected through this program's output.
@Suite struct WorkflowCommandTests {
  private static let hostile = "::add-mask::x\\n::set-env name=A::b\\r##[set-output name=c]d%0A::error::e"

  /// The commands that the runner would detect: `::` after optional white space, and `##[` anywhere.
  private func commands(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map(String.init).filter { line in
      String(line.drop(while: \.isWhitespace)).hasPrefix("::")
        || line.utf8.indices.contains { start in
          line.utf8[start...].starts(with: "##[".utf8)
        }
    }
  }

  private func home() -> Home {
    let home = Home.tracking("aa")
    home.environment["GITHUB_ACTIONS"] = "true"
    return home
  }

  @Test(arguments: [
    "table --fields name", "table", "json --fields name", "json", "jsonl --fields name,description", "jsonl",
    "csv --no-header --fields url,name",
  ])
  func namesAreNeverParsedAsCommands(_ format: String) throws {
    let home = home()
    for name in [Self.hostile, "\u{a0} ::debug::x", "::"] {
      let server = Server().answering(200, Server.connection("aa", name: name))
      #expect(home.run("connections list --refresh -o csv", answers: server).exit == .success)
      let shown = home.run("connections list -o \(format)")
      let found = commands(in: shown.output)
      // In CSV, a line ending within a name is data and has no other representation.
      #expect(found.filter { !format.hasPrefix("csv") || $0.hasPrefix("\"") } == [], "\(shown.output)")
    }
  }

  @Test func escapedJSONIsEquivalent() throws {
    let home = home()
    let server = Server().answering(200, Server.connection("aa", name: "##[group]a ###[b"))
    let list = home.run("connections list --refresh --json --fields name", answers: server)
    #expect(list.output == "[\n{\"name\":\"#\\u0023[group]a ##\\u0023[b\"}\n]\n")
    home.environment["GITHUB_ACTIONS"] = nil
    #expect(home.run("connections list --json --fields name").output == "[\n{\"name\":\"##[group]a ###[b\"}\n]\n")
  }

  /// A command must not escape its escaping by being divided between two writes.
  @Test func commandsInLongOutputAreEscaped() throws {
    let home = home()
    let name = String(repeating: "##[group]", count: 20_000)
    let server = Server().answering(200, Server.connection("aa", name: name))
    let list = home.run("connections list --refresh --json", answers: server)
    #expect(list.output.utf8.count > 4 * 32 * 1024)
    #expect(commands(in: list.output) == [])
  }

  @Test func csvQuotesColons() {
    let home = home()
    home.environment["GITHUB_ACTIONS"] = nil
    let server = Server().answering(200, Server.connection("aa", name: "::notice::x"))
    let list = home.run("connections list --refresh -o csv --no-header --fields name", answers: server)
    #expect(list.output == "\"::notice::x\"\n")
  }

  @Test func eachFailureIsAnnotated() {
    let home = home()
    let ids = (0..<12).map { "c\($0)" }
    let server = ids.reduce(Server()) { server, _ in server.answering(404, Server.error("x", Self.hostile)) }
    let run = home.run("connections show \(ids.joined(separator: " "))", answers: server)
    let found = commands(in: run.errors)
    #expect(found.count == 10, "GitHub shows ten")
    #expect(found.allSatisfy { $0.hasPrefix("::error title=ifttt%3A ") })
    #expect(
      found[0] == "::error title=ifttt%3A c0%3A not_found::no connection 'c0', or these credentials cannot access it: "
        + "IFTTT responded with 404 x: ::add-mask::x\\n::set-env name=A::b\\r\\u{23}#[set-output name=c]d%250A::error::e%0A"
        + "Check the id; an unpublished service needs --invite-code.")
    #expect(found[9].hasPrefix("::error title=ifttt%3A not_found::all 12 failed%0A"))
  }

  @Test func theLastLineRemainsMachineReadable() throws {
    let home = home()
    let run = home.run("connections show zz --json", answers: Server().answering(404, Server.error("x", "##[y]z")))
    let lines = run.notes
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("::error title=ifttt%3A not_found::no connection"))
    #expect(lines[1].hasPrefix(#"{"error":{"code":"not_found""#))
    #expect(lines[1].contains(#"#\u0023[y]z"#))
    let usage = home.run("connections show")
    #expect(usage.notes.first?.hasPrefix("::error title=ifttt%3A usage::pass ids, or select connections") == true)
    let elsewhere = Home().run("connections show")
    #expect(commands(in: elsewhere.errors) == [])
  }

  @Test func anInterruptionIsNotAnnotated() {
    let home = home()
    home.prepare = { $0.interruption.interrupt() }
    let run = home.run("connections show zz")
    #expect(run.exit == .interrupted)
    #expect(commands(in: run.errors) == [])
  }

  @Test func everySecretIsMaskedBeforeItIsPrinted() throws {
    let token = try #require(Secret(parsing: "100%25of:it,\u{e9}"))
    #expect(WorkflowCommands.mask(token) == "::add-mask::100%2525of:it,\u{e9}\n")
    let home = Home()
    home.environment["GITHUB_ACTIONS"] = "true"
    for line in [
      "token exchange --print", "token exchange --reveal", "token exchange --no-save --print", "token show --print",
      "token show --reveal",
    ] {
      let run = home.sandbox(line, reveals: true)
      #expect(run.exit == .success, "\(run.errors)")
      let mask = try #require(run.notes.first { $0.hasPrefix("::add-mask::") })
      #expect(run.output.contains(mask.dropFirst("::add-mask::".count)), "\(line)")
    }
    let answer = Server().answering(200, #"{"type":"user_token","user_token":"token-0123456789-abcdefghij"}"#)
    home.environment["IFTTT_SERVICE_KEY"] = "service-key-of-the-tests"
    let run = home.run("api POST /v2/user_token --as service", answers: answer, reveals: true)
    #expect(run.errors == "::add-mask::token-0123456789-abcdefghij\n")
    home.environment["IFTTT_SERVICE_KEY"] = nil
    let masked = home.sandbox("token list")
    #expect(commands(in: masked.errors) == [])
  }

  @Test func ciShowsNoPrompts() {
    let home = Home.tracking("aa", "bb")
    home.terminal = .interactive()
    home.environment["CI"] = "true"
    home.environment["NO_COLOR"] = "1"
    let server = Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb"))
    let all = home.run("connections disable --all", answers: server)
    #expect(all.exit == .failure && all.errors.hasPrefix("ifttt: confirmation required"), "\(all.errors)")
    home.environment["IFTTT_USER_TOKEN"] = nil
    for line in ["connections enable aa", "connections undo", "token exchange --user-id u", "profile remove default"] {
      let run = home.run(line)
      #expect(run.exit != .success, "\(line)")
      #expect(!run.errors.contains("[y/N]") && !run.errors.contains(": \u{1b}"), "\(run.errors)")
    }
  }
}
