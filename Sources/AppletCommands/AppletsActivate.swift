import API
import Applets
import Arguments
import Batch
import BrowserRedirects
import CommandContext
import Connect
import Display
import HTTP
import Hints
import World

/// The result of an activation.
private struct AppletActivationRow: OutputRecord {
  let applet: Applet
  let previous: UserStatus

  static let fields: Fields = [
    Field("id", "The Applet's ID", column: "ID") { $0.applet.id.description },
    Field("name", "The Applet's name", column: "NAME") { $0.applet.name },
    Field("status", "The status after the activation", column: "STATUS", style: .status) { $0.applet.status },
    Field("previous_status", "The status before the activation", column: "BEFORE", style: .status) { $0.previous },
  ]
}

enum AppletsActivate: Command {
  struct Options: Sendable {
    var id = Required<AppletID>()
    var email: EmailAddress?
    var isForced = false
    var service: String?
    var returning = RedirectOptions()
    var credentials = CredentialOptions()
  }

  static let name = "activate"
  static let summary = "Switch an Applet on for the first time, in the browser"
  static var discussion: [String] {
    [
      """
      Prints the address of the Applet's page, opens it, and waits until the browser returns to this machine, or until the \
      Applet is seen to be on. The return tells nothing, so the Applet is then fetched again.
      """,
      "Here --timeout is the time of the whole wait, 5 minutes where it is not given.",
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("email", .emailAddress, into: \.email, help: "The user's e-mail, to fill in at IFTTT"),
      .service(into: \.service),
      .toggle("force", into: \.isForced, help: "Go through the browser even where the Applet is on already"),
    ] + .lifted(RedirectOptions.flags, into: \.returning) + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.required(.appletID, into: \.id, help: "The Applet to switch on")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("applets activate mB3xWq7T --service lampost --json", "what is on already stays as it is")]
  }
  static var shape: OutputSchema? { .one(AppletActivationRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try AppletActivation(options, in: session).run()
  }
}

/// Activates one Applet in the browser, and polls IFTTT for the result.
private struct AppletActivation {
  let options: AppletsActivate.Options
  let session: Session
  let user: String
  let client: AppletsClient
  let request: Request
  private var id: AppletID { options.id.value }

  init(_ options: AppletsActivate.Options, in session: Session) throws {
    var options = options
    options.returning = try session.completed(options.returning)
    (self.options, self.session) = (options, session)
    guard let user = try session.userID(options.credentials.userID) else {
      throw Problem(
        .credentialsMissing, "'applets activate' needs to know the user",
        reason: "IFTTT makes sure that the right account is signed in", hint: "Give --user-id or IFTTT_USER_ID.")
    }
    self.user = user
    let slug = try session.serviceSlug(options.service, for: "'applets activate'")
    let caller = try session.caller(.api, options.credentials)
    client = AppletsClient(caller: caller, service: slug)
    request = AppletsRequests(caller.template, service: slug).show(options.id.value)
  }

  func run() throws -> Output {
    if session.options.isDryRun { return try dryRun() }
    let timeout = session.wholeTimeout ?? ActivationRedirectWait.standardTimeout
    session.limitRequests(to: timeout)
    let before = try fetch().get()
    if before.status == .enabled, !options.isForced { return output(before, before: before) }
    let place = try RedirectEndpoint(options.returning, of: .connect, for: before.primaryService, in: session)
    defer { place.listener?.close() }
    try open(before, returningTo: place)
    let isElsewhere = options.returning.isElsewhere
    if isElsewhere { try session.claimInput(for: "--redirect-uri") }
    var wait = ActivationRedirectWait(
      in: session, at: place, of: .connect, takesInput: isElsewhere || session.mayPrompt,
      timeout: timeout, look: before.status == .unknown ? nil : { try look($0) })
    session.noteWait(timeout)
    waiting: while true {
      switch try wait.next() {
      case .seen(.enabled) where before.status != .enabled: wait.linger()
      case .timeUp(let sawForeign):
        let now = try fetch().get()
        guard now.status == .enabled, before.status != .enabled else { throw nobodyCame(sawForeign) }
        return output(now, before: before)
      case .returned: break waiting
      default: continue
      }
    }
    let after = try fetch().get()
    guard after.status == .enabled else { throw notOn(after.status) }
    return output(after, before: before)
  }

  /// The result of a dry run. An Applet that is already enabled needs no browser.
  private func dryRun() throws -> Output {
    if try !session.isCutOff, !options.isForced, try fetch().get().status == .enabled {
      session.note("Applet '\(id)' is already enabled.")
      return session.dryRun()
    }
    return session.dryRun([request], change: "Would open the Applet's page in the browser and wait for the redirect.")
  }

  private func open(_ applet: Applet, returningTo place: RedirectEndpoint) throws {
    guard let text = applet.embeddedURL else {
      throw Problem(
        .badResponse, "IFTTT names no page at which Applet '\(id)' is switched on",
        hint: "If it is a connection, \(ifttt: "connections activate \(id)") opens its page.")
    }
    let page: EmbeddedURL
    let base = try session.activationBase(beside: place.listener?.origin)
    do throws(WebURLError) {
      page = try EmbeddedURL(text, below: base)
    } catch {
      throw Problem(
        .badResponse, "the page of Applet '\(id)' cannot be opened", reason: error.description,
        hint: "Something other than IFTTT may have answered; check the base URL.")
    }
    let url = page.url(
      userID: user, returningTo: place.address.text, email: options.email?.description,
      inviteCode: try session.inviteCode(options.credentials.inviteCode), identity: session.usage.identity
    ).wire
    try session.open(url, shownAs: url, usesBrowser: options.returning.usesBrowser)
  }

  private func fetch() throws -> Result<Applet, Problem> {
    var found: Result<Applet, Problem>?
    try client.show([id]) { id, result in
      found = result.map(\.applet).mapError { Problem($0, subject: "Applet '\(id)'") }
    }
    guard let found else { throw Problem.interrupted }
    return found
  }

  private func look(_ limit: Duration) throws -> PollResult<UserStatus> {
    let timeout = session.wholeTimeout ?? ActivationRedirectWait.standardTimeout
    switch try session.looking(for: limit, of: timeout, fetch) {
    case .success(let applet): return .seen(applet.status)
    case .failure(let problem): return .failed(problem, retryAfter: nil)
    }
  }

  private func output(_ applet: Applet, before: Applet) -> Output {
    .one(AppletActivationRow(applet: applet, previous: before.status))
  }

  private func notOn(_ status: UserStatus) -> Problem {
    Problem(
      .notConfirmed, "the browser came back, but the Applet is not on",
      reason: "its status is \(status.rawValue) for whom these credentials speak",
      hint: "It may have been cancelled, or another account signed in; run the command again.")
  }

  private func nobodyCame(_ sawForeign: Bool) -> Problem {
    sawForeign
      ? Problem(
        .stateMismatch, "only returns without the random part of the address came",
        hint: "Try again; --no-nonce takes a return at the address of --redirect-uri without it.")
      : Problem(
        .timeout, "nobody came back in time",
        hint: "It may still be going on: \(ifttt: "applets fetch \(id)") tells; or allow more --timeout.")
  }
}
