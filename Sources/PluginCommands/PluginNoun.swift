package import Arguments
package import CommandContext

extension Node {
  package static var plugin: Node {
    .group("plugin", summary: "Manage plugins: list, install, verify, create", heading: "Setup") {
      [
        .verb(PluginList.self),
        .verb(PluginShow.self),
        .verb(PluginInstall.self),
        .verb(PluginRemove.self),
        .verb(PluginLink.self),
        .verb(PluginUnlink.self),
        .verb(PluginVerify.self),
        .verb(PluginNew.self),
        .verb(PluginTest.self),
      ]
    }
  }
}

extension ValueKind<String> {
  /// The name of an installed plugin, even a broken one.
  static var pluginName: ValueKind { nonEmpty("NAME", completion: .dynamic(CompletionCandidates.plugin.rawValue)) }
}
