import CommandLine
import HTTP
import IFTTT
import Session
import Store
import Text

enum ProfileCreate: Command {
  struct Options: CommandOptions {
    var name = Required<ProfileName>()
    var settings: [Profile.Setting: String] = [:]
    var serviceKeyFile: String?
    var userTokenFile: String?
    var webhooksKeyFile: String?
    var updates = false
    var uses = false
  }

  static let name = "create"
  static let summary = "Create a profile, or change one with --update"
  static var discussion: [String] {
    [
      """
      A profile stores a service key, a user token, a webhooks key, the service, the user and base URLs under a name. \
      Later commands then need only --profile NAME. Credentials are read from files, stdin or the terminal, \
      and stored encrypted. An empty value removes a setting.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("service", .text("SLUG"), into: \.settings[.service], help: "The service that owns the Applets"),
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
        "connect-url", .baseURL, into: \.settings[.connectURL], isAdvanced: true, help: "Base URL of the Connect API"),
      .value("api-url", .baseURL, into: \.settings[.apiURL], isAdvanced: true, help: "Base URL of the Applets API"),
      .value("web-url", .baseURL, into: \.settings[.webURL], isAdvanced: true, help: "Base URL of IFTTT's web pages"),
      .value(
        "realtime-url", .baseURL, into: \.settings[.realtimeURL], isAdvanced: true, help: "Base URL of the Realtime API"
      ),
      .value("webhooks-url", .baseURL, into: \.settings[.webhooksURL], isAdvanced: true, help: "Base URL of Webhooks"),
      .value(
        "redirect-uri", .storedRedirectURI, into: \.settings[.redirectURI], isAdvanced: true,
        help: "Redirect URI registered for the service; the default for activations"),
      .toggle("update", into: \.updates, help: "Change the profile if it exists"),
      .toggle("use", into: \.uses, help: "Make it the default profile"),
    ]
  }
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
    let store = try session.store
    guard try options.updates || store.profile(name.description) == nil else {
      throw Problem(
        .conflict, "profile '\(name)' already exists", hint: "Change it with --update, or choose another name.")
    }
    // Read all input before writing anything.
    let key = try options.serviceKeyFile.map { try session.credentials.given(.serviceKey, file: $0) }
    let token = try options.userTokenFile.map { try session.credentials.given(.userToken, file: $0) }
    let webhooksKey = try options.webhooksKeyFile.map { try session.credentials.given(.webhooksKey, file: $0) }
    if session.options.isDryRun {
      let exists = try store.profile(name.description) != nil
      return session.dryRun(change: "Would \(exists ? "change" : "create") profile '\(name)'.")
    }
    var secrets: [CredentialKind: Secret] = [:]
    secrets[.serviceKey] = key ?? nil
    secrets[.userToken] = token ?? nil
    secrets[.webhooksKey] = webhooksKey ?? nil
    try store.save(Profile(name: name.description, settings: options.settings), with: secrets, uses: options.uses)
    let made = try store.profile(name.description) ?? Profile(name: name.description)
    return .one(try ProfileRow(made, in: session))
  }
}

extension ValueKind<String> {
  /// A redirect URI, or the empty value that removes it.
  fileprivate static var storedRedirectURI: ValueKind {
    ValueKind(ValueKind<RedirectURI>.returnAddress.schema) { (text: String) throws(ValueError) in
      if !text.isEmpty { _ = try ValueKind<RedirectURI>.returnAddress.parse(text) }
      return text
    }
  }
}
