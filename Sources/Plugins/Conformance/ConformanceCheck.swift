package import PluginProtocol
package import World

/// A plugin under test and the parameters of the test.
package struct ConformanceSubject {
  package var plugin: PluginProgram
  package var kind: Manifest.Kind
  /// The reason why the program would reject the plugin's name or manifest; nil if it would accept them.
  package var problem: String?
  /// Receives each line of the plugin's stderr.
  package var report: (String) -> Void = { _ in }
  package var greeting: Greeting
  /// The answers of the person and the stored credentials.
  package var answers = ConformanceAnswers()
  /// Records all messages; nil for none.
  package var trace: PluginTrace?
  /// The timeout of a request for which the protocol defines none.
  package var timeout: Duration
  package var world: World
  /// The methods that did not respond in earlier checks.
  let unanswered = UnansweredMethods()
  /// The name of the check that is being run.
  fileprivate(set) var check = ""

  package init(
    _ plugin: PluginProgram, kind: Manifest.Kind, greeting: Greeting, timeout: Duration, in world: World
  ) {
    (self.plugin, self.kind, self.greeting, self.timeout, self.world) = (plugin, kind, greeting, timeout, world)
  }
}

/// The methods that did not respond within their timeout. Later checks skip them, so that the test of a plugin that
/// hangs in one method waits for it only once.
final class UnansweredMethods {
  /// The check in which a plugin that does not respond at all fails. A timeout in another check has another cause.
  private static let owners = ["initialize": "handshake", ConformanceCheck.unknown: "unknown-method"]
  private var checks: [String: String] = [:]

  /// - Parameter isWhole: whether the method had the whole time that a request may take.
  func add(_ method: String, in check: String, isWhole: Bool) {
    guard Self.owners[method].map({ $0 == check }) ?? isWhole else { return }
    checks[method] = check
  }

  /// - Throws: ``ConformanceError`` that skips a check whose method did not respond before.
  func check(_ method: String) throws(ConformanceError) {
    guard let check = checks[method] else { return }
    throw ConformanceError("'\(method)' did not respond in the check '\(check)'", isSkip: true)
  }
}

/// One rule for plugins, and the test that checks it.
package struct ConformanceCheck: Sendable {
  package let name: String
  /// The rule in words.
  package let summary: String
  /// The kind of plugins that the rule applies to; nil for both.
  package let kind: Manifest.Kind?
  /// The capability that a plugin must offer for this test.
  package let needs: Capability?
  private let body: @Sendable (ConformanceSubject) throws(ConformanceError) -> Void

  package enum Outcome: Sendable, Equatable { case pass, fail(String), skip(String) }

  init(
    _ name: String, _ summary: String, for kind: Manifest.Kind? = .provider, needs: Capability? = nil,
    _ body: @escaping @Sendable (ConformanceSubject) throws(ConformanceError) -> Void
  ) {
    (self.name, self.summary, self.kind, self.needs, self.body) = (name, summary, kind, needs, body)
  }

  /// Runs the test. It starts the plugin as often as needed, and ends it before returning.
  package func run(on subject: ConformanceSubject) -> Outcome {
    if let kind, kind != subject.kind { return .skip("only for \(kind.rawValue) plugins") }
    if let needs, !subject.plugin.capabilities.contains(needs.rawValue) {
      return .skip("it does not offer '\(needs.rawValue)'")
    }
    var subject = subject
    subject.check = name
    do throws(ConformanceError) {
      try body(subject)
      return .pass
    } catch { return error.isSkip ? .skip(error.description) : .fail(error.description) }
  }
}
