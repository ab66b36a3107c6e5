package import World

/// The variables that a plugin sees: few, so that what the user's shell knows stays there.
package enum PluginEnvironment {
  /// What every plugin sees where it is set.
  package static let allowed =
    ["PATH", "HOME", "LANG", "TZ", "TERM", "TMPDIR", "NO_COLOR"] + locale + network

  /// The categories of POSIX and those that glibc adds; a list, since variables are asked for by name.
  private static let locale = [
    "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
    "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME",
  ]

  private static let network = [
    "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE",
  ]

  /// - Parameters:
  ///   - granted: variables that the plugin's manifest names and the user agreed to.
  ///   - folder: the plugin's own.
  ///   - more: what the program itself tells it.
  package static func variables(
    of plugin: String, from environment: Environment, granted: [String], folder: String,
    adding more: [(name: String, value: String)] = []
  ) -> [(name: String, value: String)] {
    // A folder whose content is trusted must not change because somebody was run from it.
    let own = [(name: "PYTHONDONTWRITEBYTECODE", value: "1"), (name: "IFTTT_PLUGIN_DIR", value: folder)] + more
    var seen = Set(own.map(\.name))
    var variables: [(name: String, value: String)] = []
    for name in allowed + granted where !isWithheld(name, from: plugin) {
      guard seen.insert(name).inserted, let value = environment[name] else { continue }
      variables.append((name, value))
    }
    return variables + own
  }

  /// Whether it is the program's own affair: all its variables but those that say where things are, and those that begin
  /// with the plugin's own name.
  package static func isWithheld(_ name: String, from plugin: String) -> Bool {
    guard name.hasPrefix("IFTTT_") else { return false }
    // A plugin may be called 'service'.
    if secrets.contains(name) || name.hasPrefix("IFTTT_STORE_") { return true }
    let prefix = "IFTTT_\(plugin.uppercased().split(separator: "-").joined(separator: "_"))_"
    return name != "IFTTT_HOME" && !name.hasSuffix("_URL") && !name.hasPrefix(prefix)
  }

  private static let secrets = [
    "IFTTT_SERVICE_KEY", "IFTTT_USER_TOKEN", "IFTTT_ACCESS_TOKEN", "IFTTT_OAUTH_CODE", "IFTTT_INVITE_CODE",
    "IFTTT_WEBHOOKS_KEY",
  ]
}
