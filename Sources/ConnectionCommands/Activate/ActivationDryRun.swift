import HTTP
import IFTTT
import Session
import Store
import Text
import World

extension Activation {
  /// The requests and the page of an activation, as far as the current status determines them.
  func dryRun() throws -> Output {
    let status = try presentStatus()
    if status == .enabled, !options.isForced, options.handedOver == nil {
      session.console.note("Connection '\(id)' is already enabled.")
      return session.dryRun()
    }
    var requests: [Request] = []
    if status == .disabled, !options.isForced, credentials.level == .user, options.handedOver == nil {
      requests.append(try credentials.client(.user).changeRequest(.enable, id))
      return session.dryRun(requests, change: "If that fails, would open IFTTT's page in the browser.")
    }
    if options.handedOver != nil {
      return session.dryRun(change: "Would save the user token from the redirect, if any.")
    }
    let address = try options.returning.address ?? RedirectURI(parsing: "http://127.0.0.1/ifttt/return/RANDOM")
    let person =
      page == .sdk && credentials.level == .user ? nil : options.email.map { ConnectingUser.email($0, isNew: false) }
    let code: ActivationFlow.Code = oauthCode == nil || options.hidesCode || page == .connect ? .none : .oauth
    requests.append(Request(.get, try url(for: person, code, at: address).url(below: session.network.base(.web))))
    let verb = options.returning.usesBrowser ? "open this page in the browser" : "print the URL of this page"
    return session.dryRun(requests, change: "Would \(verb) and wait for the redirect.")
  }

  /// Nil if it cannot be fetched.
  private func presentStatus() throws -> Connection.Status? {
    guard try !session.network.isCutOff else { return nil }
    switch try read(credentials.level) {
    case .success(let status): return status
    case .failure(let failure): throw Problem(failure, subject: "connection '\(id)'")
    }
  }
}
