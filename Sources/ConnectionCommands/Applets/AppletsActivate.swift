import CommandLine
import HTTP
import IFTTT
import Output
import Session
import Text
import World

/// The result of an activation, as printed.
private struct AppletActivationRow: OutputRecord {
  let applet: Applet
  let previous: UserStatus

  static let fields: Fields = [
    Field("id", "The Applet's id", column: "ID") { $0.applet.id.description },
    Field("name", "The Applet's name", column: "NAME") { $0.applet.name },
    Field("status", "The status after the activation", column: "STATUS", style: .status) { $0.applet.status },
    Field("previous_status", "The status before the activation", column: "BEFORE", style: .status) { $0.previous },
  ]
}

enum AppletsActivate: Command {
  struct Options: CommandOptions {
    var id = Required<AppletID>()
    var email: EmailAddress?
    var isForced = false
    var service: String?
    var redirect = RedirectOptions()
    var credentials = CredentialOptions()
  }

  static let name = "activate"
  static let summary = "Activate an Applet for the first time, in the browser"
  static var discussion: [String] {
    [
      """
      Prints the URL of the Applet's page, opens it, and waits until the browser is redirected to this machine or \
      polling shows that the Applet is enabled. The redirect contains no result, so the Applet is then fetched again.
      """,
      "Here, --timeout limits the whole wait. Default: 5m.",
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("email", .emailAddress, into: \.email, help: "Email address to prefill on IFTTT's page"),
      .service(into: \.service),
      .toggle("force", into: \.isForced, help: "Use the browser even if the Applet is already enabled"),
    ] + .lifted(RedirectOptions.flags, into: \.redirect) + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.required(.appletID, into: \.id, help: "The Applet to activate")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "applets activate mB3xWq7T --service lampost --json", "activate an Applet, and print the result as JSON")
    ]
  }
  static var shape: OutputSchema? { .one(AppletActivationRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try AppletActivation(options, in: session).run()
  }
}

/// Activates one Applet in the browser, and polls IFTTT for the result.
private final class AppletActivation {
  let options: AppletsActivate.Options
  let session: Session
  let user: String
  let client: AppletsClient
  let timeout: Duration
  private var id: AppletID { options.id.value }

  init(_ options: AppletsActivate.Options, in session: Session) throws {
    var options = options
    options.redirect = try session.completed(options.redirect)
    (self.options, self.session) = (options, session)
    timeout = session.wholeTimeout ?? ActivationRedirectWait.defaultTimeout
    // IFTTT checks that the right account is signed in.
    try session.credentials.require(
      [.service(options.service), .userID(options.credentials.userID)], for: "'applets activate'")
    user = try session.credentials.userID(options.credentials.userID) ?? ""
    let slug = try session.credentials.service(options.service)
    let caller = try session.network.caller(.api, session.credentials.locate(options.credentials))
    client = AppletsClient(caller: caller, service: slug)
  }

  func run() throws -> Output {
    if session.options.isDryRun { return try dryRun() }
    session.limitRequests(to: timeout)
    let before = try fetch().get()
    if before.status == .enabled, !options.isForced { return output(before, before: before) }
    let endpoint = try RedirectEndpoint(options.redirect, of: .connect, for: before.primaryService, in: session)
    defer { endpoint.listener?.close() }
    try open(before, returningTo: endpoint)
    let isElsewhere = options.redirect.isElsewhere
    if isElsewhere { try session.console.reserveInput(for: "--redirect-uri") }
    var wait = ActivationRedirectWait(
      in: session, at: endpoint, of: .connect, takesInput: isElsewhere || session.console.mayPrompt,
      timeout: timeout, poll: before.status == .unknown ? nil : { try self.poll($0) })
    session.noteWait(timeout)
    waiting: while true {
      switch try wait.next() {
      case .seen(.enabled) where before.status != .enabled: wait.linger()
      case .timeUp(let sawForeign):
        let now = try fetch().get()
        guard now.status == .enabled, before.status != .enabled else { throw noRedirect(sawForeign) }
        return output(now, before: before)
      case .returned: break waiting
      default: continue
      }
    }
    let after = try fetch().get()
    guard after.status == .enabled else { throw notEnabled(after.status) }
    return output(after, before: before)
  }

  /// The result of a dry run. An Applet that is already enabled needs no browser.
  private func dryRun() throws -> Output {
    if try !session.network.isOffline, !options.isForced, try fetch().get().status == .enabled {
      session.console.note("Applet '\(id)' is already enabled.")
      return session.dryRun()
    }
    return session.dryRun(
      [client.show(id).request], change: "Would open the Applet's page in the browser and wait for the redirect.")
  }

  private func open(_ applet: Applet, returningTo endpoint: RedirectEndpoint) throws {
    guard let text = applet.embeddedURL else {
      throw Problem(
        .badResponse, "IFTTT returned no activation page for Applet '\(id)'",
        hint: "If it is a connection, \(ifttt: "connections activate \(id)") opens its page.")
    }
    let page: EmbeddedURL
    let base = try session.activationBase(beside: endpoint.listener?.origin)
    do throws(WebURLError) {
      page = try EmbeddedURL(text, below: base)
    } catch {
      throw Problem(
        .badResponse, "cannot open the page of Applet '\(id)'", reason: error.description,
        hint: "A server other than IFTTT may have responded; check the base URL.")
    }
    let url = page.url(
      userID: user, returningTo: endpoint.address.text, email: options.email?.description,
      inviteCode: try session.credentials.inviteCode(options.credentials.inviteCode), identity: session.usage.identity
    ).wire
    try session.open(url, shownAs: url, usesBrowser: options.redirect.usesBrowser)
  }

  private func fetch() throws -> Result<Applet, Problem> {
    var found: Result<Applet, Problem>?
    try client.http.send([id], to: client.show) { id, result in
      found = result.map(\.applet).mapError { Problem($0, subject: "Applet '\(id)'") }
    }
    guard let found else { throw Problem.interrupted }
    return found
  }

  private func poll(_ limit: Duration) throws -> PollResult<UserStatus> {
    switch try session.polling(for: limit, of: timeout, fetch) {
    case .success(let applet): return .found(applet.status)
    case .failure(let problem): return .failed(problem, retryAfter: nil)
    }
  }

  private func output(_ applet: Applet, before: Applet) -> Output {
    .one(AppletActivationRow(applet: applet, previous: before.status))
  }

  private func notEnabled(_ status: UserStatus) -> Problem {
    Problem(
      .notConfirmed, "the browser was redirected, but the Applet is not enabled",
      reason: "its status is \(status.rawValue) for the user of these credentials",
      hint: "The user may have canceled or signed in with another account; run the command again.")
  }

  private func noRedirect(_ sawForeign: Bool) -> Problem {
    sawForeign
      ? Problem(
        .stateMismatch, "no redirect with this run's nonce arrived",
        hint: "Try again; --no-nonce accepts redirects to --redirect-uri without that part.")
      : Problem(
        .timeout, "timed out waiting for the browser",
        hint: "To see whether it finished: \(ifttt: "applets fetch \(id)")\nTo wait longer, pass --timeout 15m.")
  }
}
