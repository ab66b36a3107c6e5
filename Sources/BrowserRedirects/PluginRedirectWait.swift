import CommandContext
import Hints
import PluginProtocol
import World

/// Waits for the first of these events: the browser's redirect, a pasted URL, or the timeout.
struct PluginRedirectWait {
  package let rules: RedirectRules
  private let listener: PluginRedirectListener?
  private let session: Session
  package var limit = Duration.seconds(300)
  private var takesInput: Bool
  private var line: [UInt8] = []
  private var hasToldOfStray = false

  package init(_ rules: RedirectRules, _ listener: PluginRedirectListener?, in session: Session) {
    (self.rules, self.listener, self.session) = (rules, listener, session)
    takesInput = session.mayPrompt || listener == nil && !session.options.refusesInput
  }

  package mutating func run() throws -> (query: String, way: RedirectResult.Way) {
    let clock = session.world.clock
    let end = clock.monotonic() + limit
    while true {
      let left = end - clock.monotonic()
      guard left > .zero, listener != nil || takesInput else {
        throw PluginError(
          "timeout", "timed out waiting for the browser",
          hint: "Try again with a longer timeout.")
      }
      switch try session.world.input.wait(
        for: listener?.messages.descriptor ?? -1, expectsInput: takesInput, atMost: left)
      {
      case .message:
        switch listener?.messages.receive() {
        case .returned(let query): return (query, .listener)
        case .otherIssuer: throw PluginError.otherIssuer
        case .stray(let stray): tell(of: stray)
        case nil: break
        }
      case .input: if let query = try typed() { return (query, .paste) }
      case .timeUp: break
      }
    }
  }

  /// Reports an unexpected redirect once, without its contents.
  private mutating func tell(of stray: RedirectRules.Stray) {
    guard !hasToldOfStray else { return }
    hasToldOfStray = true
    session.note("Ignored an unexpected redirect: \(stray.words). Still waiting.")
  }

  private mutating func typed() throws -> String? {
    let bytes = try session.world.input.readSome()
    line += bytes
    if bytes.isEmpty { takesInput = false }
    while let stop = line.firstIndex(of: UInt8(ascii: "\n")) ?? (bytes.isEmpty ? line.endIndex : nil), !line.isEmpty {
      let text = String(decoding: line[..<stop], as: UTF8.self)
      line.removeFirst(min(stop + 1, line.count))
      if let query = try read(text) { return query }
    }
    // No redirect URL is longer; longer input comes from something else.
    if line.count > 64 * 1024 { (line, takesInput) = ([], false) }
    return nil
  }

  private func read(_ text: String) throws -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    switch rules.judge(pasted: text) {
    case .accepted(let query): return query
    case .otherIssuer: throw PluginError.otherIssuer
    case .refused(let stray):
      session.note("Not the expected redirect URL: \(stray.words).")
      return nil
    }
  }
}

extension PluginError {
  fileprivate static let otherIssuer = PluginError(
    "unknown_redirect", "the redirect came from a different issuer than expected",
    reason: "two sign-ins may have been mixed up, possibly by an attack", hint: "Start the sign-in again.")
}
