import Testing
import World

/// The registry, and the lists that are derived from it. They are spelled out here, so that a change of the registry
/// cannot pass a variable on by mistake.
@Suite struct EnvironmentVariableTests {
  @Test func everyNameIsFound() {
    for variable in EnvironmentVariable.allCases {
      #expect(EnvironmentVariable(named: variable.name) == variable && "\(variable)" == variable.name)
      #expect(!variable.meaning.isEmpty)
    }
    #expect(EnvironmentVariable(named: "IFTTT_NEW") == nil)
  }

  @Test func theCredentialsAreSecret() {
    #expect(
      names(where: \.isSecret) == [
        "IFTTT_SERVICE_KEY", "IFTTT_USER_TOKEN", "IFTTT_ACCESS_TOKEN", "IFTTT_OAUTH_CODE", "IFTTT_CLIENT_SECRET",
        "IFTTT_INVITE_CODE", "IFTTT_WEBHOOKS_KEY",
      ])
  }

  @Test(arguments: ["IFTTT_NEW", "IFTTT_NEW_URL", "IFTTT_", "IFTTT_STORE_NEW", "IFTTT_SERVICE_KEY_2"])
  func anUnknownVariableOfThisProgramIsSecretAndNeverInherited(_ name: String) {
    #expect(EnvironmentVariable.isSecret(named: name))
    for recipients in [[.programs], [.programs, .desktop], [.programs, .desktop, .keyCommand]] as [[VariableRecipients]]
    {
      #expect(!EnvironmentVariable.isInherited(by: recipients)(name))
    }
    #expect(EnvironmentVariable.pluginVisibility(named: name) != .any)
  }

  @Test func variablesOfOthersAreNotSecret() {
    for name in ["NEW", "PATH", "IFTT_NEW", "AWS_SECRET"] { #expect(!EnvironmentVariable.isSecret(named: name)) }
    #expect(EnvironmentVariable.pluginVisibility(named: "NEW") == .any)
  }

  @Test func onlyLocationsOfThisProgramCanBeGrantedToAnyPlugin() {
    let own = EnvironmentVariable.allCases.filter { $0.name.hasPrefix(EnvironmentVariable.ownPrefix) }
    let granted = own.filter { EnvironmentVariable.pluginVisibility(named: $0.name) == .any }
    #expect(
      Set(granted.map(\.name)) == [
        "IFTTT_HOME", "IFTTT_CONNECT_URL", "IFTTT_LOCATION_URL", "IFTTT_API_URL", "IFTTT_WEB_URL", "IFTTT_REALTIME_URL",
        "IFTTT_WEBHOOKS_URL", "IFTTT_ALLOW_HTTP",
      ])
    let withheld = own.filter { EnvironmentVariable.pluginVisibility(named: $0.name) == .none }
    #expect(
      Set(withheld.map(\.name))
        == names(where: \.isSecret).union([
          "IFTTT_STORE_KEY_FILE", "IFTTT_STORE_KEY_COMMAND", "IFTTT_STORE_PASSPHRASE_FILE",
        ]))
    #expect(EnvironmentVariable.pluginVisibility(named: "IFTTT_STORE_NEW") == .none)
    #expect(EnvironmentVariable.pluginVisibility(named: "IFTTT_SHELF_KEY") == .namesake)
  }

  @Test func everyPluginSeesTheseVariables() {
    #expect(
      names(inheritedBy: .plugins)
        == Self.network.union([
          "PATH", "HOME", "LANG", "TZ", "TERM", "TMPDIR", "NO_COLOR", "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE",
          "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES", "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER",
          "LC_TELEPHONE", "LC_TIME",
        ]))
  }

  @Test func otherProgramsSeeTheseVariables() {
    let basic = Self.network.union([
      "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "NO_COLOR",
    ])
    let desktop: Set = [
      "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "BROWSER", "DESKTOP_SESSION",
      "KDE_FULL_SESSION", "KDE_SESSION_VERSION", "GNOME_DESKTOP_SESSION_ID", "WSL_DISTRO_NAME", "WSL_INTEROP",
    ]
    let keys: Set = ["GNUPGHOME", "GPG_TTY", "SSH_AUTH_SOCK"]
    check([.programs], basic, ["LC_"])
    check([.programs, .desktop], basic.union(desktop), ["LC_", "XDG_"])
    check([.programs, .desktop, .keyCommand], basic.union(desktop).union(keys), ["LC_", "XDG_", "PASSWORD_STORE_"])
  }

  /// - Parameter prefixes: The beginnings of names that are all inherited.
  private func check(_ recipients: [VariableRecipients], _ names: Set<String>, _ prefixes: [String]) {
    let isInherited = EnvironmentVariable.isInherited(by: recipients)
    for name in EnvironmentVariable.allCases.map(\.name) + [
      "XDG_NEW", "LC_NEW", "PASSWORD_STORE_NEW", "NEW", "LD_PRELOAD",
    ] {
      #expect(isInherited(name) == (names.contains(name) || prefixes.contains { name.hasPrefix($0) }), "\(name)")
    }
  }

  @Test func thePagerSeesTheseVariables() {
    #expect(
      names(inheritedBy: .pager) == [
        "PATH", "HOME", "USER", "SHELL", "TERM", "COLORTERM", "TERMINFO", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
        "MANPAGER", "PAGER", "LESS", "LESSCHARSET", "LESSHISTFILE", "LESSKEY", "LESSOPEN", "MORE", "BAT_THEME",
        "DISPLAY", "COLUMNS", "LINES", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
        "XDG_STATE_HOME",
      ])
  }

  @Test func aReplaySeesTheseVariables() {
    #expect(
      names(inheritedBy: .replay) == [
        "CI", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "FORCE_COLOR", "GITHUB_ACTIONS", "LANG", "LC_ALL", "LC_CTYPE",
        "LC_MESSAGES", "NO_COLOR", "PATH", "TERM", "TMPDIR",
      ])
    #expect(
      names(inheritedBy: .recording) == [
        "IFTTT_PROFILE", "IFTTT_OUTPUT", "IFTTT_NO_PLUGINS", "IFTTT_USER_ID", "IFTTT_SERVICE", "IFTTT_SERVICE_KEY",
        "IFTTT_USER_TOKEN", "IFTTT_ACCESS_TOKEN", "IFTTT_OAUTH_CODE", "IFTTT_CLIENT_SECRET",
        "IFTTT_INVITE_CODE", "IFTTT_WEBHOOKS_KEY",
        "IFTTT_CONNECT_URL", "IFTTT_LOCATION_URL", "IFTTT_API_URL", "IFTTT_WEB_URL", "IFTTT_REALTIME_URL",
        "IFTTT_WEBHOOKS_URL", "IFTTT_ALLOW_HTTP", "IFTTT_SANDBOX_ALLOW_HOST", "IFTTT_SERVICE_DEFINITION",
      ])
  }

  private static let network: Set = [
    "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE",
  ]

  private func names(where condition: (EnvironmentVariable) -> Bool) -> Set<String> {
    Set(EnvironmentVariable.allCases.filter(condition).map(\.name))
  }

  private func names(inheritedBy recipient: VariableRecipients) -> Set<String> {
    Set(EnvironmentVariable.inherited(by: recipient).map(\.name))
  }
}
