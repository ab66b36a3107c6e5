extension EnvironmentVariable {
  /// The properties of a variable.
  struct Facts {
    /// Whether the value is a credential.
    var isSecret = false
    var recipients: VariableRecipients = []
    var plugins: PluginAccess = .any
    var meaning: String
    /// Whether the help page lists the variable. Those of options are listed with their options.
    var isListed = true
  }

  package var isSecret: Bool { facts.isSecret }

  /// What the variable is for, as the help page says it.
  package var meaning: String { facts.meaning }

  package var isListed: Bool { facts.isListed }

  package func isInherited(by recipient: VariableRecipients) -> Bool { facts.recipients.contains(recipient) }

  var facts: Facts {
    switch self {
    case .serviceKey: .credential("The service key, if no file is specified.")
    case .userToken: .credential("The user token, if no file is specified.")
    case .accessToken:
      .credential("The OAuth access token that your service issued to IFTTT, for 'token exchange'.")
    case .oauthCode: .credential("The OAuth code of your service, for an activation.", isListed: false)
    case .inviteCode: .credential("The invite code of an unpublished service.", isListed: false)
    case .webhooksKey:
      // No command reads it yet, but it may be set.
      Facts(isSecret: true, plugins: .none, meaning: "The key of the Webhooks service.", isListed: false)
    case .storeKeyFile: .storeKey("A file with the key that encrypts credentials.", isListed: true)
    case .storeKeyCommand: .storeKey("The command that prints the key that encrypts credentials.")
    case .storePassphraseFile: .storeKey("A file with the passphrase from which the key is derived.")

    case .profile, .output, .userID, .service, .noPlugins:
      Facts(recipients: .recording, plugins: .namesake, meaning: "The value of an option.", isListed: false)
    case .directory: Facts(meaning: "One folder for all of the program's files.")
    case .dataFolder, .stateFolder, .configFolder, .cacheFolder:
      Facts(
        recipients: .pager, meaning: "If IFTTT_HOME is not set: the folders that contain the program's own folders.")
    case .pluginsLock:
      Facts(
        plugins: .namesake,
        meaning:
          "The file that lists the allowed plugins, instead of ifttt-plugins.lock in the working directory.")
    case .pluginVerify:
      Facts(plugins: .namesake, meaning: "If set to 'always', every file of a plugin is read before the plugin runs.")

    case .pluginFolder:
      Facts(plugins: .namesake, meaning: "The folder of the plugin, set for the plugin.", isListed: false)
    case .program:
      Facts(plugins: .namesake, meaning: "The path of this program, set for a command plugin.", isListed: false)
    case .pythonWritesNoBytecode:
      Facts(meaning: "Keeps Python from changing the plugin's folder, set for the plugin.", isListed: false)

    case .localeAll, .localeMessages, .locale:
      Facts(recipients: [.plugins, .programs, .pager, .replay], meaning: Facts.languageMeaning)
    case .localeCharacters:
      Facts(
        recipients: [.plugins, .programs, .pager, .replay], meaning: "The encoding of the terminal.", isListed: false)
    case .localeAddress, .localeCollation, .localeIdentification, .localeMeasurement, .localeMoney, .localeName,
      .localeNumbers, .localePaper, .localeTelephone, .localeTime, .timeZone:
      .inherited([.plugins, .programs])
    case .localeLanguages, .loginName: .inherited(.programs)

    case .githubActions: Facts(recipients: .replay, meaning: Facts.workflowMeaning)
    case .githubStepSummary: Facts(meaning: Facts.workflowMeaning)
    case .continuousIntegration:
      Facts(recipients: .replay, meaning: "If set, disables prompts, usage events, and color unless it is requested.")
    case .doNotTrack:
      Facts(meaning: "If set to a value other than 0 or false, disables usage events; see 'ifttt privacy'.")

    case .manPager, .pager: Facts(recipients: .pager, meaning: "The pager of 'ifttt man'; default: less.")
    case .lessOptions, .lessCharacters, .lessHistory, .lessKeys, .lessPreprocessor, .moreOptions, .batTheme,
      .terminalDatabase, .lines:
      .inherited(.pager)

    case .noColor: Facts(recipients: [.plugins, .programs, .replay], meaning: Facts.colorMeaning)
    case .forceColor, .clicolorForce, .clicolor: Facts(recipients: .replay, meaning: Facts.colorMeaning)
    case .terminal: Facts(recipients: [.plugins, .programs, .pager, .replay], meaning: Facts.colorMeaning)
    case .colorTerminal:
      Facts(recipients: .pager, meaning: "The number of colors of the terminal.", isListed: false)
    case .columns:
      Facts(recipients: [.pager, .replay], meaning: "The width of a terminal that reports none.", isListed: false)

    case .path, .temporaryFolder: .inherited([.plugins, .programs, .pager, .replay])
    case .home: .inherited([.plugins, .programs, .pager])
    case .user, .shell: .inherited([.programs, .pager])
    case .manPath, .zshFunctionPath, .bashCompletionFolder:
      Facts(meaning: "The folders that 'doctor' searches for pages and completion scripts.", isListed: false)
    case .sshConnection, .sshTerminal:
      Facts(meaning: "If set, a browser would open on another machine's screen.", isListed: false)

    case .display: .inherited([.desktop, .pager])
    case .browser, .waylandDisplay, .xAuthority, .sessionBus, .desktopSession, .kdeSession, .kdeVersion,
      .gnomeSession, .wslDistribution, .wslInterop:
      .inherited(.desktop)
    case .gnupgFolder, .gpgTerminal, .sshAgent: .inherited(.keyCommand)

    case .connectURL: .baseURL("https://connect.ifttt.com")
    case .locationURL: .baseURL("https://connectapi.ifttt.com")
    case .apiURL: .baseURL("https://api.ifttt.com")
    case .webURL: .baseURL("https://ifttt.com")
    case .realtimeURL: .baseURL("https://realtime.ifttt.com")
    case .webhooksURL: .baseURL("https://maker.ifttt.com")
    case .httpsProxy, .httpProxy, .allProxy, .noProxy:
      Facts(recipients: [.plugins, .programs], meaning: Facts.proxyMeaning)
    case .lowercaseHTTPSProxy, .lowercaseHTTPProxy, .lowercaseAllProxy, .lowercaseNoProxy:
      Facts(recipients: [.plugins, .programs], meaning: Facts.proxyMeaning, isListed: false)
    case .certificateFile, .certificateFolder, .certificateBundle:
      Facts(recipients: [.plugins, .programs], meaning: "Certificates to trust, as in curl.")

    case .grabClientID, .grabRedirectURI, .grabScope, .grabDiscoveryURL, .grabIssuer, .grabPartnerID:
      Facts(plugins: .namesake, meaning: "A setting of the plugin 'grab'.", isListed: false)
    }
  }
}

