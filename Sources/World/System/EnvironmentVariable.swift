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
  case clientSecret = "IFTTT_CLIENT_SECRET"
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
  case pluginTrace = "IFTTT_PLUGIN_TRACE"
  case sandboxSeed = "IFTTT_SANDBOX_SEED"
  case sandboxAllowHost = "IFTTT_SANDBOX_ALLOW_HOST"
  case serviceDefinition = "IFTTT_SERVICE_DEFINITION"

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
  case githubOutput = "GITHUB_OUTPUT"
  case continuousIntegration = "CI"
  case doNotTrack = "DO_NOT_TRACK"

  // MARK: Shards
  case shard = "IFTTT_SHARD"
  case shardIndex = "IFTTT_SHARD_INDEX"
  case shardTotal = "IFTTT_SHARD_TOTAL"
  case parallelSequence = "PARALLEL_SEQ"
  case slurmTask = "SLURM_ARRAY_TASK_ID"
  case slurmMin = "SLURM_ARRAY_TASK_MIN"
  case slurmMax = "SLURM_ARRAY_TASK_MAX"
  case slurmCount = "SLURM_ARRAY_TASK_COUNT"
  case slurmStep = "SLURM_ARRAY_TASK_STEP"
  case kubernetesIndex = "JOB_COMPLETION_INDEX"

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
  case allowHTTP = "IFTTT_ALLOW_HTTP"
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
  case tlsKeyLog = "SSLKEYLOGFILE"

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
  /// The name, so that a message can contain a variable.
  package var description: String { name }
}

extension EnvironmentVariable {
  /// The properties of a variable.
  struct Properties {
    /// Whether the value is a credential.
    var isSecret = false
    var recipients: VariableRecipients = []
    var plugins: PluginVisibility = .any
    var meaning: String
    /// Whether the help page lists the variable. The variable of an option is listed with the option.
    var isListed = true
  }

  package var isSecret: Bool { properties.isSecret }

  /// The meaning of the variable, as shown on the help page.
  package var meaning: String { properties.meaning }

  package var isListed: Bool { properties.isListed }

  /// Whether the value is a proxy's address, which may contain a user name and a password.
  package var isProxy: Bool {
    switch self {
    case .httpsProxy, .httpProxy, .allProxy, .lowercaseHTTPSProxy, .lowercaseHTTPProxy, .lowercaseAllProxy: true
    default: false
    }
  }

  package func isInherited(by recipient: VariableRecipients) -> Bool { properties.recipients.contains(recipient) }

