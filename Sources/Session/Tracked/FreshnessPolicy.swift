import Store
import Text
import World

/// The freshness that a list needs in order to succeed.
package enum FreshnessPolicy {
  /// Rows that could not be fetched may be stale: they are marked, and one note mentions them.
  case whatThereIs
  /// `--max-age 0` and `--refresh`: a failed fetch is a failure of the run, or a part of it.
  case fresh

  package func evaluate(_ outcome: CacheRefresh.Outcome, in session: Session) throws {
    if outcome.wasInterrupted { throw Problem.interrupted }
    guard outcome.wasForbidden || !outcome.failures.problems.isEmpty else { return }
    let profile = try session.profile.name
    let unseen = try session.store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: profile).count
    let showsNothing = try unseen > 0 && unseen == session.store.trackedCount(profile: profile)
    if outcome.wasForbidden { return try evaluateForbidden(unseen, showsNothing, in: session) }
    try evaluate(outcome.failures, showsNothing, in: session)
  }

  private func evaluate(_ failures: BatchFailures, _ showsNothing: Bool, in session: Session) throws {
    guard let first = failures.problems.first else { return }
    if isStrict { try failures.evaluate() }
    // A script that continued with stale rows would never notice that its token is invalid.
    if let refused = failures.problems.first(where: { $0.code == .unauthorized }) { throw refused }
    if showsNothing {
      var problem = failures.problems.first { $0.code.exit == .unavailable } ?? first
      if failures.count > 1 { problem.details = failures.details }
      throw problem
    }
    let skipped = failures.skipped > 0 ? "; \(failures.skipped) were skipped" : ""
    session.console.note("\(failures.names) could not be fetched and may be out of date: \(first.summary)\(skipped)")
  }

  /// Evaluates an outcome with `--offline`.
  private func evaluateForbidden(_ unseen: Int, _ showsNothing: Bool, in session: Session) throws {
    let hint: Hint = "Run the command without --offline."
    if showsNothing {
      throw Problem(
        .network, "there is nothing to show", reason: "the tracked connections were never fetched", hint: hint)
    }
    if isStrict {
      throw Problem(
        .network, "the shown connections are out of date", reason: "--offline prevents a refresh", hint: hint)
    }
    if unseen > 0 {
      let what = unseen == 1 ? "1 tracked connection" : "\(unseen) tracked connections"
      session.console.note("Not shown: \(what), never fetched.")
    }
  }

  private var isStrict: Bool { if case .whatThereIs = self { false } else { true } }
}
