import CommandLine
import IFTTT
import Output
import Session
import Text

enum ConnectionsActivate: Command {
  struct Options: CommandOptions {
    var id = Required<ConnectionID>()
    var activation = ActivationOptions()
  }

  static let name = "activate"
  static let summary = "Activate a connection for the first time, in the browser"
  static var discussion: [String] {
    [
      """
      Identifies the user by the user token or the email address, prints the URL of IFTTT's page, opens it, and waits \
      for the browser to be redirected to this machine. The user token from the redirect is saved in the profile \
      first; then the connection is fetched and tracked. A disabled connection is first enabled without a browser; if \
      that fails, the browser is opened.
      """,
      """
      If IFTTT does not accept a redirect to this machine, register a page or scheme of your own and pass it with \
      --redirect-uri. Then paste the URL that the browser was redirected to, or pass it on stdin; it contains a user \
      token. While waiting, the command also polls the connection every few seconds if the credentials allow it.
      """,
      """
      With --skip-config, the connection is pending until 'ifttt configure ID' sets its fields. If it is disabled \
      before that, IFTTT does not enable it again; activate it with --no-skip-config instead.
      """,
      """
      NAME:ID is a connection of provider NAME, which activates it in its own way. The options apply only to IFTTT's \
      connections.
      """,
      """
      Here, --timeout limits the whole wait. Default: 5m. A printed URL does not contain your service's OAuth code \
      unless --reveal is given; without the code, the user signs in at your service. With --no-browser and without \
      --reveal, the code is not used.
      """,
    ]
  }
  static var flags: [Flag<Options>] { .lifted(ActivationOptions.flags, into: \.activation) }
  static var positionals: [Positional<Options>] {
    [.required(.connectionID, into: \.id, help: "The connection to activate")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections activate Kd7Rn2Qx --email kai@mail.test", "identify the user by email"),
      ExampleSchema(
        "connections activate Kd7Rn2Qx --skip-config --json",
        "activate without configuration, for an app that has its own"),
    ]
  }
  static var shape: OutputSchema? { .one(ActivationRow.self) }

  static func check(_ options: Options) throws(Conflict) { try options.activation.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.activation.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.storage.trackSandboxOnce()
    let id = QualifiedConnectionID(options.id.value.description, provider: nil)
    return try session.provider(of: id).activate(id, options.activation)
  }
}
