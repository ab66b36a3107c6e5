import HTTP
import Text
import World

/// Opens the authorization page of a partner's service and waits for its redirect, as IFTTT does when a user signs in.
package final class SignInRedirect {
  package enum Outcome: Sendable, Equatable {
    /// The parameters of a redirect with the expected state.
    case redirected(code: String?, error: String?)
    /// The redirect has a different state or no state.
    case wrongState
    case timedOut
  }

  /// The redirect URI to register with the service.
  package let uri: String
  private let address: RedirectAddress
  private let listener: PluginRedirectListener
  private let session: Session

  /// - Parameter uri: a loopback URL to listen on; nil for any free port.
  /// - Throws: ``Problem`` if it is not a loopback URL, or if its address is unavailable.
  package init(at uri: String?, in session: Session) throws {
    self.session = session
    let requestedURI = uri ?? "http://127.0.0.1:0/callback"
    guard let address = RedirectAddress(parsing: requestedURI), address.loopback != nil else {
      throw Problem(
        .usage, "--redirect-uri must be at \(RedirectAddress.loopbackOrigins)",
        hint: "The command listens there for the redirect of your service.")
    }
    do {
      listener = try PluginRedirectListener(
        at: address, with: session.network.listener(), language: session.console.language)
    } catch let error as RedirectListenerError {
      throw Problem(
        .refused, "cannot listen on \(requestedURI)", reason: error.cause.description,
        hint: error.cause.isAddressInUse
          ? "Another program is listening there; choose another port." : "Choose another port.")
    }
    self.uri = listener.address
    self.address = RedirectAddress(parsing: listener.address) ?? address
  }

  /// - Parameters:
  ///   - url: the authorization URL, which contains the state and the redirect URI.
  ///   - limit: the timeout of the wait.
  package func wait(for url: String, state: String, usesBrowser: Bool, limit: Duration) throws -> Outcome {
    let rules = RedirectRules(address: address, state: state)
    listener.expect(rules, of: nil)
    try session.open(url, shownAs: url, usesBrowser: usesBrowser && session.console.mayPrompt)
    session.noteWait(limit)
    var redirects = RedirectWait(on: listener.listener, takesInput: session.console.mayPrompt, in: session)
    let clock = session.world.clock
    let end = clock.monotonic() + limit
    while clock.monotonic() < end {
      switch try redirects.next(until: end) {
      case .message(.returned(let query)): return outcome(query)
      case .message(.otherIssuer), .message(.mismatch(.state)): return .wrongState
      case .message(.mismatch(let mismatch)):
        session.console.note("Ignored an unexpected redirect: \(mismatch.description). Still waiting.")
      case .line(let text):
        switch rules.evaluate(pasted: text) {
        case .accepted(let query): return outcome(query)
        case .refused(.state), .otherIssuer: return .wrongState
        case .refused(let mismatch): session.console.note("Not the expected redirect URL: \(mismatch.description).")
        }
      case nil: break
      }
    }
    return .timedOut
  }

  /// Shows the result on the waiting page.
  package func finish(isSuccess: Bool) { listener.finish(isSuccess ? .success : .failure) }

  package func close() { listener.close() }

  private func outcome(_ query: String) -> Outcome {
    let items = Percent.items(of: query) ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    return .redirected(code: value("code"), error: value("error"))
  }
}
