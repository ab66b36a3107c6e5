package import World

/// An interruption that is deferred while a single-use code or refresh token is spent. Otherwise the tokens of the
/// response would be lost.
///
/// Unchecked: there is no guard, because the plugin talks to the program on one thread.
package final class ShieldedInterruption: Interruption, @unchecked Sendable {
  private let base: any Interruption
  private var depth = 0

  package init(_ base: any Interruption) { self.base = base }

  package var isInterrupted: Bool {
    // Always query the base: this drains its descriptor. Otherwise poll would return at once forever.
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
  /// Runs `body` without interruption. It spends a single-use value and saves the result; Ctrl-C takes effect
  /// afterwards. The program waits two seconds for this.
  func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let shielded = interruption as? ShieldedInterruption else { return try body() }
    return try shielded.shield(body)
  }
}
