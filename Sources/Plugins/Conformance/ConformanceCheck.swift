package import PluginProtocol
package import World

/// A plugin that is put to the test, and what with.
package struct ConformanceSubject {
  package var plugin: PluginProgram
  package var kind: Manifest.Kind
  /// Why the program would not have it under its name or with its manifest; nil where it would.
  package var problem: String?
  /// Gets each line of the plugin's standard error.
  package var report: (String) -> Void = { _ in }
  package var greeting: Greeting
  /// Of a request whose time the protocol leaves to the user.
  package var timeout: Duration
  package var world: World

  package init(
    _ plugin: PluginProgram, kind: Manifest.Kind, greeting: Greeting, timeout: Duration, in world: World
  ) {
    (self.plugin, self.kind, self.greeting, self.timeout, self.world) = (plugin, kind, greeting, timeout, world)
  }
}

/// One rule for plugins, and how one is found to keep it.
package struct ConformanceCheck: Sendable {
  package let name: String
  /// What is looked at, for people.
  package let summary: String
  /// The kind of plugins that it is for; nil for both.
  package let kind: Manifest.Kind?
  /// What the plugin has to offer for it.
  package let needs: Capability?
  private let body: @Sendable (ConformanceSubject) throws(ConformanceError) -> Void

  package enum Outcome: Sendable, Equatable { case pass, fail(String), skip(String) }

  init(
    _ name: String, _ summary: String, for kind: Manifest.Kind? = .provider, needs: Capability? = nil,
    _ body: @escaping @Sendable (ConformanceSubject) throws(ConformanceError) -> Void
  ) {
    (self.name, self.summary, self.kind, self.needs, self.body) = (name, summary, kind, needs, body)
  }

  /// Starts the plugin, as often as it takes, and leaves nothing of it.
  package func run(on subject: ConformanceSubject) -> Outcome {
    if let kind, kind != subject.kind { return .skip("it is for \(kind.rawValue) plugins") }
    if let needs, !subject.plugin.capabilities.contains(needs.rawValue) {
      return .skip("it does not offer '\(needs.rawValue)'")
    }
    do throws(ConformanceError) {
      try body(subject)
      return .pass
    } catch { return .fail(error.description) }
  }
}