  var properties: Properties {
    switch self {
    case .serviceKey: .credential("The service key, if no file is specified.")
    case .userToken: .credential("The user token, if no file is specified.")
    case .accessToken:
      .credential("The OAuth access token that your service issued to IFTTT, for 'token exchange'.")
    case .oauthCode: .credential("The OAuth code of your service, for an activation.")
    case .clientSecret:
      .credential("The OAuth client secret of IFTTT at your service, for 'service test --sign-in'.")
    case .inviteCode: .credential("The invite code of an unpublished service, if --invite-code is not given.")
    case .webhooksKey: .credential("The key of the Webhooks service, for 'webhook fire', if no file is specified.")
    case .storeKeyFile: .storeKey("A file with the key that encrypts credentials.")
    case .storeKeyCommand: .storeKey("The command that prints the key that encrypts credentials.")
    case .storePassphraseFile: .storeKey("A file with the passphrase from which the key is derived.")

    case .profile, .output, .noPlugins:
      Properties(recipients: .recording, plugins: .namesake, meaning: "The value of an option.", isListed: false)
    case .userID:
      Properties(
        recipients: .recording, plugins: .namesake,
        meaning: "The user's id on your own service, if --user-id is not given.")
    case .service:
      Properties(recipients: .recording, plugins: .namesake, meaning: "The service, if --service is not given.")
    case .directory: Properties(meaning: "One folder for all of the program's files.")
    case .dataFolder, .stateFolder, .configFolder, .cacheFolder:
      Properties(
        recipients: .pager, meaning: "If IFTTT_HOME is not set: the folders that contain the program's own folders.")
    case .pluginsLock:
      Properties(
        plugins: .namesake,
        meaning:
          "The file that lists the allowed plugins, instead of ifttt-plugins.lock in the working directory.")
    case .pluginVerify:
      Properties(
        plugins: .namesake, meaning: "If set to 'always', every file of a plugin is read before the plugin runs.")
    case .pluginTrace:
      Properties(
        plugins: .namesake,
        meaning: "A file to which each message to and from plugins is appended as JSON, with secrets masked.")
    case .sandboxSeed:
      Properties(
        plugins: .namesake,
        meaning: "The seed of a new or reset 'sandbox' profile: 'plain' (the default) or 'unusual'.")
    case .sandboxAllowHost:
      Properties(
        recipients: .recording, plugins: .namesake,
        meaning:
          "The hosts that requests to 'sandbox start --host' may name, separated by commas, as with --allow-host.")
    case .serviceDefinition:
      Properties(
        recipients: .recording, plugins: .namesake,
        meaning: """
          The service definition for 'service test', as with --definition. The endpoints of 'service call' are completed \
          from it.
          """)

    case .pluginFolder:
      Properties(plugins: .namesake, meaning: "The folder of the plugin, set for the plugin.", isListed: false)
    case .program:
      Properties(plugins: .namesake, meaning: "The path of this program, set for a command plugin.", isListed: false)
    case .pythonWritesNoBytecode:
      Properties(meaning: "Keeps Python from changing the plugin's folder, set for the plugin.", isListed: false)

    case .localeAll, .localeMessages, .locale:
      Properties(recipients: [.plugins, .programs, .pager, .replay], meaning: Properties.languageMeaning)
    case .localeCharacters:
      Properties(
        recipients: [.plugins, .programs, .pager, .replay], meaning: "The encoding of the terminal.", isListed: false)
    case .localeAddress, .localeCollation, .localeIdentification, .localeMeasurement, .localeMoney, .localeName,
      .localeNumbers, .localePaper, .localeTelephone, .localeTime, .timeZone:
      .inherited([.plugins, .programs])
    case .localeLanguages, .loginName: .inherited(.programs)

    case .githubActions: Properties(recipients: .replay, meaning: Properties.workflowMeaning)
    case .githubStepSummary, .githubOutput: Properties(meaning: Properties.workflowMeaning)
    case .continuousIntegration:
      Properties(
        recipients: .replay, meaning: "If set, disables prompts, usage events, and color unless it is requested.")
    case .doNotTrack:
      Properties(meaning: "If set to a value other than 0 or false, disables usage events; see 'ifttt privacy'.")

    case .shard: Properties(plugins: .namesake, meaning: "With --shard auto: the shard K/N, K from 1 to N.")
    case .shardIndex, .shardTotal:
      Properties(plugins: .namesake, meaning: "With --shard auto: the shard's number from 0, and the number of shards.")
    case .parallelSequence: Properties(meaning: "With --shard auto: the job's number in GNU parallel; needs --shards.")
    case .slurmTask, .slurmMin, .slurmMax, .slurmCount, .slurmStep:
      Properties(meaning: "With --shard auto: the task in a Slurm job array.")
    case .kubernetesIndex:
      Properties(meaning: "With --shard auto: the pod's number in a Kubernetes Indexed Job; needs --shards.")

    case .manPager, .pager: Properties(recipients: .pager, meaning: "The pager of 'ifttt man'; default: less.")
    case .lessOptions, .lessCharacters, .lessHistory, .lessKeys, .lessPreprocessor, .moreOptions, .batTheme,
      .terminalDatabase, .lines:
      .inherited(.pager)

    case .noColor: Properties(recipients: [.plugins, .programs, .replay], meaning: Properties.colorMeaning)
    case .forceColor, .clicolorForce, .clicolor: Properties(recipients: .replay, meaning: Properties.colorMeaning)
    case .terminal: Properties(recipients: [.plugins, .programs, .pager, .replay], meaning: Properties.colorMeaning)
    case .colorTerminal:
      Properties(recipients: .pager, meaning: "The number of colors of the terminal.", isListed: false)
    case .columns:
      Properties(recipients: [.pager, .replay], meaning: "The width of a terminal that reports none.", isListed: false)

    case .path, .temporaryFolder: .inherited([.plugins, .programs, .pager, .replay])
    case .home: .inherited([.plugins, .programs, .pager])
    case .user, .shell: .inherited([.programs, .pager])
    case .manPath, .zshFunctionPath, .bashCompletionFolder:
      Properties(meaning: "The folders that 'doctor' searches for pages and completion scripts.", isListed: false)
    case .sshConnection, .sshTerminal:
      Properties(meaning: "If set, a browser would open on another machine's screen.", isListed: false)

    case .display: .inherited([.desktop, .pager])
    case .browser:
      Properties(recipients: .desktop, meaning: "The command that opens pages; default: the system's browser.")
    case .waylandDisplay, .xAuthority, .sessionBus, .desktopSession, .kdeSession, .kdeVersion,
      .gnomeSession, .wslDistribution, .wslInterop:
      .inherited(.desktop)
    case .gnupgFolder, .gpgTerminal, .sshAgent: .inherited(.keyCommand)

    case .connectURL: .baseURL("https://connect.ifttt.com")
    case .locationURL: .baseURL("https://connectapi.ifttt.com")
    case .apiURL: .baseURL("https://api.ifttt.com")
    case .webURL: .baseURL("https://ifttt.com")
    case .realtimeURL: .baseURL("https://realtime.ifttt.com")
    case .webhooksURL: .baseURL("https://maker.ifttt.com")
    case .allowHTTP:
      Properties(
        recipients: .recording,
        meaning:
          "Hosts, separated by commas, to which requests may use plain http. Tokens then travel in the clear.")
    case .httpsProxy, .httpProxy, .allProxy, .noProxy:
      Properties(recipients: [.plugins, .programs], meaning: Properties.proxyMeaning)
    case .lowercaseHTTPSProxy, .lowercaseHTTPProxy, .lowercaseAllProxy, .lowercaseNoProxy:
      Properties(recipients: [.plugins, .programs], meaning: Properties.proxyMeaning, isListed: false)
    case .certificateFile, .certificateFolder, .certificateBundle:
      Properties(recipients: [.plugins, .programs], meaning: "Certificates to trust, as in curl.")
    case .tlsKeyLog:
      Properties(
        meaning: "A file to which libcurl writes TLS keys, with which a recording of the traffic can be decrypted.")

    case .grabClientID, .grabRedirectURI, .grabScope, .grabDiscoveryURL, .grabIssuer, .grabPartnerID:
      Properties(plugins: .namesake, meaning: "A setting of the plugin 'grab'.", isListed: false)
    }
  }
}

