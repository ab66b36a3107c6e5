import CommandLine
import Output
import Session
import Store
import Text
import World

/// A profile as printed: its settings and the kinds of its stored credentials, never a credential itself.
struct ProfileRow: OutputRecord {
  let name: String
  let isCurrent: Bool
  let settings: ProfileSettings
  let credentials: [String]
  let commands: [ProfileCommand]
  let tracked: Int
  /// Of the profile in use.
  var origins: ProfileOrigins?

  static let fields: Fields = [
    Field("name", "The profile's name", column: "NAME", overflow: .keep) { $0.name },
    Field("current", "Whether commands without --profile use it", column: "CURRENT") { $0.isCurrent },
    Field("settings", "The settings; null if not set") { $0.settings },
    Field("credentials", "The kinds of the stored credentials", column: "CREDENTIALS", absence: "none") {
      $0.credentials
    },
    Field("tracked", "The number of tracked connections", column: "TRACKED", style: .number) { $0.tracked },
    Field("servers", "The base URLs in place of IFTTT's", column: "SERVERS") { $0.settings.servers },
    Field(
      "commands", "The programs that print credentials", column: "COMMANDS", isInDataOnly: true, showing: "command"
    ) { $0.commands },
    Field("origins", "Where the values in use come from; null for another profile than the one in use") { $0.origins },
  ]
}

struct ProfileSettings: OutputRecord {
  let values: [Profile.Setting: String]

  var servers: [String] { BaseURL.allCases.compactMap { values[$0.setting] }.uniqued() }

  static let fields: Fields = Profile.Setting.allCases.map { setting in
    let column: String? =
      switch setting {
      case .service: "SERVICE"
      case .userID: "USER"
      default: nil
      }
    return Field(setting.rawValue, setting.meaning, column: column, columnNumber: setting == .service ? 1 : nil) {
      $0.values[setting]
    }
  }
}

/// A program that prints a credential.
struct ProfileCommand: OutputRecord {
  let name: CredentialName
  let words: [String]

  static let fields: Fields = [
    Field("credential", "The kind of the credential") { $0.name.rawValue },
    Field("command", "The program and its arguments, quoted for a shell") {
      $0.words.map(ShellWord.quoted).joined(separator: " ")
    },
  ]
}

/// Where each value comes from that commands use: a variable, the path of a file, or one of the words in ``fields``.
struct ProfileOrigins: OutputRecord {
  let profile: String
  var settings: [Profile.Setting: String] = [:]
  var credentials: [CredentialName: String] = [:]

  private static let variables: [Profile.Setting: EnvironmentVariable] = [
    .service: .service, .userID: .userID, .inviteCode: .inviteCode,
  ].merging(BaseURL.allCases.map { ($0.setting, $0.variable) }) { $1 }

  static let fields: Fields =
    [
      Field("profile", "What selected the profile, such as 'profile use'", column: "SELECTED BY", isInDataOnly: true) {
        $0.profile
      }
    ]
    + variables.keys.sorted(by: \.rawValue).map { setting in
      Field(setting.rawValue, "A variable, the path of a file, 'profile' or 'built-in'; null if not set") {
        $0.settings[setting]
      }
    }
    + CredentialName.printable.map { name in
      Field(name.rawValue, "A variable, 'command', 'store' or 'built-in'; null without a credential") {
        $0.credentials[name]
      }
    }

  init(in session: Session) throws {
    profile = try session.storage.profileOrigin
    let (environment, stored) = (session.world.environment, try session.profile.settings)
    for (setting, variable) in Self.variables {
      if environment[variable]?.isEmpty == false {
        settings[setting] = variable.name
      } else if setting == .service, let folder = try session.storage.folder, folder.service != nil {
        settings[setting] = folder.path
      } else if stored[setting] != nil {
        settings[setting] = "profile"
      } else if try session.profileName.isSandbox {
        settings[setting] = "built-in"
      }
    }
    for name in CredentialName.printable {
      credentials[name] =
        environment[name.variable]?.isEmpty == false ? name.variable.name : try origin(of: name, session)
    }
  }

  private func origin(of name: CredentialName, _ session: Session) throws -> String? {
    do {
      return switch try session.credentials.location(of: name) {
      case .command?: "command"
      case .stored?: "store"
      case .builtIn?: "built-in"
      case .given?, nil: nil
      }
    } catch let problem as Problem where problem.code == .credentialsMissing {
      // Several tokens are stored, and no user is selected.
      return "store"
    }
  }
}

extension Profile.Setting {
  fileprivate var meaning: String {
    switch self {
    case .userID: "The user's ID on your service"
    case .service: "The service's slug"
    case .inviteCode: "The invite code of an unpublished service"
    case .connectURL: "The base URL of the Connect API"
    case .locationURL: "The base URL of the location API"
    case .apiURL: "The base URL of the Applets API"
    case .webURL: "The base URL of IFTTT's web pages"
    case .realtimeURL: "The base URL of the Realtime API"
    case .webhooksURL: "The base URL of Webhooks"
    case .redirectURI: "The redirect URI of activations"
    case .skipConfiguration: "Whether activations skip IFTTT's configuration screen"
    case .allowHTTP: "The hosts to which requests may use plain http, separated by commas"
    }
  }
}

