import API
import Arguments
import CommandContext
import Connect
import Display
import Hints
import PluginHost

/// The result of an activation as printed.
struct ActivationRow: OutputRecord {
  let id: String
  let name: String
  let status: Connection.Status
  let previous: Connection.Status
  var isPending = false
  var savedToken = false
  var login: String?
  /// Nil if no browser was needed.
  var page: ActivationPage?

  static let fields: Fields = [
    Field("id", "The connection's ID", column: "ID") { $0.id },
    Field("name", "The connection's name", column: "NAME") { $0.name },
    Field("status", "The status after the activation", column: "STATUS", style: .status) { $0.status },
    Field("previous_status", "The status before the activation", column: "BEFORE", style: .status) { $0.previous },
    Field("pending", "Whether the connection is activated but not configured", column: "PENDING") { $0.isPending },
    Field("token_saved", "Whether a user token was stored", column: "TOKEN SAVED") { $0.savedToken },
    Field("user_login", "The user's login name at IFTTT", column: "LOGIN") { $0.login },
    Field("url_kind", "The kind of page that was opened; null if no browser was needed") { $0.page?.rawValue },
  ]
}

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
  static var shape: OutputSchema? { .one(ActivationRow.self) }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) { try options.activation.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.activation.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.trackSandboxOnce()
    let id = QualifiedConnectionID(options.id.value.description, provider: nil)
    if let name = id.provider { return try ProviderConnections(in: session).activate(id.id, of: name) }
    let activation = try Activation(of: options.id.value, options.activation, in: session)
    if session.options.isDryRun { return try activation.dryRun() }
    return try activation.run().output(in: session)
  }
}

/// The result of an activation.
struct ActivationResult {
  var id: ConnectionID
  /// The connection as last fetched; nil if it could not be fetched after the activation.
  var connection: Connection?
  var status: Connection.Status
  var previous: Connection.Status
  var isPending: Bool
  /// Why the last fetch of the connection failed, if it did.
  var unverified: APIError?
  var savedToken: Bool
  var login: String?
  /// Nil if no browser was needed.
  var page: ActivationPage?

  private var row: ActivationRow {
    ActivationRow(
      id: id.description, name: connection?.name ?? id.description, status: status, previous: previous,
      isPending: isPending, savedToken: savedToken, login: login, page: page)
  }

  /// The result in one line, for a command that continues. A separate note reports the token.
  var words: String { "Connection '\(id)' is \(status.rawValue)\(isPending ? " (pending)" : "")." }

  static func pendingNote(_ id: ConnectionID) -> Hint {
    "It does nothing until it is configured: \(ifttt: "configure \(id)")."
  }

  func output(in session: Session) -> Output {
    var output = Output.one(row)
    output.verdict = {
      if let failure = unverified {
        var problem = Problem(failure, subject: "connection '\(id)'")
        problem.message = "IFTTT said that it is done, but what became of it is unknown: \(problem.message)"
        throw problem
      }
      if isPending { session.note(Self.pendingNote(id)) }
    }
    return output
  }
}
