import CommandLine
import Session
import Store
import Text

enum TokenShow: Command {
  struct Options: Sendable {
    var user: String?
    var reveals = false
    var printsAlone = false
  }

  static let name = "show"
  static let summary = "Show a user token"
  static var flags: [Flag<Options>] {
    [
      .toggle("reveal", into: \.reveals, help: "Show the token unmasked"),
      .toggle("print", into: \.printsAlone, help: "Print only the token, for $(…)"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.optional(.tokenUser, into: \.user, help: "User whose token to show; default: the profile's user")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("token show --print", "print only the token, for a script")] }
  static var shape: OutputSchema? { .one(TokenRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (record, secret) = try session.storedToken(of: options.user)
    if options.reveals || options.printsAlone { session.console.announce(secret) }
    if options.printsAlone { return .text(secret.revealed + "\n") }
    return .one(
      TokenRow(record: record, secret: secret, profile: try session.profile.name, isRevealed: options.reveals))
  }
}