extension EnvironmentVariable.Facts {
  /// A credential that an option's file or the user may give instead.
  fileprivate static func credential(_ meaning: String, isListed: Bool = true) -> Self {
    Self(isSecret: true, recipients: .recording, plugins: .none, meaning: meaning, isListed: isListed)
  }

  /// The location of the store's key. It is not masked, because errors name it.
  fileprivate static func storeKey(_ meaning: String, isListed: Bool = false) -> Self {
    Self(plugins: .none, meaning: meaning, isListed: isListed)
  }

  /// A variable that matters to other programs.
  fileprivate static func inherited(_ recipients: VariableRecipients) -> Self {
    Self(recipients: recipients, meaning: "A setting of the system, which other programs need.", isListed: false)
  }

  fileprivate static func baseURL(_ standard: String) -> Self {
    Self(recipients: .recording, meaning: "A base URL without the version part, instead of \(standard).")
  }

  fileprivate static let languageMeaning = "The language of the connect flow, unless --locale is given."
  fileprivate static let colorMeaning = "Control color; NO_COLOR overrides the others, and --color overrides all."
  fileprivate static let proxyMeaning = "Proxies, as in curl."
  fileprivate static let workflowMeaning =
    "In GitHub Actions, failures are annotated, secrets are masked, and a batch adds a table to the job summary."
}
