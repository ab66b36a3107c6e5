package import World

/// An interruption that is deferred while a one-time code or refresh token is spent: the tokens of the response would
/// be lost.
///
/// Unchecked: plugin and program talk on one thread.
package final class ShieldedInterruption: Interruption, @unchecked Sendable {
  private let base: any Interruption
  private var depth = 0

  package init(_ base: any Interruption) { self.base = base }

  package var isInterrupted: Bool {
    // The base is asked in any case: asking empties what its descriptor reports, or a poll would return at once for ever.
    let isInterrupted = base.isInterrupted
    return isInterrupted && depth == 0
  }

  package var descriptor: Int32 { base.descriptor }

  fileprivate func shield<Result>(_ body: () throws -> Result) rethrows -> Result {
    depth += 1
    defer { depth -= 1 }
    return try body()
  }
}

extension GrabWorld {
  /// Runs `body`, which spends something that works once and saves what comes for it, to its end: Ctrl-C counts afterwards.
  /// The program then waits for two seconds.
  func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let shielded = interruption as? ShieldedInterruption else { return try body() }
    return try shielded.shield(body)
  }
}
