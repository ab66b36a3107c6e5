import Session
import Store
import Text

/// What `service listen` reports on stderr.
struct ListenNotes {
  let session: Session

  /// - Parameters:
  ///   - toForward: The number of webhooks of earlier runs that will be forwarded, and how many of them may have
  ///     arrived already.
  ///   - toExecute: The number of webhooks of earlier runs that the command runs for.
  func announce(_ url: String, hasKey: Bool, toForward: (count: Int, unanswered: Int), toExecute: Int) {
    session.console.note("Receiving webhooks at \(url)\(WebhookPath.base); press Ctrl-C to stop.")
    if !hasKey { session.console.note("No service key is configured, so the keys of webhooks are not checked.") }
    if toForward.count > 0 {
      session.console.note("\(Self.webhooks(toForward.count)) from earlier runs will be forwarded.")
    }
    if toForward.unanswered > 0 {
      session.console.note(
        "\(Self.webhooks(toForward.unanswered)) may have arrived already, and can be recognized by the X-Request-ID."
      )
    }
    if toExecute > 0 {
      session.console.note("The command runs for \(Self.webhooks(toExecute)) from earlier runs first.")
    }
  }

  func repeated(_ number: Int64) {
    session.console.diagnose("webhook \(number) repeats an earlier X-Request-ID")
  }

  func failed(_ error: StoreError, count: Int) {
    session.console.note(
      "\(Self.webhooks(count)) could not be stored, and the response was 503: \(Problem(error).summary)")
  }

  func rejected(_ rejection: Rejection) { session.console.note(Hint(rejection.words)) }

  func unshown() {
    session.console.note("Not all webhooks were shown. They are stored; see \(ifttt: "service events list").")
  }

  /// Reports the wait for the webhooks that are being forwarded while the run ends.
  func waiting(for count: Int) {
    guard count > 0 else { return }
    session.console.note("Waiting until \(Self.webhooks(count)) \(count == 1 ? "is" : "are") forwarded.")
  }

  /// The problem of a run whose time was over before the server responded.
  static func cutOff(_ count: Int, to target: ForwardTarget) -> Problem {
    Problem(
      .notYet, "timed out while \(webhooks(count)) \(count == 1 ? "was" : "were") forwarded",
      reason: "\(target.origin) did not respond before --timeout was reached",
      hint: "Allow more time with --timeout. A later run sends them again, because they may not have arrived.")
  }

  /// Reports the webhooks that a later run forwards.
  func unforwarded(_ count: Int, to target: ForwardTarget) {
    guard count > 0 else { return }
    session.console.note(
      "\(Self.webhooks(count)) not forwarded yet. Continue with: \(ifttt: "service listen --forward \(target.name)")")
  }

  /// Reports the webhooks that a later run passes to its command.
  func unexecuted(_ count: Int) {
    guard count > 0 else { return }
    session.console.note(
      "The command did not run for \(Self.webhooks(count)). The next 'service listen --exec' starts with them.")
  }

  static func webhooks(_ count: Int) -> String { count == 1 ? "1 webhook" : "\(count) webhooks" }
}
