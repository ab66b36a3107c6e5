import API
import Batch
package import CommandContext
package import Connect
import ConnectButton
import Display
package import HTTP
import Hints
import Listener
import Phrases
import Store
import World

// What an activation needs of the session beside credentials.

extension Session {
  /// The sandbox's own pages, which are served beside the return: its profile has no server.
  func sandboxPages() throws -> (@Sendable () -> any HTTPResponder)? {
    guard let file = try sandboxStateFile() else { return nil }
    return { SandboxPages(file) }
  }

  /// Where IFTTT's pages are.
  /// - Parameter origin: of a server of this run's that serves the sandbox's.
  package func activationBase(beside origin: String?) throws -> WebURL {
    guard try profileName.isSandbox, let origin else { return try base(.web) }
    return try WebURL(parsing: origin)
  }

  /// Every request is over after this long, and after what a request has anyway.
  package func limitRequests(to whole: Duration) {
    (try? http)?.policy = HTTPClient.Policy(
      timeout: min(whole, .seconds(30)), retries: options.retries, jobs: options.jobs)
  }

  /// Puts a connection that was read where `list` and `show` find it.
  /// - Parameter isAnotherToken: whether it was read with a token that came in the meantime.
  package func keep(_ answer: FetchedConnection, of options: CredentialOptions, isAnotherToken: Bool) throws {
    let (store, profile) = (try store, try profile.name)
    _ = try store.track([answer.connection.id.description], profile: profile)
    // As somebody else than these options name it would be shown under a wrong one.
    if isAnotherToken, try given(.userToken, file: options.userTokenFile) != nil { return }
    try store.cache([cached(answer)], as: asker(options), profile: profile)
  }

  /// 160 bits that nobody can guess, in hexadecimal.
  func newNonce() -> String {
    world.random.bytes(20).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }

  /// Makes the page that the browser ends on.
  func landing(for service: Service?, isPending: Bool) -> @Sendable (ActivationRedirect?) -> Reply {
    let (name, color, language) = (service?.name, service?.brandColor, language)
    return { what in
      Reply(
        LandingPage(
          outcome: LandingPage.Outcome(what, isPending: isPending), serviceName: name, brandColor: color,
          language: language))
    }
  }

  /// Prints a URL on its own line, where it can be selected, and opens it. If no browser opens, the user needs the line,
  /// so `--quiet` does not suppress it.
  /// - Parameters:
  ///   - printed: the same without what nobody's log is to hold.
  ///   - command: of a browser that was named for it.
  /// - Returns: whether a browser was started.
  @discardableResult
  package func open(
    _ url: String, shownAs printed: String, usesBrowser: Bool, with command: String? = nil
  ) throws -> Bool {
    if !usesBrowser, options.isQuiet { insist(printed) }
    note(Hint(language.text(.openPage)))
    note(Hint(printed))
    guard !world.interruption.isInterrupted else { throw Problem.interrupted }
    guard usesBrowser else { return false }
    do throws(SystemError) {
      try world.processes.openBrowser(url, with: command)
      return true
    } catch {
      if options.isQuiet { insist(printed) }
      insist("No browser could be opened (\(error)): open the URL yourself.")
      return false
    }
  }

  /// A line that `--quiet` does not suppress.
  private func insist(_ text: String) { world.writeWords(TerminalText.escaped(text) + "\n") }

  package func tellOfWait(_ timeout: Duration) {
    guard world.terminal.errorIsTerminal else { return }
    let seconds = Int(timeout.components.seconds)
    note(Hint(language.text(seconds % 60 == 0 ? .waitingMinutes(seconds / 60) : .waitingSeconds(seconds))))
    if mayPrompt { note(Hint(language.text(.pasteAddress))) }
  }

  /// Asks until it is an address, three times at most.
  package func askEmail() throws -> EmailAddress? {
    for _ in 0..<3 {
      guard let line = try ask(language.asking([language.text(.askEmail)])) else { return nil }
      if let email = EmailAddress(parsing: line) { return email }
      note(Hint(language.text(.invalidEmail)))
    }
    return nil
  }

  package func tell(_ note: ActivationFlow.Note) {
    switch note {
    case .tokenRefused(let level):
      self.note(
        "The user token is not accepted; going on \(level == .service ? "with the service key" : "without it").")
    case .reenableFailed(let failure):
      self.note("It could not be switched on without the browser (\(Problem(failure, subject: nil).summary)).")
    case .accountUnknown:
      self.note(
        "Whether there is an account with this e-mail could not be learned: IFTTT will ask, and none is made for it.")
    case .newAccount(let email): self.note(Hint(language.text(.accountWillBeCreated(email: email.description))))
    case .codeRefused(let failure):
      self.note(
        "The OAuth code could not be used (\(Problem(failure, subject: nil).summary)): you sign in at the service.")
    case .codeNeedsKey:
      self.note("The OAuth code needs the service key for this page; without it you sign in at the service.")
    case .noReturn: self.note("The connection is on; the browser did not come back, so it brought no user token.")
    }
  }
}
