import API
import ActivationCommands
import Arguments
import CommandContext
import Connect
import Display
import Hints

enum ConnectionsActivate: Command {
  struct Options: Sendable {
    var id = Required<ConnectionID>()
    var activation = ActivationOptions()
  }

  static let name = "activate"
  static let summary = "Switch a connection on for the first time, in the browser"
  static var discussion: [String] {
    [
      """
      Finds out who the user is, by the user token or the e-mail, prints the address of IFTTT's page and opens it, and \
      waits on this machine for the browser to return. The user token that comes back is kept in the profile before \
      anything else is done; then the connection is read and tracked. What was switched off is first switched on again \
      without a browser; where that fails the browser is opened.
      """,
      """
      Where IFTTT does not accept a return to this machine, register a page or scheme of your own and give it with \
      --redirect-uri: the address where the browser ended is then pasted, or read from standard input. It holds a user \
      token. Meanwhile the connection is looked at every few seconds, where credentials allow.
      """,
      """
      With --skip-config the connection is pending until 'ifttt configure ID' sets its fields. If it is turned off before that, \
      IFTTT does not turn it on again, and skipping once more does not help: --no-skip-config is the way out.
      """,
      """
      NAME:ID is a connection of provider NAME, which switches it on in its own way; the options are for IFTTT's.
      """,
      """
      Here --timeout is the time of the whole wait, 5 minutes where it is not given. The OAuth code of your service never \
      stands in a printed URL, unless --reveal is given: who opens a printed one signs in at your service. With --no-browser \
      and without --reveal the code is not spent.
      """,
    ]
  }
  static var flags: [Flag<Options>] { .lifted(ActivationOptions.flags, into: \.activation) }
  static var positionals: [Positional<Options>] {
    [.required(.connectionID, into: \.id, help: "The connection to switch on")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections activate Kd7Rn2Qx --email kai@mail.test", "what is on already stays as it is"),
      ExampleSchema("connections activate Kd7Rn2Qx --skip-config --json", "for a program with a screen of its own"),
    ]
  }
  static var shape: OutputSchema? { .activation }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) { try options.activation.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.activation.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.trackSandboxOnce()
    let id = QualifiedConnectionID(options.id.value.description, provider: nil)
    return try session.provider(of: id).activate(id, options.activation)
  }
}
