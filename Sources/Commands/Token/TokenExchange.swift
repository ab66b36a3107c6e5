import API
import Arguments
import Connect
import Display
import JSON
import Secrets
import Store
import World

extension Shape {
  static var exchange: Shape {
    Shape(
      name: "token-exchange",
      record: RecordSchema(["user_id": .string, "token": .string, "saved": .bool, "profile": .string]),
      columns: [
        Column("USER", "user_id", overflow: .keep), Column("TOKEN", "token", overflow: .keep), Column("SAVED", "saved"),
        Column("PROFILE", "profile"),
      ], form: .one)
  }
}

enum TokenExchange: Command {
  struct Options: Sendable {
    var userID: String?
    var accessTokenFile: String?
    var serviceKeyFile: String?
    var inviteCode: String?
    var saves = true
    var printsAlone = false
    var reveals = false
  }

  static let name = "exchange"
  static let summary = "Get a user token for a user of your service, and keep it"
  static var discussion: [String] {
    [
      """
      Swaps your service key and the OAuth access token that your service issued to IFTTT for this user for an IFTTT user \
      token. The token is kept in the profile, sealed, and printed masked.
      """,
      """
      Before anything is sent the command has proved that it can write the token down. Of several runs at once for one \
      user one exchanges, and the others take what it got.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .userID(into: \.userID),
      .value(
        "access-token-file", .file, into: \.accessTokenFile,
        help: "Read the OAuth access token from this file, '-' for standard input (or set IFTTT_ACCESS_TOKEN)"),
      .value(
        "service-key-file", .file, into: \.serviceKeyFile,
        help: "Read the service key from this file, '-' for standard input (or set IFTTT_SERVICE_KEY)"),
      .inviteCode(into: \.inviteCode),
      .toggle("save", negatable: true, into: \.saves, defaultText: "on", help: "Keep the token in the profile"),
      .toggle("print", into: \.printsAlone, help: "Print the token and nothing else, for $(…)"),
      .toggle("reveal", into: \.reveals, help: "Print the token unmasked"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("token exchange --user-id u-5521 --access-token-file -", "the access token comes from a pipe"),
      ExampleSchema("token exchange --user-id u-5521 --print --no-save", "for $(…), with IFTTT_ACCESS_TOKEN set"),
    ]
  }
  static var shape: Shape? { .exchange }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile
    guard let user = try session.userID(options.userID) else {
      throw Problem(
        .credentialsMissing, "'token exchange' needs to know the user", hint: "Give --user-id or IFTTT_USER_ID.")
    }
    let client = try client(options, user, session)
    let accessToken = try accessToken(options, session)
    if session.options.isDryRun {
      return session.dryRun([try client.exchangeRequest(userID: user, accessToken: accessToken)])
    }
    let exchange = { () throws -> Secret in
      do throws(APIFailure) {
        return try client.exchange(userID: user, accessToken: accessToken)
      } catch {
        throw Problem(error, subject: "user '\(user)'")
      }
    }
    let token = options.saves ? try save(for: user, profile, session, exchange) : try exchange()
    if options.printsAlone || options.reveals { session.announce(token) }
    if options.printsAlone { return .text(token.revealed + "\n") }
    let row: JSONValue = [
      "user_id": JSONValue(user), "token": JSONValue(options.reveals ? token.revealed : token.masked),
      "saved": JSONValue(options.saves), "profile": JSONValue(profile.name),
    ]
    return .one(row.bytes, as: .exchange)
  }

  private static func client(_ options: Options, _ user: String, _ session: Session) throws -> ConnectClient {
    let kept = try session.serviceKey(file: options.serviceKeyFile)
    let key = try kept ?? session.ask(.serviceKey, for: "'token exchange'")
    var credentials = CredentialOptions()
    credentials.inviteCode = options.inviteCode
    return try session.connect(credentials, as: .service(key, userID: user))
  }

  private static func accessToken(_ options: Options, _ session: Session) throws -> Secret {
    if let given = try session.given(.accessToken, file: options.accessTokenFile) { return given }
    return try session.builtInAccessToken ?? session.ask(.accessToken, for: "'token exchange'")
  }

  /// Several processes may be told to do the same at once, as a CI matrix does. They take turns, and whoever comes second finds
  /// what the first one got meanwhile.
  private static func save(
    for user: String, _ profile: Profile, _ session: Session, _ exchange: () throws -> Secret
  ) throws -> Secret {
    let store = try session.store
    let began = session.world.clock.now()
    session.diagnose("exchanging for user '\(user)', one at a time")
    try session.world.files.makeFolder(store.places.data)
    return try session.world.files.locked(store.places.data + "/exchange.lock") {
      let kept = try store.credentials(profile: profile.name).first { $0.kind == .userToken && $0.userID == user }
      if let kept, kept.savedAt >= began,
        let token = try store.credential(.userToken, userID: user, profile: profile.name)
      {
        session.note("Another run has just exchanged this user's token.")
        return token
      }
      let token = try store.saving(.userToken, userID: user, profile: profile.name, obtain: exchange)
      if profile.settings[.userID] == nil {
        try store.save(Profile(name: profile.name, settings: [.userID: user]))
      }
      return token
    }
  }
}
