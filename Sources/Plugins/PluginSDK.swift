/// The libraries for plugins in languages other than Swift, which `plugin new` copies. They are the files of
/// `Examples/plugins/sdk`, which the build embeds.
package enum PluginSDK {
  package static var python: String { text(PackageResources.ifttt_plugin_py) }
  package static var javascript: String { text(PackageResources.ifttt_plugin_mjs) }
  package static var go: String { text(PackageResources.ifttt_plugin_go) }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
