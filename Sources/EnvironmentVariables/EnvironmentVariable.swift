/// An environment variable that this program reads, sets or passes on to other programs.
///
/// This is the only list of them. Lookups, help, `doctor`, recordings, masking and the variables of child processes are
/// derived from it, and no other file spells a variable's name. The help page lists them in this order.
package enum EnvironmentVariable: String, CaseIterable, Sendable {
  // MARK: Credentials
  case serviceKey = "IFTTT_SERVICE_KEY"
  case userToken = "IFTTT_USER_TOKEN"
  case accessToken = "IFTTT_ACCESS_TOKEN"
  case oauthCode = "IFTTT_OAUTH_CODE"
  case inviteCode = "IFTTT_INVITE_CODE"
  case webhooksKey = "IFTTT_WEBHOOKS_KEY"
  case storeKeyFile = "IFTTT_STORE_KEY_FILE"
  case storeKeyCommand = "IFTTT_STORE_KEY_COMMAND"
  case storePassphraseFile = "IFTTT_STORE_PASSPHRASE_FILE"

  // MARK: Settings
  case profile = "IFTTT_PROFILE"
  case output = "IFTTT_OUTPUT"
  case userID = "IFTTT_USER_ID"
  case service = "IFTTT_SERVICE"
  case noPlugins = "IFTTT_NO_PLUGINS"
  case directory = "IFTTT_HOME"
  case dataFolder = "XDG_DATA_HOME"
  case stateFolder = "XDG_STATE_HOME"
  case configFolder = "XDG_CONFIG_HOME"
  case cacheFolder = "XDG_CACHE_HOME"
  case pluginsLock = "IFTTT_PLUGINS_LOCK"
  case pluginVerify = "IFTTT_PLUGIN_VERIFY"

  // MARK: Set for plugins
  case pluginFolder = "IFTTT_PLUGIN_DIR"
  case program = "IFTTT_PROGRAM"
  case pythonWritesNoBytecode = "PYTHONDONTWRITEBYTECODE"

  // MARK: Locale
  case localeAll = "LC_ALL"
  case localeMessages = "LC_MESSAGES"
  case locale = "LANG"
  case localeLanguages = "LANGUAGE"
  case localeAddress = "LC_ADDRESS"
  case localeCollation = "LC_COLLATE"
  case localeCharacters = "LC_CTYPE"
  case localeIdentification = "LC_IDENTIFICATION"
  case localeMeasurement = "LC_MEASUREMENT"
  case localeMoney = "LC_MONETARY"
  case localeName = "LC_NAME"
  case localeNumbers = "LC_NUMERIC"
  case localePaper = "LC_PAPER"
  case localeTelephone = "LC_TELEPHONE"
  case localeTime = "LC_TIME"
  case timeZone = "TZ"

  // MARK: Continuous integration
  case githubActions = "GITHUB_ACTIONS"
  case githubStepSummary = "GITHUB_STEP_SUMMARY"
  case continuousIntegration = "CI"
  case doNotTrack = "DO_NOT_TRACK"

  // MARK: Pagers
  case manPager = "MANPAGER"
  case pager = "PAGER"
  case lessOptions = "LESS"
  case lessCharacters = "LESSCHARSET"
  case lessHistory = "LESSHISTFILE"
  case lessKeys = "LESSKEY"
  case lessPreprocessor = "LESSOPEN"
  case moreOptions = "MORE"
  case batTheme = "BAT_THEME"

  // MARK: Terminal
  case noColor = "NO_COLOR"
  case forceColor = "FORCE_COLOR"
  case clicolorForce = "CLICOLOR_FORCE"
  case clicolor = "CLICOLOR"
  case terminal = "TERM"
  case colorTerminal = "COLORTERM"
  case terminalDatabase = "TERMINFO"
  case columns = "COLUMNS"
  case lines = "LINES"

  // MARK: The user's account and shell
  case path = "PATH"
  case home = "HOME"
  case user = "USER"
  case loginName = "LOGNAME"
  case shell = "SHELL"
  case temporaryFolder = "TMPDIR"
  case manPath = "MANPATH"
  case zshFunctionPath = "FPATH"
  case bashCompletionFolder = "BASH_COMPLETION_USER_DIR"
  case sshConnection = "SSH_CONNECTION"
  case sshTerminal = "SSH_TTY"

  // MARK: Desktop
  case browser = "BROWSER"
  case display = "DISPLAY"
  case waylandDisplay = "WAYLAND_DISPLAY"
  case xAuthority = "XAUTHORITY"
  case sessionBus = "DBUS_SESSION_BUS_ADDRESS"
  case desktopSession = "DESKTOP_SESSION"
  case kdeSession = "KDE_FULL_SESSION"
  case kdeVersion = "KDE_SESSION_VERSION"
  case gnomeSession = "GNOME_DESKTOP_SESSION_ID"
  case wslDistribution = "WSL_DISTRO_NAME"
  case wslInterop = "WSL_INTEROP"

  // MARK: Password managers
  case gnupgFolder = "GNUPGHOME"
  case gpgTerminal = "GPG_TTY"
  case sshAgent = "SSH_AUTH_SOCK"

  // MARK: Network
  case connectURL = "IFTTT_CONNECT_URL"
  case locationURL = "IFTTT_LOCATION_URL"
  case apiURL = "IFTTT_API_URL"
  case webURL = "IFTTT_WEB_URL"
  case realtimeURL = "IFTTT_REALTIME_URL"
  case webhooksURL = "IFTTT_WEBHOOKS_URL"
  case httpsProxy = "HTTPS_PROXY"
  case httpProxy = "HTTP_PROXY"
  case allProxy = "ALL_PROXY"
  case noProxy = "NO_PROXY"
  case lowercaseHTTPSProxy = "https_proxy"
  case lowercaseHTTPProxy = "http_proxy"
  case lowercaseAllProxy = "all_proxy"
  case lowercaseNoProxy = "no_proxy"
  case certificateFile = "SSL_CERT_FILE"
  case certificateFolder = "SSL_CERT_DIR"
  case certificateBundle = "CURL_CA_BUNDLE"

  // MARK: The bundled plugin
  case grabClientID = "IFTTT_GRAB_CLIENT_ID"
  case grabRedirectURI = "IFTTT_GRAB_REDIRECT_URI"
  case grabScope = "IFTTT_GRAB_SCOPE"
  case grabDiscoveryURL = "IFTTT_GRAB_DISCOVERY_URL"
  case grabIssuer = "IFTTT_GRAB_ISSUER"
  case grabPartnerID = "IFTTT_GRAB_PARTNER_ID"

  package var name: String { rawValue }

  /// Nil for a variable that is not in this list.
  package init?(named name: String) { self.init(rawValue: name) }
}

extension EnvironmentVariable: CustomStringConvertible {
  /// The name, so that a variable can stand in a message.
  package var description: String { name }
}
