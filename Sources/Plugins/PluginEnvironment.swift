package import World

/// The environment variables that a plugin sees. There are few, so that the secrets of the user's shell stay private.
package enum PluginEnvironment {
  /// The variables that every plugin sees if they are set.
  package static let allowed =
    ["PATH", "HOME", "LANG", "TZ", "TERM", "TMPDIR", "NO_COLOR"] + locale + network

  /// The POSIX locale categories and those that glibc adds. They are listed because variables are looked up by name.
  private static let locale = [
    "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
    "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME",
  ]

  private static let network = [
    "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE",
  ]

  /// The variables that a plugin is started with.
  /// - Parameters:
  ///   - granted: variables that the plugin's manifest names and the user agreed to.
  ///   - folder: the plugin's own folder.
  ///   - more: variables set by the program itself.
  package static func variables(
    of plugin: String, from environment: Environment, granted: [String], folder: String,
    adding more: [(name: String, value: String)] = []
  ) -> [(name: String, value: String)] {
    // Running a plugin must not change its folder, because its content is trusted.
    let own = [(name: "PYTHONDONTWRITEBYTECODE", value: "1"), (name: "IFTTT_PLUGIN_DIR", value: folder)] + more
    var seen = Set(own.map(\.name))
    var variables: [(name: String, value: String)] = []
    for name in allowed + granted where !isWithheld(name, from: plugin) {
      guard seen.insert(name).inserted, let value = environment[name] else { continue }
      variables.append((name, value))
    }
    return variables + own
  }

  /// Whether a variable is hidden from the plugin. This applies to all variables of the program, except those that
  /// contain locations and those that begin with the plugin's own name.
  package static func isWithheld(_ name: String, from plugin: String) -> Bool {
    guard name.hasPrefix("IFTTT_") else { return false }
    // Check secrets first: a plugin may be called 'service'.
    if secrets.contains(name) || name.hasPrefix("IFTTT_STORE_") { return true }
    let prefix = "IFTTT_\(plugin.uppercased().split(separator: "-").joined(separator: "_"))_"
    return name != "IFTTT_HOME" && !name.hasSuffix("_URL") && !name.hasPrefix(prefix)
  }

  private static let secrets = [
    "IFTTT_SERVICE_KEY", "IFTTT_USER_TOKEN", "IFTTT_ACCESS_TOKEN", "IFTTT_OAUTH_CODE", "IFTTT_INVITE_CODE",
    "IFTTT_WEBHOOKS_KEY",
  ]
}
