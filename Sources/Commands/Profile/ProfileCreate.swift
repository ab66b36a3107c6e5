import CommandLine
import HTTP
import IFTTT
import Session
import Store
import Text
import World

enum ProfileCreate: Command {
  struct Options: CommandOptions {
    var name = Required<ProfileName>()
    var settings = ProfileOptions()
  }

  static let name = "create"
  static let summary = "Create a profile"
  static var discussion: [String] {
    [
      """
      A profile stores a service key, a user token, a webhooks key, the service, the user and base URLs under a name. \
      Later commands then need only --profile NAME. Credentials are read from files, stdin or the terminal, \
      and stored encrypted. Change the profile with 'profile set'.
      """
    ]
  }
  static var flags: [Flag<Options>] { .lifted(ProfileOptions.flags, into: \.settings) }
  static var positionals: [Positional<Options>] {
    [.required(.profileName.completed(by: .none), into: \.name, help: "The profile's name")]
      + ProfileOptions.command(into: \.settings.command)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "profile create staging --service-key-file key.txt --use",
        "store a service key, and make the profile the default")
    ]
  }
  static var shape: OutputSchema? { .one(ProfileRow.self) }

  static func check(_ options: Options) throws(Conflict) { try options.settings.check() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    try options.settings.check(for: name)
    guard try session.store.profile(name.description) == nil else {
      throw Problem(
        .conflict, "profile '\(name)' already exists",
        hint:
          "Change a setting with \(ifttt: "profile set \(name.description) --service SLUG"), or choose another name.")
    }
    return try options.settings.save(name, verb: "create", in: session)
  }
}

enum ProfileSet: Command {
  struct Options: CommandOptions {
    var name = Required<ProfileName>()
    var settings = ProfileOptions()
  }

  static let name = "set"
  static let summary = "Change a profile's settings and credentials"
  static var discussion: [String] {
    [
      """
      Stores the given settings and credentials, and keeps all others. An empty value removes a setting: --user-id ''. \
      Credentials are read from files, stdin or the terminal, and stored encrypted.
      """,
      """
      Instead of storing a credential, the profile can name a program that prints it on its first line, such as a \
      password manager. It is run without a shell when a command needs the credential, and may take 30 s. The name of \
      the program is kept on this machine only: a backup of the store does not contain it. An empty name removes it: \
      --service-key-command ''.
      """,
    ]
  }
  static var flags: [Flag<Options>] { .lifted(ProfileOptions.flags, into: \.settings) }
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "The profile's name")]
      + ProfileOptions.command(into: \.settings.command)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("profile set staging --user-id u-5521", "set the user of a profile"),
      ExampleSchema(
        "profile set staging --service-key-command -- pass show ifttt/key", "read the service key from pass"),
    ]
  }
  static var shape: OutputSchema? { .one(ProfileRow.self) }

  static func check(_ options: Options) throws(Conflict) {
    try options.settings.check()
    guard options.settings.hasChanges else {
      throw Conflict("pass a setting to change", options: ["service"], isMissingArgument: true)
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let isKnown = try name.isBuiltIn || session.store.profile(name.description) != nil
    guard isKnown else { throw session.storage.noProfile(name) }
    if options.settings.changesServer { try options.settings.check(for: name) }
    return try options.settings.save(name, verb: "change", in: session)
  }
}

/// The settings and credentials that `profile create` and `profile set` store.
struct ProfileOptions: CommandOptions {
  var settings: [Profile.Setting: String] = [:]
  var serviceKeyFile: String?
  var userTokenFile: String?
  var webhooksKeyFile: String?
  /// The credentials that a program prints, of which there may be one, and the program with its arguments.
  var printed: Set<CredentialName> = []
  var command: [String] = []
  var becomesDefault = false

