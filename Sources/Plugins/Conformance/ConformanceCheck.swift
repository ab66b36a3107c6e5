package import PluginProtocol
package import World

/// A plugin that is put to the test, and what with.
package struct ConformanceSubject {
  package var plugin: PluginProgram
  package var greeting: Greeting
  /// Of a request whose time the protocol leaves to the user.
  package var timeout: Duration
  package var world: World

  package init(_ plugin: PluginProgram, greeting: Greeting, timeout: Duration, in world: World) {
    (self.plugin, self.greeting, self.timeout, self.world) = (plugin, greeting, timeout, world)
  }
}

/// One rule of the protocol, and how a provider is found to keep it.
package struct ConformanceCheck: Sendable {
  package let name: String
  /// What is looked at, for people.
  package let summary: String
  /// What the plugin has to offer for it.
  package let needs: Capability?
  private let body: @Sendable (ConformanceSubject) throws(ConformanceFault) -> Void

  package enum Outcome: Sendable, Equatable { case pass, fail(String), skip(String) }

  init(
    _ name: String, _ summary: String, needs: Capability? = nil,
    _ body: @escaping @Sendable (ConformanceSubject) throws(ConformanceFault) -> Void
  ) {
    (self.name, self.summary, self.needs, self.body) = (name, summary, needs, body)
  }

  /// Starts the plugin, as often as it takes, and leaves nothing of it.
  package func run(on subject: ConformanceSubject) -> Outcome {
    if let needs, !subject.plugin.capabilities.contains(needs.rawValue) {
      return .skip("it does not offer '\(needs.rawValue)'")
    }
    do throws(ConformanceFault) {
      try body(subject)
      return .pass
    } catch { return .fail(error.description) }
  }
}
