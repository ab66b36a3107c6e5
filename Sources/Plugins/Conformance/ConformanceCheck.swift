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

  package init(
    _ plugin: PluginProgram, kind: Manifest.Kind, greeting: Greeting, timeout: Duration, in world: World
  ) {
    (self.plugin, self.kind, self.greeting, self.timeout, self.world) = (plugin, kind, greeting, timeout, world)
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
    do throws(ConformanceError) {
      try body(subject)
      return .pass
    } catch { return error.isSkip ? .skip(error.description) : .fail(error.description) }
  }
}
