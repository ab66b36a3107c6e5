import ProgramDriver
import Support
import Testing

@testable import Session

/// `token exchange` for many users.
@Suite struct UserTokenExchangeTests {
  private let home = Home()
  private let path: String

  init() {
    path = home.folder.write(
      "users.csv", "user_id,access_token\nu-1,access-one-0123456789\nu-2,access-two-0123456789\nu-3,\n")
    home.environment["IFTTT_SERVICE_KEY"] = "key-of-the-tests-0123456789"
    home.secrets += [
      "key-of-the-tests-0123456789", "access-one-0123456789", "access-two-0123456789", "token-one-0123456789-abcdef",
      "token-two-0123456789-abcdef",
    ]
  }

  private func answer(_ token: String) -> String { #"{"type":"user_token","user_token":"\#(token)"}"# }

  @Test func tokensAreStoredForEachUser() {
    let server = Server().answering(200, answer("token-one-0123456789-abcdef")).answering(
      401, Server.error("unauthorized", "access-two-0123456789 is not valid"))
    let exchanged = home.run("token exchange --users \(path) -o jsonl -v", answers: server)
    #expect(exchanged.output == "{\"user_id\":\"u-1\",\"saved\":true}\n")
    #expect(exchanged.exit == .partial)
    #expect(exchanged.errors.contains("u-2") && exchanged.errors.contains("line 4"))
    #expect(!exchanged.errors.contains("ifttt token exchange"), "\(exchanged.errors)")
    #expect(home.run("token show u-1 --print", reveals: true).output == "token-one-0123456789-abcdef\n")
    #expect(home.run("token list -o tsv --no-header --fields user_id").output == "u-1\n")
    // The profile does not become the profile of one of the users.
    #expect(!home.run("profile show --json").output.contains("u-1"))
  }

  @Test func aResumedRunSkipsUsersWhoseTokenItStored() {
    let server = Server().answering(200, answer("token-one-0123456789-abcdef")).answering(
      401, Server.error("unauthorized", "it is not valid"))
    let first = home.run("token exchange --users \(path) -o jsonl", answers: server)
    #expect(first.exit == .partial && first.errors.contains("--resume added to the same command"))
    let rest = Server().answering(200, answer("token-two-0123456789-abcdef"))
    let resumed = home.run("token exchange --users \(path) -o jsonl --resume", answers: rest)
    #expect(resumed.output == "{\"user_id\":\"u-2\",\"saved\":true}\n")
    #expect(rest.asked.count == 1)
    #expect(home.run("token list -o tsv --no-header --fields user_id").output == "u-1\nu-2\n")
    let none = home.run("token exchange --users \(path) --resume")
    #expect(none.exit == .notFound && none.errors.contains("no run of 'token exchange --users' was interrupted"))
    #expect(home.run("token exchange --user-id u-1 --resume").exit == .usage)
    #expect(home.run("connections undo --yes").errors.contains("nothing"), "no connection was changed")
    #expect(!home.folder.names.contains { $0.hasPrefix("run-") })
  }

  @Test func aStoreThatCannotBeWrittenIsFoundBeforeAnExchange() throws {
    home.run("token set --user-id u-9 --user-token-file -", input: .bytes(Array("a-token-0123456789\n".utf8)))
    try UnusableStore.make("foreign", in: home)
    #expect(home.run("token exchange --users \(path)").exit == .store)
  }

  @Test func theOlderAPIIsSupported() {
    let server = Server().answering(200, answer("token-one-0123456789-abcdef")).answering(
      200, answer("token-two-0123456789-abcdef"))
    let exchanged = home.run("token exchange --users \(path) --api v1 --service lampost -o jsonl", answers: server)
    #expect(exchanged.lines.count == 2)
    #expect(
      !server.asked.isEmpty && server.asked.allSatisfy { $0 == "POST api.ifttt.com/v1/services/lampost/user_token" })
  }

  @Test(arguments: ["--print", "--reveal", "--access-token-file T", "--user-id u-1", "--no-save"])
  func optionsForOneUserAreUsageErrors(_ words: String) {
    #expect(home.run("token exchange --users \(path) \(words)").exit == .usage)
  }

  @Test func aDryRunMasksTheTokens() {
    let planned = home.run("token exchange --users \(path) --dry-run -o jsonl --fields method,url")
    #expect(planned.lines.count == 2 && planned.exit == .partial)
  }
}
