package import CommandLine
package import Session

extension Node {
  package static var plugin: Node {
    .group("plugin", summary: "Manage plugins: list, install, upgrade, create", heading: "Setup") {
      [
        .verb(PluginList.self),
        .verb(PluginShow.self),
        .verb(PluginInstall.self),
        .verb(PluginSearch.self),
        .verb(PluginOutdated.self),
        .verb(PluginUpgrade.self),
        .verb(PluginRollback.self),
        .verb(PluginRemove.self),
        .verb(PluginLink.self),
        .verb(PluginUnlink.self),
        .verb(PluginVerify.self),
        .verb(PluginNew.self),
        .verb(PluginTest.self),
        .verb(PluginPackaging.self),
        .pluginIndex,
        .pluginTrust,
      ]
    }
  }

  private static var pluginIndex: Node {
    .group("index", summary: "Manage the indexes that plugins are installed from") {
      [.verb(IndexList.self), .verb(IndexAdd.self), .verb(IndexUpdate.self), .verb(IndexRemove.self)]
    }
  }

  private static var pluginTrust: Node {
    .group("trust", summary: "Manage the keys whose signatures on plugins are trusted") {
      [.verb(TrustList.self), .verb(TrustAdd.self), .verb(TrustRemove.self)]
    }
  }
}

extension ValueKind<String> {
  /// The name of an installed plugin, even a broken one.
  static var pluginName: ValueKind { nonEmpty("NAME", completion: .dynamic(CompletionCandidates.plugin.rawValue)) }
}
