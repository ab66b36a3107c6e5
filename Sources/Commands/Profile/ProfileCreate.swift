import CommandLine
import HTTP
import IFTTT
import Session
import Store
import Text

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
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "profile create staging --service-key-file key.txt --use",
        "store a service key, and make the profile the default")
    ]
  }
  static var shape: OutputSchema? { .one(ProfileRow.self) }

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
      """
    ]
  }
  static var flags: [Flag<Options>] { .lifted(ProfileOptions.flags, into: \.settings) }
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "The profile's name")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("profile set staging --user-id u-5521", "set the user of a profile")]
  }
  static var shape: OutputSchema? { .one(ProfileRow.self) }

  static func check(_ options: Options) throws(Conflict) {
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

  /// The base URL of everything that has no base URL of its own.
  private var baseURL: String? {
    get { nil }
    set { for base in BaseURL.allCases where settings[base.setting] == nil { settings[base.setting] = newValue } }
  }

  /// Whether any option was given.
  var hasChanges: Bool {
    !settings.isEmpty || serviceKeyFile != nil || userTokenFile != nil || webhooksKeyFile != nil || becomesDefault
  }
  /// Whether the service, its key, a base URL or a host of one was given.
  var changesServer: Bool {
    let others: [Profile.Setting] = [.service, .allowHTTP]
    return serviceKeyFile != nil || settings.keys.contains { (others + BaseURL.allCases.map(\.setting)).contains($0) }
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
    let key = try serviceKeyFile.map { try session.credentials.given(.serviceKey, file: $0) }
    let token = try userTokenFile.map { try session.credentials.given(.userToken, file: $0) }
    let webhooksKey = try webhooksKeyFile.map { try session.credentials.given(.webhooksKey, file: $0) }
    if session.options.isDryRun { return session.dryRun(change: "Would \(verb) profile '\(name)'.") }
    var secrets: [CredentialKind: Secret] = [:]
    secrets[.serviceKey] = key ?? nil
    secrets[.userToken] = token ?? nil
    secrets[.webhooksKey] = webhooksKey ?? nil
    try store.save(Profile(name: name.description, settings: settings), with: secrets, uses: becomesDefault)
    let saved = try store.profile(name.description) ?? Profile(name: name.description)
    return .one(try ProfileRow(saved, in: session))
  }
}

extension ProfileOptions {
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
