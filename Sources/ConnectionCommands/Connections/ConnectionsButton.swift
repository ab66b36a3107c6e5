import CommandLine
import HTTP
import IFTTT
import Output
import Session
import Store
import Text
import World

enum ConnectionsButton: Command {
  enum Format: String, CaseIterable, Sendable {
    case ansi, svg, html

    var summary: String {
      switch self {
      case .ansi: "text for a terminal, colored if colors are allowed"
      case .svg: "an SVG image"
      case .html: "a self-contained HTML snippet"
      }
    }
  }

  struct Options: CommandOptions {
    var id = Required<ConnectionID>()
    var format = Format.ansi
    var state: ButtonState?
    var style = ButtonStyle.light
    var email: String?
    var hasFooter = true
    var hasIcons = true
    var credentials = CredentialOptions()
  }

  static let name = "button"
  static let summary = "Draw a connection's Connect Button"
  static var discussion: [String] {
    [
      """
      Draws the button that IFTTT's SDKs show for a connection, in the language of --locale: 329 points wide and 70 \
      high, with a one-line footer. The drawing is written to stdout; --output has no effect. The connection is \
      neither tracked nor cached.
      """,
      """
      The drawing links to the service's icon if its URL is https; this command never fetches it. Without an icon, or \
      with --no-icons, the first letter of the service's name is drawn. Browsers do not load linked icons in an <img> \
      element: use --no-icons there.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "format", .oneOf(Format.self, placeholder: "FORMAT", help: \.summary), into: \.format, defaultText: "ansi",
        help: "Format of the drawing"),
      .value(
        "state", .oneOf(ButtonState.self, placeholder: "STATE"), into: \.state,
        defaultText: "connected if the connection is enabled, otherwise connect",
        help: "State of the button to draw"),
      .value(
        "style", .oneOf(ButtonStyle.self, placeholder: "STYLE", help: \.summary), into: \.style, defaultText: "light",
        help: "Kind of page to draw the button for"),
      .value(
        "email", .nonEmpty("ADDRESS"), into: \.email, help: "Email address in the field and in the footer"),
      .toggle(
        "footer", negatable: true, into: \.hasFooter, defaultText: "on", help: "Draw the footer under the button"),
      .toggle(
        "icons", negatable: true, into: \.hasIcons, defaultText: "on",
        help: "Link to the services' icons in svg and html; a browser that shows the drawing may fetch them"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.required(.ownConnectionID, into: \.id, help: "The connection whose button to draw")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections button Kd7Rn2Qx", "draw the button in its current state"),
      ExampleSchema(
        "connections button Kd7Rn2Qx --format svg --state connect --locale ja", "create an image for a manual"),
      ExampleSchema("connections button Kd7Rn2Qx --format html --style dark", "create HTML for a dark page"),
    ]
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.storage.trackSandboxOnce()
    let id = options.id.value
    if session.options.isDryRun {
      return session.dryRun(
        try session.network.isOffline
          ? [] : [session.network.connect(session.credentials.locate(options.credentials)).show(id).request])
    }
    let connection = try session.connection(id, options.credentials)
    let button = try button(for: connection, options, session)
    session.usage.record(.buttonShown(id, connection.status))
    switch options.format {
    case .ansi:
      let terminal = session.world.terminal
      let columns = terminal.outputIsTerminal ? terminal.columns ?? 80 : 80
      return .text(button.drawn(columns: columns, colors: session.terminalColors))
    case .svg: return .text(button.svg)
    case .html: return .text(button.html)
    }
  }

  private static func button(
    for connection: Connection, _ options: Options, _ session: Session
  ) throws -> ConnectButton {
    let web = try session.network.base(.web)
    let id = connection.id.description
    var button = ConnectButton(
      state: options.state ?? (connection.status == .enabled ? .connected : .connect), connectionName: connection.name,
      primary: connection.primaryService, connecting: connection.services.first { !$0.isPrimary },
      style: options.style, language: session.console.language, email: options.email)
    (button.hasFooter, button.hasIcons) = (options.hasFooter, options.hasIcons)
    button.links = ConnectButton.Links(
      connect: web.appending("connect", id).wire, page: web.appending("connections", id).wire)
    return button
  }
}

extension ButtonStyle {
  fileprivate var summary: String {
    switch self {
    case .light: "a black button for light pages"
    case .dark: "a white button for dark pages"
    }
  }
}

extension Session {
  /// The colors for a button drawn in text.
  fileprivate var terminalColors: TerminalColors {
    guard colorsOutput else { return .none }
    let environment = world.environment
    let isDirect =
      ["truecolor", "24bit"].contains(environment[.colorTerminal])
      || environment[.terminal]?.hasSuffix("-direct") == true
    return isDirect ? .direct : .indexed
  }

  /// Returns the connection from IFTTT, or from the cache with `--offline`. Does not cache the result.
  fileprivate func connection(_ id: ConnectionID, _ credentials: CredentialOptions) throws -> Connection {
    guard try network.isOffline else {
      let client = try network.connect(self.credentials.locate(credentials))
      do throws(APIError) {
        return try client.show(id).send().connection
      } catch {
        throw Problem(error, subject: "connection '\(id)'")
      }
    }
    let cached = try store.cached(id.description, profile: profile.name)
    guard let connection = cached?.connection else {
      throw Problem(
        .notFound, "connection '\(id)' was never fetched", hint: "Run the command without --offline.")
    }
    return connection
  }
}
