import Plugins
import Testing
import World

/// The user's environment variables that a plugin sees.
@Suite struct PluginEnvironmentTests {
  private func variables(_ environment: Environment, granted: [String] = []) -> [String] {
    PluginEnvironment.variables(
      of: "grab-id", from: environment, granted: granted, folder: "/p", adding: [(name: "IFTTT_PROFILE", value: "work")]
    ).map { "\($0.name)=\($0.value)" }
  }

  @Test func passesOnlyAllowedAndOwnVariables() {
    let seen = variables([
      "PATH": "/bin", "LC_ALL": "C", "https_proxy": "http://p", "AWS_SECRET": "s", "LD_PRELOAD": "x.so", "EMPTY": "",
      "PYTHONDONTWRITEBYTECODE": "", "IFTTT_PROFILE": "other", "NO_COLOR": "",
    ])
    #expect(
      seen.sorted() == [
        "IFTTT_PLUGIN_DIR=/p", "IFTTT_PROFILE=work", "LC_ALL=C", "NO_COLOR=", "PATH=/bin", "PYTHONDONTWRITEBYTECODE=1",
        "https_proxy=http://p",
      ])
  }

  @Test func passesGrantedVariablesThatAreSet() {
    #expect(
      variables(["REGION": "eu", "PATH": "/bin"], granted: ["REGION", "PATH", "UNSET"]).prefix(2) == [
        "PATH=/bin", "REGION=eu",
      ])
  }

  /// Even if a trust record or a manifest grants it: it may be a credential of a later version.
  @Test(arguments: ["IFTTT_NEW", "IFTTT_NEW_URL", "IFTTT_STORE_NEW"])
  func neverPassesAnUnknownVariableOfThisProgram(name: String) {
    #expect(PluginEnvironment.isWithheld(name, from: "grab-id"))
    #expect(!variables(Environment([name: "secret"]), granted: [name]).contains { $0.hasPrefix(name) })
  }

  /// Even if a trust record or a manifest grants them.
  @Test(arguments: [
    "IFTTT_SERVICE_KEY", "IFTTT_USER_TOKEN", "IFTTT_ACCESS_TOKEN", "IFTTT_OAUTH_CODE", "IFTTT_WEBHOOKS_KEY",
    "IFTTT_STORE_KEY_FILE", "IFTTT_INVITE_CODE",
  ])
  func neverPassesSecrets(name: String) {
    let word = name.split(separator: "_")[1].lowercased()
    for plugin in ["grab-id", word] { #expect(PluginEnvironment.isWithheld(name, from: plugin)) }
    #expect(!variables(Environment([name: "secret"]), granted: [name]).contains { $0.hasPrefix(name) })
  }

  @Test func aPluginsOwnVariablesCanBeGranted() {
    #expect(!PluginEnvironment.isWithheld("IFTTT_GRAB_ID_SCOPE", from: "grab-id"))
    #expect(PluginEnvironment.isWithheld("IFTTT_GRAB_ID_SCOPE", from: "shelf"))
    #expect(PluginEnvironment.isWithheld("IFTTT_PROFILE", from: "grab-id"))
    #expect(variables(["IFTTT_GRAB_ID_SCOPE": "a"], granted: ["IFTTT_GRAB_ID_SCOPE"]).contains("IFTTT_GRAB_ID_SCOPE=a"))
  }

  /// A plugin reaches a proxy without its password, unless the user granted the variable.
  @Test func aProxysPasswordIsGranted() {
    for name in ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "all_proxy"] {
      for (value, shortened) in [
        ("http://ann:pass@p.example:3128", "http://p.example:3128"), ("ann:pass@p:1", "p:1"),
        ("socks5h://ann:p/a@s:s@p:1", "socks5h://p:1"), ("http://p:1", "http://p:1"), ("", ""),
      ] {
        #expect(variables(Environment([name: value])).contains("\(name)=\(shortened)"), "\(value)")
        #expect(variables(Environment([name: value]), granted: [name]).contains("\(name)=\(value)"), "\(value)")
      }
    }
    #expect(variables(["NO_PROXY": "a@b"]).contains("NO_PROXY=a@b"))
  }

  @Test func variablesWithLocationsCanBeGranted() {
    for name in ["IFTTT_HOME", "IFTTT_CONNECT_URL", "XDG_DATA_HOME"] {
      #expect(!PluginEnvironment.isWithheld(name, from: "grab-id"))
    }
    #expect(!variables(["IFTTT_HOME": "/h"]).contains("IFTTT_HOME=/h"))
  }
}
