import CommandLine
import IFTTT
import Output
import Session
import Store
import Text
import World

/// A stored user token as printed.
struct TokenRow: OutputRecord {
  let record: CredentialRecord
  let secret: Secret
  let profile: String
  /// Whether the token is printed unmasked.
  var isRevealed = false

  static let fields: Fields = [
    Field("user_id", "The user's id on your service; null if it is unknown", column: "USER", overflow: .keep) {
      $0.record.userID.isEmpty ? nil : $0.record.userID
    },
    Field("token", "The user token, masked unless --reveal is passed", column: "TOKEN", overflow: .keep) {
      $0.isRevealed ? $0.secret.revealed : $0.secret.masked
    },
    Field("saved_at", "The time at which it was stored", column: "SAVED AT", style: .past) { $0.record.savedAt },
    Field("profile", "The profile") { $0.profile },
  ]
}

extension CredentialAccess {
  /// The stored token of one user. Without a user: the token of the profile's user, or the only token.
  func storedToken(of user: String?) throws -> (CredentialRecord, Secret) {
    let (record, records) = try storedRecord(of: user)
    guard let record, let secret = try store.credential(.userToken, userID: record.userID, profile: profile.name) else {
      throw try noToken(of: user, among: records)
    }
    return (record, secret)
  }

  private func noToken(of user: String?, among records: [CredentialRecord]) throws -> Problem {
    if user == nil, records.count > 1, try userID(nil) == nil {
      return Problem(severalTokens: records, .notFound, option: nil)
    }
    guard let user else {
      return Problem(
        .notFound, "no user token is stored",
        hint: "Get one with \(ifttt: "token exchange"), or store one with \(ifttt: "token set").")
    }
    return Problem(
      .notFound, "no user token is stored for user '\(user)'",
      hint:
        "Get one with \(ifttt: "token exchange --user-id \(user)"), or store one with "
        + "\(ifttt: "token set --user-id \(user)")."
    )
  }
}

enum TokenList: Command {
  static let name = "list"
  static let summary = "List the user tokens stored in this profile, masked"
  static var discussion: [String] {
    [
      """
      Without --user-token-file or IFTTT_USER_TOKEN, a command uses the stored token of --user-id, otherwise of the \
      profile's user, otherwise the only stored token. Several tokens without a user are an error.
      """
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("token list", "list the stored tokens")] }
  static var shape: OutputSchema? { .many(TokenRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = try session.profile.name
    let store = try session.store
    let rows = try store.credentials(profile: name).filter { $0.kind == .userToken }.compactMap { record in
      try store.credential(.userToken, userID: record.userID, profile: name).map {
        TokenRow(record: record, secret: $0, profile: name)
      }
    }
    if rows.isEmpty {
      session.console.noteEmpty("No user tokens are stored. To get one, run: \(ifttt: "token exchange")")
    }
    return .rows(rows)
  }
}

enum TokenShow: Command {
  struct Options: CommandOptions {
    var user: String?
    var reveals = false
    var printsAlone = false
  }