extension ProfileRow {
  init(_ profile: Profile, in session: Session) throws {
    self.init(
      name: profile.name, isCurrent: try profile.name == session.storage.usualProfile.description,
      settings: ProfileSettings(values: profile.settings),
      credentials: Set(try session.store.credentials(profile: profile.name).map(\.kind.rawValue)).sorted(),
      commands: try session.store.commands(profile: profile.name).map {
        ProfileCommand(name: $0.name, words: $0.words)
      },
      tracked: try session.store.trackedCount(profile: profile.name))
  }
}

enum ProfileList: Command {
  static let name = "list"
  static let summary = "List the profiles"
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("profile list", "list the profiles"),
      ExampleSchema("profile list --json", "print them with their settings as JSON"),
    ]
  }
  static var shape: OutputSchema? { .many(ProfileRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var profiles = try session.store.profiles()
    for builtIn in [ProfileName.standard, .sandbox].map(\.description)
    where !profiles.contains(where: { $0.name == builtIn }) {
      profiles.append(Profile(name: builtIn))
    }
    return .rows(try profiles.sorted(by: \.name).map { try ProfileRow($0, in: session) })
  }
}

enum ProfileShow: Command {
  struct Options: CommandOptions {
    var name: ProfileName?
  }

  static let name = "show"
  static let summary = "Show a profile's settings and the kinds of its stored credentials"
  static var positionals: [Positional<Options>] {
    [.optional(.profileName, into: \.name, help: "Profile to show; default: the profile in use")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("profile show staging", "show a profile"),
      ExampleSchema("profile show --json", "print the profile in use as JSON"),
    ]
  }
  static var shape: OutputSchema? {
    // A list has no room for them.
    OutputSchema.one(ProfileRow.self).changingColumns { columns in
      for index in columns.indices { columns[index].isInDataOnly = false }
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard let name = options.name, try name != session.profileName else {
      var row = try ProfileRow(session.profile, in: session)
      row.origins = try ProfileOrigins(in: session)
      return output(row)
    }
    let stored = try session.store.profile(name.description)
    guard stored != nil || name.isBuiltIn else { throw session.storage.noProfile(name) }
    return output(try ProfileRow(stored ?? Profile(name: name.description), in: session))
  }

  /// The row with the columns of ``shape``.
  private static func output(_ row: ProfileRow) -> Output {
    var output = Output.one(row)
    if case .rows(let rows, _) = output.body, let shape { output.body = .rows(rows, shape) }
    return output
  }
}

enum ProfileUse: Command {
  struct Options: CommandOptions {
    var name = Required<ProfileName>()
  }

  static let name = "use"
  static let summary = "Set the default profile"
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "Profile to use by default")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("profile use staging", "use a profile by default")] }
  static var shape: OutputSchema? { .one(ChangedItem.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let isKnown = try name.isBuiltIn || session.store.profile(name.description) != nil
    guard isKnown else { throw session.storage.noProfile(name) }
    if session.options.isDryRun { return session.dryRun(change: "Would make '\(name)' the default profile.") }
    let before = try session.store.currentProfile() ?? ProfileName.standard.description
    try session.store.useProfile(name.description)
    session.console.note("The default profile is now '\(name)'.")
    return .changed(ChangedItem(name.description, changed: before != name.description), in: session)
  }
}

enum ProfileRemove: Command {
  struct Options: CommandOptions {
    var name = Required<ProfileName>()
  }

  static let name = "remove"
  static let summary = "Remove a profile with its credentials and tracked connections"
  static var discussion: [String] {
    [
      """
      The profiles 'default' and 'sandbox' always exist. Removing 'default' removes its stored data. Removing \
      'sandbox' resets it, as 'ifttt --profile sandbox sandbox reset' does.
      """
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "Profile to remove")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("profile remove staging --yes", "remove a profile without confirmation")]
  }
  static var shape: OutputSchema? { .one(ChangedItem.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    if name.isSandbox { return try removeSandbox(in: session) }
    guard try session.store.profile(name.description) != nil else {
      throw name == .standard ? nothingStored(for: name) : session.storage.noProfile(name)
    }
    let target = name == .standard ? "the stored data of profile '\(name)'" : "profile '\(name)'"
    if session.options.isDryRun { return session.dryRun(change: "Would remove \(target).") }
    let queued = try LocationQueue(session.store, profile: name.description).counts().all
    var contents = "its credentials and tracked connections"
    if queued > 0 {
      contents += ", and \(queued.counted("unsent location event"))"
    }
    try session.console.confirm(
      name == .standard ? "Remove \(target): \(contents)?" : "Remove \(target) with \(contents)?")
    _ = try session.store.removeProfile(name.description)
    session.console.note("Removed \(target).")
    return .changed(ChangedItem(name.description), in: session)
  }

  private static func nothingStored(for name: ProfileName) -> Problem {
    Problem(
      .notFound, "nothing is stored for profile '\(name)'", reason: "the profile is built in and always exists",
      hint: "To list the profiles, run: \(ifttt: "profile list")")
  }

  private static func removeSandbox(in session: Session) throws -> Output {
    let contents = "its credentials and tracked connections, and the emulator's state"
    if session.options.isDryRun {
      return session.dryRun(change: "Would reset profile 'sandbox' with \(contents); the profile itself always exists.")
    }
    try session.console.confirm("Reset profile 'sandbox' with \(contents)?")
    try session.storage.resetSandboxProfile()
    session.console.note("Reset profile 'sandbox'. The profile itself always exists.")
    return .changed(ChangedItem(ProfileName.sandbox.description), in: session)
  }
}
