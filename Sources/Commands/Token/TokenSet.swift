import CommandLine
import Session
import Store
import World

enum TokenSet: Command {
  struct Options: Sendable {
    var userID: String?
    var file: String?
  }

  static let name = "set"
  static let summary = "Store a user token that you already have"
  static var discussion: [String] {
    [
      """
      The token is read from a file, stdin or IFTTT_USER_TOKEN; on a terminal, the command prompts for it. It \
      cannot be passed as an argument.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .userID(into: \.userID),
      .value(
        "user-token-file", .file, into: \.file,
        help: "Read the user token from this file, '-' for stdin (or set IFTTT_USER_TOKEN)"),
    ]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("token set --user-id u-5521 --user-token-file -", "read the token from a pipe")]
  }
  static var shape: OutputSchema? { .one(TokenRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let given = try session.credentials.given(.userToken, file: options.file)
    let secret = try given ?? session.credentials.ask(.userToken, for: "'token set'")
    let user = try session.credentials.userID(options.userID) ?? ""
    if session.options.isDryRun { return session.dryRun(change: "Would store a user token.") }
    let record = try session.store.save(secret, as: .userToken, userID: user, profile: profile)
    return .one(TokenRow(record: record, secret: secret, profile: profile))
  }
}
