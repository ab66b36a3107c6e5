import CommandLine
import HTTP
import IFTTT
import Session
import Text
import World

private struct OpenedPage: OutputRecord {
  let id: ConnectionID
  let url: String
  let isOpened: Bool

  static let fields: Fields = [
    Field("id", "The connection's id") { $0.id.description },
    Field("url", "The URL of the page", column: "URL") { $0.url },
    Field("opened", "Whether the browser was opened", column: "OPENED") { $0.isOpened },
  ]
}

enum ConnectionsOpen: Command {
  struct Options: CommandOptions {
    var id = Required<ConnectionID>()
    var opensEditPage = false
    var usesBrowser = true
  }

  static let name = "open"
  static let summary = "Open a connection's page at IFTTT in the browser"
  static var discussion: [String] {
    [
      """
      With the sandbox profile, the sandbox's page is written to a file in the cache folder, and the file's URL is \
      printed and opened.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle("edit", into: \.opensEditPage, help: "Open the edit page instead of the manage page"),
      .toggle(
        "browser", negatable: true, into: \.usesBrowser, defaultText: "on",
        help: "Open the browser; without it, only print the URL"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.ownConnectionID, into: \.id, help: "The connection whose page to open")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("connections open Kd7Rn2Qx --no-browser", "print the page's URL")]
  }
  static var shape: OutputSchema? { .one(OpenedPage.self) }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: CredentialOptions())
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let id = options.id.value
    if session.options.isDryRun { return try dryRun(options, in: session) }
    let url = try session.sandboxPageFile(of: id, edits: options.opensEditPage) ?? page(options, in: session).wire
    if options.usesBrowser {
      do throws(SystemError) {
        try session.world.processes.openBrowser(url)
      } catch {
        throw Problem(
          .refused, "cannot open the browser", reason: error.description,
          hint: "Open \(url) yourself, or pass --no-browser.")
      }
    }
    return .one(OpenedPage(id: id, url: url, isOpened: options.usesBrowser))
  }

  private static func page(_ options: Options, in session: Session) throws -> WebURL {
    let page = try session.network.base(.web).appending("connections", options.id.value.description)
    return options.opensEditPage ? page.appending("edit") : page
  }

  private static func dryRun(_ options: Options, in session: Session) throws -> Output {
    let page = try session.profileName.isSandbox ? nil : page(options, in: session)
    guard options.usesBrowser else { return session.dryRun(page.map { [Request(.get, $0)] } ?? []) }
    return session.dryRun(
      page.map { [Request(.get, $0)] } ?? [],
      change: page == nil
        ? "Would open the sandbox's page of connection '\(options.id.value)' in the browser."
        : "Would open this page in the browser.")
  }
}