  static var flags: [Flag<ProfileOptions>] {
    [
      .value(
        "service", .serviceSlug(mayBeEmpty: true), into: \.settings[.service],
        help: "Slug of your service: the last part of https://ifttt.com/SLUG"),
      .value(
        "user-id", .userID(mayBeEmpty: true), into: \.settings[.userID], help: "The user's id on your own service"),
      .value(
        "invite-code", .text("CODE"), into: \.settings[.inviteCode], help: "The invite code of an unpublished service"),
      .value(
        "service-key-file", .file, into: \.serviceKeyFile,
        help: "Read the service key from this file, '-' for stdin"),
      .value(
        "user-token-file", .file, into: \.userTokenFile,
        help: "Read the user token from this file, '-' for stdin"),
      .webhooksKeyFile(
        into: \.webhooksKeyFile, help: "Read the webhooks key from this file, '-' for stdin"),
    ]
      + CredentialName.printable.map { name in
        .toggle(
          name.commandOption, into: \.[prints: name], isAdvanced: true,
          help: "A program that prints the \(name.noun); pass it and its arguments after --")
      } + servers
  }

  private static var servers: [Flag<ProfileOptions>] {
    [
      .value(
        "base-url", .baseURL, into: \.baseURL,
        help: "Base URL of a server in place of all of IFTTT's, such as the one that 'sandbox start' prints"),
      .value(
        "connect-url", .baseURL, into: \.settings[.connectURL], isAdvanced: true, help: "Base URL of the Connect API"),
      .value(
        "location-url", .baseURL, into: \.settings[.locationURL], isAdvanced: true,
        help: "Base URL of the location API"),
      .value("api-url", .baseURL, into: \.settings[.apiURL], isAdvanced: true, help: "Base URL of the Applets API"),
      .value("web-url", .baseURL, into: \.settings[.webURL], isAdvanced: true, help: "Base URL of IFTTT's web pages"),
      .value(
        "realtime-url", .baseURL, into: \.settings[.realtimeURL], isAdvanced: true, help: "Base URL of the Realtime API"
      ),
      .value("webhooks-url", .baseURL, into: \.settings[.webhooksURL], isAdvanced: true, help: "Base URL of Webhooks"),
      .value(
        "redirect-uri", .storedRedirectURI, into: \.settings[.redirectURI], isAdvanced: true,
        help: "Redirect URI registered for the service; the default for activations"),
      .value(
        "allow-http", .plainHosts, into: \.settings[.allowHTTP], isAdvanced: true,
        help: "Host to which requests may use plain http, in which tokens are readable; several separated by commas"),
      .toggle("use", into: \.becomesDefault, help: "Make it the default profile"),
    ]
  }

  /// The program of an option such as `--service-key-command`.
  static func command<Options>(
    into path: @autoclosure @escaping OptionKeyPath<Options, [String]>
  ) -> [Positional<Options>] {
    [
      .many(
        .text("ARG"), into: path(),
        help: "The program, and its arguments, of --service-key-command")
    ]
  }

  private subscript(prints name: CredentialName) -> Bool {
    get { printed.contains(name) }
    set { if newValue { printed.insert(name) } else { printed.remove(name) } }
  }

  /// The base URL of everything that has no base URL of its own.
  private var baseURL: String? {
    get { nil }
    set { for base in BaseURL.allCases where settings[base.setting] == nil { settings[base.setting] = newValue } }
  }

  /// Whether any option was given.
  var hasChanges: Bool {
    !settings.isEmpty || serviceKeyFile != nil || userTokenFile != nil || webhooksKeyFile != nil || becomesDefault
      || !printed.isEmpty
  }
  /// Whether the service, its key, a base URL or a host of one was given.
  var changesServer: Bool {
    let others: [Profile.Setting] = [.service, .allowHTTP]
    return serviceKeyFile != nil || printed.contains(.serviceKey)
      || settings.keys.contains { (others + BaseURL.allCases.map(\.setting)).contains($0) }
  }

