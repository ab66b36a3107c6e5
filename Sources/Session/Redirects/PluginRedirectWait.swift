import PluginProtocol
import Text
import World

/// Waits for the first of these events: the browser's redirect, a pasted URL, or the timeout.
struct PluginRedirectWait {
  package let rules: RedirectRules
  private let session: Session
  package var limit = Duration.seconds(300)
  private var redirects: RedirectWait<PluginRedirectListener.Message>
  private var hasToldOfStray = false

  package init(_ rules: RedirectRules, _ listener: PluginRedirectListener?, in session: Session) {
    (self.rules, self.session) = (rules, session)
    let takesInput = session.console.mayPrompt || listener == nil && !session.options.refusesInput
    redirects = RedirectWait(on: listener?.listener, takesInput: takesInput, in: session)
  }

  package mutating func run() throws -> (query: String, way: RedirectResult.Way) {
    let clock = session.world.clock
    let end = clock.monotonic() + limit
    while true {
      guard clock.monotonic() < end, redirects.isOpen else {
        throw PluginError(
          "timeout", "timed out waiting for the browser",
          hint: "Try again with a longer timeout.")
      }
      switch try redirects.next(until: end) {
      case .message(.returned(let query)): return (query, .listener)
      case .message(.otherIssuer): throw PluginError.otherIssuer
      case .message(.stray(let stray)): report(of: stray)
      case .line(let text): if let query = try read(text) { return (query, .paste) }
      case nil: break
      }
    }
  }

  /// Reports an unexpected redirect once, without its contents.
  private mutating func report(of stray: RedirectRules.Stray) {
    guard !hasToldOfStray else { return }
    hasToldOfStray = true
    session.console.note("Ignored an unexpected redirect: \(stray.words). Still waiting.")
  }

  private func read(_ text: String) throws -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    switch rules.evaluate(pasted: text) {
    case .accepted(let query): return query
    case .otherIssuer: throw PluginError.otherIssuer
    case .refused(let stray):
      session.console.note("Not the expected redirect URL: \(stray.words).")
      return nil
    }
  }
}

extension PluginError {
  fileprivate static let otherIssuer = PluginError(
    "unknown_redirect", "the redirect came from a different issuer than expected",
    reason: "two sign-ins may have been mixed up, possibly by an attack", hint: "Start the sign-in again.")
}
