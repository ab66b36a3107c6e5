import CommandLine
import HTTP
package import IFTTT
import Output
package import Session
import Store
import Text
import World

/// The result of an activation, as printed.
package struct ActivationRow: OutputRecord {
  let id: String
  let name: String
  let status: Connection.Status
  let previous: Connection.Status
  var isPending = false
  var hasSavedToken = false
  var login: String?
  /// Nil if no browser was needed.
  var page: ActivationPage?

  package init(
    id: String, name: String, status: Connection.Status, previous: Connection.Status, isPending: Bool = false,
    hasSavedToken: Bool = false, login: String? = nil, page: ActivationPage? = nil
  ) {
    (self.id, self.name, self.status, self.previous) = (id, name, status, previous)
    (self.isPending, self.hasSavedToken, self.login, self.page) = (isPending, hasSavedToken, login, page)
  }

  package static let fields: Fields = [
    Field("id", "The connection's id", column: "ID") { $0.id },
    Field("name", "The connection's name", column: "NAME") { $0.name },
    Field("status", "The status after the activation", column: "STATUS", style: .status) { $0.status },
    Field("previous_status", "The status before the activation", column: "BEFORE", style: .status) { $0.previous },
    Field("pending", "Whether the connection is activated but not configured", column: "PENDING") { $0.isPending },
    Field("token_saved", "Whether a user token was stored", column: "TOKEN SAVED") { $0.hasSavedToken },
    Field("user_login", "The user's login name at IFTTT", column: "LOGIN") { $0.login },
    Field("url_kind", "The kind of page that was opened; null if no browser was needed") { $0.page?.rawValue },
  ]
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
  var hasSavedToken: Bool
  var login: String?
  /// Nil if no browser was needed.
  var page: ActivationPage?

  private var row: ActivationRow {
    ActivationRow(
      id: id.description, name: connection?.name ?? id.description, status: status, previous: previous,
      isPending: isPending, hasSavedToken: hasSavedToken, login: login, page: page)
  }

  /// The result in one line, for a command that continues. It omits the token, which a separate note reports.
  var summary: String { "Connection '\(id)' is \(status.rawValue)\(isPending ? " (pending)" : "")." }

  func output(in session: Session) -> Output {
    var output = Output.one(row)
    output.verdict = {
      if let failure = unverified {
        var problem = Problem(failure, subject: "connection '\(id)'")
        problem.message = "IFTTT reported success, but the connection's state is unknown: \(problem.message)"
        throw problem
      }
      if isPending { session.console.note(.pending(id)) }
    }
    return output
  }
}

extension Activation {
  /// The requests and the page of an activation, as far as the current status determines them.
  func dryRun() throws -> Output {
    let status = try currentStatus()
    if status == .enabled, !options.isForced, options.finishURL == nil {
      session.console.note("Connection '\(id)' is already enabled.")
      return session.dryRun()
    }
    var requests: [Request] = []
    if status == .disabled, !options.isForced, credentials.level == .user, options.finishURL == nil {
      requests.append(try credentials.client(.user).change(.enable, id).request)
      return session.dryRun(requests, change: "If that fails, would open IFTTT's page in the browser.")
    }
    if options.finishURL != nil {
      return session.dryRun(change: "Would save the user token from the redirect, if any.")
    }
    let address = try options.redirect.address ?? RedirectURI(parsing: "http://127.0.0.1/ifttt/return/RANDOM")
    let user =
      page == .sdk && credentials.level == .user ? nil : options.email.map { ConnectingUser.email($0, isNew: false) }
    let code: ActivationFlow.Code = oauthCode == nil || options.hidesCode || page == .connect ? .none : .oauth
    requests.append(Request(.get, try url(for: user, code, at: address).url(below: session.network.base(.web))))
    let verb = options.redirect.usesBrowser ? "open this page in the browser" : "print the URL of this page"
    return session.dryRun(requests, change: "Would \(verb) and wait for the redirect.")
  }

  /// Fetches the status; nil with `--offline`.
  private func currentStatus() throws -> Connection.Status? {
    guard try !session.network.isOffline else { return nil }
    switch try fetch(credentials.level) {
    case .success(let status): return status
    case .failure(let failure): throw Problem(failure, subject: "connection '\(id)'")
    }
  }
}