extension EnvironmentVariable.Properties {
  /// A credential. It can also come from a file that an option names, or from a prompt.
  fileprivate static func credential(_ meaning: String) -> Self {
    Self(isSecret: true, recipients: .recording, plugins: .none, meaning: meaning)
  }

  /// The location of the store's key. It is not masked, because errors name it.
  fileprivate static func storeKey(_ meaning: String) -> Self {
    Self(plugins: .none, meaning: meaning)
  }

  /// A variable of the system that other programs need.
  fileprivate static func inherited(_ recipients: VariableRecipients) -> Self {
    Self(recipients: recipients, meaning: "A setting of the system, which other programs need.", isListed: false)
  }

  fileprivate static func baseURL(_ standard: String) -> Self {
    Self(recipients: .recording, meaning: "A base URL without the version part, instead of \(standard).")
  }

  fileprivate static let languageMeaning = "The language of the connect flow, unless --locale is given."
  fileprivate static let colorMeaning = "Control color; NO_COLOR overrides the others, and --color overrides all."
  fileprivate static let proxyMeaning = "Proxies, as in curl. For plain http, a proxy on another machine is ignored."
  fileprivate static let workflowMeaning =
    """
    In GitHub Actions, failures are annotated, secrets are masked, and a command with results adds a table to the job \
    summary and its counts to the outputs of the step.
    """
}
