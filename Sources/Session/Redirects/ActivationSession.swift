package import HTTP
package import IFTTT
import Output
import Sandbox
import Store
import Text
import World

// The parts of the session that an activation needs in addition to credentials.

extension Session {
  /// Creates the sandbox's pages; nil for every other profile. The redirect endpoint serves them, because the sandbox
  /// profile has no server.
  func sandboxPages() throws -> (@Sendable () -> any HTTPResponder)? {
    guard let file = try storage.sandboxStateFile() else { return nil }
    return { SandboxPages(file) }
  }

  /// The base URL of IFTTT's pages.
  /// - Parameter origin: the origin of this run's server for the sandbox's pages.
  package func activationBase(beside origin: String?) throws -> WebURL {
    guard try profileName.isSandbox, let origin else { return try network.base(.web) }
    return try WebURL(parsing: origin)
  }

  /// Limits the timeout of every request to the given time or the usual limit, whichever is shorter.
  package func limitRequests(to limit: Duration) {
    (try? network.http)?.policy = HTTPClient.Policy(
      timeout: min(limit, .seconds(30)), retries: options.retries, jobs: options.jobs)
  }

  /// 160 random bits, in hexadecimal.
  func newNonce() -> String { world.random.bytes(20).hex }

  /// Creates the page that the browser shows at the end of an activation.
  func landingPage(for service: Service?, isPending: Bool) -> @Sendable (ActivationRedirect?) -> Reply {
    let (name, color, language) = (service?.name, service?.brandColor, console.language)
    return { redirect in
      Reply(
        LandingPage(
          redirect: redirect, isPending: isPending, serviceName: name, brandColor: color, language: language))
    }
  }

  /// Prints a URL on its own line, where it can be selected, and opens it. If no browser opens, the user needs the
  /// line, so `--quiet` does not suppress it.
  /// - Parameters:
  ///   - printed: the same URL without the parts that must not appear in a log.
  ///   - command: the browser command, if one was given.
  /// - Returns: whether a browser was started.
  @discardableResult
  package func open(
    _ url: String, shownAs printed: String, usesBrowser: Bool, with command: String? = nil
  ) throws -> Bool {
    console.note(Hint(console.language.text(.openPage)))
    if !usesBrowser || !options.isQuiet { console.writeURL(printed) }
    try world.checkInterruption()
    guard usesBrowser else { return false }
    do throws(SystemError) {
      try world.processes.openBrowser(url, with: command)
      return true
    } catch {
      if options.isQuiet { console.writeURL(printed) }
      printDespiteQuiet("Cannot open a browser (\(error)); open the URL yourself.")
      return false
    }
  }

  /// Writes a line that `--quiet` does not suppress.
  private func printDespiteQuiet(_ text: String) { world.writeMessage(TerminalText.escaped(text) + "\n") }

  package func noteWait(_ timeout: Duration) {
    guard world.terminal.errorIsTerminal else { return }
    let seconds = Int(timeout.components.seconds)
    console.note(
      Hint(console.language.text(seconds % 60 == 0 ? .waitingMinutes(seconds / 60) : .waitingSeconds(seconds))))
    if console.mayPrompt { console.note(Hint(console.language.text(.pasteAddress))) }
  }

  /// Prompts for an email address, at most three times until it is valid.
  package func promptForEmail() throws -> EmailAddress? {
    for _ in 0..<3 {
      guard let line = try console.ask(console.language.asking([console.language.text(.askEmail)])) else { return nil }
      if let email = EmailAddress(parsing: line) { return email }
      console.note(Hint(console.language.text(.invalidEmail)))
    }
    return nil
  }

  package func report(_ note: ActivationFlow.Note) {
    switch note {
    case .tokenRefused(let level):
      console.note(
        "The user token was rejected; continuing \(level == .service ? "with the service key" : "without it").")
    case .reenableFailed(let failure):
      console.note("The connection could not be enabled without a browser (\(Problem(failure, subject: nil).summary)).")
    case .accountUnknown:
      console.note(
        "Cannot determine whether this email has an account: IFTTT will prompt for it, and no account is created.")
    case .newAccount(let email):
      console.note(Hint(console.language.text(.accountWillBeCreated(email: email.description))))
    case .codeRefused(let failure):
      console.note(
        "The OAuth code could not be used (\(Problem(failure, subject: nil).summary)); sign in at the service instead.")
    case .codeNeedsKey:
      console.note("The OAuth code needs the service key for this page; sign in at the service instead.")
    case .noRedirect: console.note("The connection is enabled, but no redirect arrived, so there is no user token.")
    }
  }
}

/// The sandbox profile's web pages on a listener of this program, shown in place of IFTTT's pages.
///
/// It serves pages only. They change the same state that the profile's requests use.
final class SandboxPages: HTTPResponder {
  private let file: SandboxStateFile

  package init(_ file: SandboxStateFile) { self.file = file }

  /// Whether this path and query belong to one of the pages. A server with other paths checks this before it forwards
  /// a request.
  package static func serves(_ target: String) -> Bool { WebRoute(target: target) != nil }

  package func respond(to request: ReceivedRequest) -> Reply {
    let headers = request.fields.map { Header($0.name, $0.value) }
    guard Self.serves(request.target),
      let received = Request(
        receivedMethod: request.method, target: request.target, headers: headers, body: request.body)
    else { return .text(404, "The sandbox has no such page") }
    do {
      let response = try file.response(to: received, target: request.target)
      return Reply(
        status: response.status, fields: response.headers.map { HeaderField($0.name, $0.value) }, body: response.body)
    } catch {
      return .text(500, "The sandbox's state could not be read or saved")
    }
  }
}

extension Session {
  /// Writes the sandbox's page of a connection to a file, because the sandbox profile has no server that could show
  /// it after the command ends.
  /// - Returns: the page's `file:` URL; nil for every other profile.
  /// - Throws: `not_found` if the sandbox does not have the connection.
  package func sandboxPageFile(of id: ConnectionID, edits: Bool) throws -> String? {
    guard let sandbox = try storage.sandboxStateFile() else { return nil }
    let folder = try store.directories.cache + "/sandbox-pages"
    try world.files.makeFolder(folder)
    let page = try network.base(.web).appending("connections", id.description)
    // The two pages link to each other, so each link is replaced by a file name.
    let names = [(page, "connection.html"), (page.appending("edit"), "configuration.html")]
    for (url, name) in names {
      let response = try sandbox.response(to: Request(.get, url))
      guard response.status == 200 else {
        throw Problem(
          .notFound, "the sandbox has no connection '\(id)'",
          hint: "See \(ifttt: "--profile sandbox connections list").")
      }
      var text = String(decoding: response.body, as: UTF8.self)
      for (other, file) in names.reversed() {
        text = text.replacing("href=\"\(other.path)\"", by: "href=\"\(file)\"")
      }
      try world.files.replace("\(folder)/\(name)", with: Array(text.utf8), mode: 0o600)
    }
    let path = "\(folder)/\(names[edits ? 1 : 0].1)".split(separator: "/").map { Percent.encode(String($0)) }
    return "file:///" + path.joined(separator: "/")
  }
}