  static let name = "show"
  static let summary = "Show a user token"
  static var flags: [Flag<Options>] {
    [
      .toggle("reveal", into: \.reveals, help: "Show the token unmasked"),
      .toggle("print", into: \.printsAlone, help: "Print only the token, for $(…)"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.optional(.tokenUser, into: \.user, help: "User whose token to show; default: the profile's user")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("token show --print", "print only the token, for a script")] }
  static var shape: OutputSchema? { .one(TokenRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (record, secret) = try session.credentials.storedToken(of: options.user)
    if options.reveals || options.printsAlone { session.console.announce(secret) }
    if options.printsAlone { return .text(secret.revealed + "\n") }
    return .one(
      TokenRow(record: record, secret: secret, profile: try session.profile.name, isRevealed: options.reveals))
  }
}

enum TokenSet: Command {
  struct Options: CommandOptions {
    var userID: String?
    var file: String?
  }

  static let name = "set"
  static let summary = "Store a user token that you already have"
  static var discussion: [String] {
    [
      """
      The token is read from a file, stdin or IFTTT_USER_TOKEN; on a terminal, the command prompts for it. It \
      cannot be passed as an argument.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .userID(into: \.userID),
      .credentialFile(.userToken, into: \.file),
    ]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("token set --user-id u-5521 --user-token-file -", "read the token from stdin")]
  }
  static var shape: OutputSchema? { .one(TokenRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let secret = try session.credentials.required(
      .userToken, file: options.file, for: "'token set'", isOfProfile: false)
    let user = try session.credentials.userID(options.userID) ?? ""
    if session.options.isDryRun { return session.dryRun(change: "Would store a user token.") }
    let record = try session.store.save(secret, as: .userToken, userID: user, profile: profile)
    return .one(TokenRow(record: record, secret: secret, profile: profile))
  }
}

enum TokenRemove: Command {
  struct Options: CommandOptions {
    var users: [String] = []
    var removesAll = false
  }

  static let name = "remove"
  static let summary = "Remove stored user tokens; they stay valid at IFTTT"
  static var discussion: [String] { ["If one of the users has no stored token, none is removed."] }
  static var flags: [Flag<Options>] {
    [.toggle("all", into: \.removesAll, help: "Remove every user token of this profile, after confirmation")]
  }
  static var positionals: [Positional<Options>] {
    [.many(.tokenUser, into: \.users, help: "Users whose tokens to remove; default: the profile's user")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("token remove u-5521", "remove the token of a user"),
      ExampleSchema("token remove --all --yes", "remove all tokens without confirmation"),
    ]
  }
  static var shape: OutputSchema? { .many(ChangedItem.self).report }

  static func check(_ options: Options) throws(Conflict) {
    if options.removesAll, !options.users.isEmpty { throw Conflict("pass users or --all, not both", options: ["all"]) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    let users: [String] =
      if options.removesAll {
        try store.credentials(profile: profile).filter { $0.kind == .userToken }.map(\.userID)
      } else if options.users.isEmpty {
        [try session.credentials.storedToken(of: nil).0.userID]
      } else {
        options.users
      }
    let records = try store.credentials(profile: profile).filter { $0.kind == .userToken && users.contains($0.userID) }
    // Check all names first, so that a wrong name does not leave a partial removal.
    if let unknown = users.first(where: { user in !records.contains { $0.userID == user } }) {
      throw Problem(
        .notFound, "no user token is stored for user '\(unknown)'",
        hint: "To list the stored tokens, run: \(ifttt: "token list")"
      )
    }
    if session.options.isDryRun {
      return session.dryRun(change: records.isEmpty ? nil : "Would remove \(records.count.counted("user token")).")
    }
    if options.removesAll, !records.isEmpty {
      try session.console.confirm("Remove \(records.count.counted("user token")) from profile '\(profile)'?")
    }
    for user in users {
      _ = try store.removeCredential(.userToken, userID: user, profile: profile)
    }
    session.console.note("Removed \(users.count.counted("user token")).")
    return .changed(users.map { ChangedItem($0) }, in: session)
  }
}

/// IFTTT's verdict on credentials.
private struct VerifiedIdentity: OutputRecord {
  /// Nil if IFTTT rejected the credentials.
  let me: Me?

  static let fields: Fields = [
    Field("authentication_level", "The authentication level of the credentials", column: "LEVEL") {
      $0.me?.authenticationLevel
    },
    Field("service_id", "The service's id", column: "SERVICE") { $0.me?.serviceID },
    Field("user_login", "The user's login name at IFTTT", column: "LOGIN") { $0.me?.userLogin },
    Field("valid", "Whether IFTTT accepted the credentials", column: "VALID") { $0.me != nil },
  ]
}

enum TokenVerify: Command {
  struct Options: CommandOptions {
    var credentials = CredentialOptions()
  }

  static let name = "verify"
  static let summary = "Verify credentials with IFTTT and show their owner"
  static var discussion: [String] {
    ["Verifies the user token if there is one, otherwise the service key. --as chooses which."]
  }
  static var flags: [Flag<Options>] { .lifted(CredentialOptions.flags, into: \.credentials) }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("token verify --json", "print the level, service and login as JSON"),
      ExampleSchema("token verify --as service", "verify the service key"),
    ]
  }
  static var shape: OutputSchema? { .one(VerifiedIdentity.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var credential = try session.credentials.locate(options.credentials)
    if credential.level == .anonymous, options.credentials.level == nil {
      credential = try session.credentials.locate(options.credentials, .user)
    }
    let client = try session.network.connect(credential)
    if session.options.isDryRun { return session.dryRun([client.me().request]) }
    do throws(APIError) {
      return .one(VerifiedIdentity(me: try client.me().send()))
    } catch {
      guard case .response(let response) = error, response.status == 401 else { throw Problem(error, subject: nil) }
      var output = Output.one(VerifiedIdentity(me: nil))
      let problem = Problem(error, subject: nil)
      output.verdict = { throw problem }
      return output
    }
  }
}