  func check() throws(Conflict) {
    let options = CredentialName.printable.filter(printed.contains).map(\.commandOption)
    guard options.count < 2 else {
      throw Conflict("each program needs a run of its own: the arguments belong to one option", options: options)
    }
    guard let option = options.first else {
      guard command.isEmpty else {
        throw Conflict("arguments are accepted only with an option such as --service-key-command")
      }
      return
    }
    guard !command.isEmpty else {
      throw Conflict("--\(option) needs a program: --\(option) -- pass show ifttt/key", options: [option])
    }
    let given = files.first { $0.file != nil && printed.contains($0.kind.name) }
    if let other = given?.kind.name.option {
      throw Conflict("pass either \(other) or --\(option)", options: [String(other.dropFirst(2)), option])
    }
  }

  /// - Throws: `conflict` for the built-in profile of the sandbox.
  func check(for name: ProfileName) throws {
    guard name.isSandbox else { return }
    throw Problem(
      .conflict, "profile 'sandbox' is built in", reason: "its service, service key and base URLs cannot be changed",
      hint: "Choose another name. For a server of your own, pass --base-url URL.")
  }

  /// Stores the given settings and credentials, and keeps all others.
  /// - Parameter verb: the verb for the text of a dry run, such as `create`.
  func save(_ name: ProfileName, verb: String, in session: Session) throws -> Output {
    let store = try session.store
    try checkURLs(of: name, in: session)
    // Read all input before writing anything.
    var secrets: [CredentialKind: Secret] = [:]
    for (kind, file) in files {
      if let file { secrets[kind] = try session.credentials.given(kind.name, file: file) }
    }
    let commands = try commands(storing: secrets, in: session)
    if session.options.isDryRun { return session.dryRun(change: "Would \(verb) profile '\(name)'.") }
    try store.save(Profile(name: name.description, settings: settings), with: secrets, uses: becomesDefault)
    try store.set(commands, profile: name.description)
    let saved = try store.profile(name.description) ?? Profile(name: name.description)
    return .one(try ProfileRow(saved, in: session))
  }
}

extension ProfileOptions {
  private var files: [(kind: CredentialKind, file: String?)] {
    [(.serviceKey, serviceKeyFile), (.userToken, userTokenFile), (.webhooksKey, webhooksKeyFile)]
  }

  /// The programs to record, and no words for those to remove: a credential that is stored replaces its program.
  /// - Throws: `usage` for a program that cannot be found.
  private func commands(
    storing secrets: [CredentialKind: Secret], in session: Session
  ) throws -> [CredentialName: [String]] {
    var commands: [CredentialName: [String]] = [:]
    for kind in secrets.keys { commands[kind.name] = [] }
    guard let name = printed.first else { return commands }
    commands[name] = command == [""] ? [] : try session.storableCommand(command, of: name.commandOption)
    return commands
  }

  /// - Throws: `usage` for a base URL with plain http to a host that is not allowed.
  private func checkURLs(of name: ProfileName, in session: Session) throws {
    let stored = try session.store.profile(name.description)?.settings[.allowHTTP]
    let list = settings[.allowHTTP] ?? stored ?? ""
    for base in BaseURL.allCases {
      guard let url = settings[base.setting], !url.isEmpty else { continue }
      try session.network.plainHTTP.check(url, alsoAllowing: list)
    }
  }
}

extension ValueKind<String> {
  /// Hosts separated by commas, or the empty value that removes them.
  fileprivate static var plainHosts: ValueKind {
    ValueKind(ValueSchema(placeholder: "HOST", completion: .none)) { (text: String) throws(ValueError) in
      do throws(WebURLError) { if !text.isEmpty { _ = try HostName.list(parsing: text) } } catch {
        throw ValueError(error.description)
      }
      return text
    }
  }

  /// A redirect URI, or the empty value that removes it.
  fileprivate static var storedRedirectURI: ValueKind {
    ValueKind(ValueKind<RedirectURI>.redirectURI.schema) { (text: String) throws(ValueError) in
      if !text.isEmpty { _ = try ValueKind<RedirectURI>.redirectURI.parse(text) }
      return text
    }
  }
}

extension CredentialName {
  /// The option for a program that prints it, without dashes.
  fileprivate var commandOption: String { option.dropFirst(2).dropLast("file".count) + "command" }
}
