import CommandLine
import HTTP
import Output
import Session
import Text
import World

/// The page that `sandbox open` opened.
private struct OpenedInspector: OutputRecord {
  let url: String
  let isOpened: Bool

  static let fields: Fields = [
    Field("url", "The URL of the page; with the key only if it is not opened", column: "URL", overflow: .keep) {
      $0.url
    },
    Field("opened", "Whether the browser was started", column: "OPENED") { $0.isOpened },
  ]
}

enum SandboxOpen: Command {
  struct Options: CommandOptions {
    var onlyPrints = false
    var server = ServerChoice()
  }

  static let name = "open"
  static let summary = "Open the running server's inspector in the browser"
  static var discussion: [String] {
    [
      """
      The inspector is a web page that shows what the server receives, sends and does. It changes the configuration of \
      connections, fires triggers, injects faults and sends requests again.
      """,
      """
      The page needs the key of the server. The browser gets it from a file that only you can read. With --print, the \
      printed URL contains the key: anyone with this URL controls the server.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [.toggle("print", into: \.onlyPrints, help: "Print the URL with the key, and do not start the browser")]
      + .lifted(ServerChoice.flags, into: \.server)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox open --print", "print the URL for a browser on this machine"),
      ExampleSchema("sandbox open", "open the inspector"),
    ]
  }
  static var shape: OutputSchema? { .one(OpenedInspector.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if session.options.isDryRun {
      return session.dryRun(change: "Would \(options.onlyPrints ? "print" : "open") the URL of the inspector.")
    }
    let control = try ServerControl(options.server, in: session)
    // A server that is gone is reported here, instead of by the browser.
    _ = try control.send(.get, "")
    let page = "\(control.server.url)/"
    let pageWithKey = "\(page)#key=\(Percent.encode(control.server.key))"
    guard !options.onlyPrints else {
      return session.options.format == .table
        ? .text("\(pageWithKey)\n") : .one(OpenedInspector(url: pageWithKey, isOpened: false))
    }
    let file = try RunningServers(session).writePage(leadingTo: pageWithKey, of: control.server)
    do throws(SystemError) {
      try session.world.processes.openBrowser(file)
    } catch {
      throw Problem(
        .refused, "cannot open the browser", reason: error.description,
        hint: "Print the URL with \(ifttt: "sandbox open --print"), and open it yourself.")
    }
    return .one(OpenedInspector(url: page, isOpened: true))
  }
}

extension RunningServers {
  /// Writes a file that only its owner can read and that leads a browser to a URL, so that the URL is in no argument of
  /// a program.
  /// - Returns: The `file:` URL.
  fileprivate func writePage(leadingTo url: String, of server: RunningServer) throws -> String {
    let html = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>IFTTT sandbox</title>
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0;url=\(MarkupText.escaped(url))"></head>
      <body><p><a href="\(MarkupText.escaped(url))">Open the inspector</a></p></body></html>

      """
    let path = pagePath(of: server.url)
    try world.files.replace(path, with: Array(html.utf8), mode: 0o600)
    return "file:///" + path.split(separator: "/").map { Percent.encode(String($0)) }.joined(separator: "/")
  }
}
