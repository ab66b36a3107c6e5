import Changes
import CommandLine
import HTTP
import IFTTT
import Session
import Store
import Text
import World

/// A user token from an exchange.
private struct ExchangedToken: OutputRecord {
  let userID: String
  /// Masked unless the user asked for the token itself.
  let token: String
  let isSaved: Bool
  let profile: String

  static let fields: Fields = [
    Field("user_id", "The user's id on your service", column: "USER") { $0.userID },
    Field("token", "The user token, masked unless --reveal is passed", column: "TOKEN") { $0.token },
    Field("saved", "Whether the token was stored", column: "SAVED") { $0.isSaved },
    Field("profile", "The profile", column: "PROFILE") { $0.profile },
  ]
}

enum TokenExchange: Command {
  struct Options: OptionsWithUsers {
    var userID: String?
    var accessTokenFile: String?
    var serviceKeyFile: String?
    var inviteCode: String?
    var api = APIVersion.v2
    var service: String?
    var saves = true
    var printsAlone = false
    var reveals = false
    var resumes = false
    var users = UsersOptions()
  }

  /// The version of IFTTT's API that receives the request.
  enum APIVersion: String, Sendable, CaseIterable { case v1, v2 }

  static let name = "exchange"
  static let summary = "Get and store an IFTTT user token for a user of your service"
  static var discussion: [String] {
    [
      """
      Exchanges two credentials for an IFTTT user token: your service key, and the OAuth access token that your \
      service issued to IFTTT for this user. The user token is stored encrypted in the profile and printed masked.
      """,
      """
      The command verifies that it can write to the store before it sends the request. Concurrent runs for the same \
      user share one exchange. The user becomes the profile's user if it has none.
      """,
      """
      With --users, exchanges the access token of each user in a file with the columns user_id and access_token, and \
      stores each user token under its user id. No token is printed. --resume continues such a run with the same file: \
      users whose token it has stored are skipped.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .userID(into: \.userID),
      .credentialFile(.accessToken, into: \.accessTokenFile),
      .credentialFile(.serviceKey, into: \.serviceKeyFile),
      .inviteCode(into: \.inviteCode),
      .value(
        "api", .oneOf(APIVersion.self, placeholder: "VERSION"), into: \.api, defaultText: "v2",
        help: "API to use: the Connect API (v2) or the older Applets API (v1)"),
      .service(into: \.service),
      .toggle("save", negatable: true, into: \.saves, defaultText: "on", help: "Store the token in the profile"),
      .toggle("print", into: \.printsAlone, help: "Print only the token, for $(…)"),
      .toggle("reveal", into: \.reveals, help: "Print the token unmasked"),
      .toggle("resume", into: \.resumes, help: "Resume the last run with --users that was interrupted or failed"),
    ] + .lifted(UsersOptions.flags, into: \.users)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("token exchange --user-id u-5521 --access-token-file -", "read the access token from stdin"),
      ExampleSchema("token exchange --api v1 --service lampost --user-id u-5521", "use the older Applets API"),
      ExampleSchema(
        "token exchange --user-id u-5521 --print --no-save", "print only the token, with IFTTT_ACCESS_TOKEN set"),
      ExampleSchema("token exchange --users users.csv --rate 50/s", "store the tokens of many users"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? {
    var shape = OutputSchema.one(ExchangedToken.self)
    shape.alternative = { .many(ExchangedUser.self) }
    return shape
  }

  static func check(_ options: Options) throws(Conflict) {
    let others = [
      ("print", options.printsAlone), ("reveal", options.reveals),
      ("access-token-file", options.accessTokenFile != nil),
      ("no-save", !options.saves),
    ]
    try options.users.check(without: others.filter(\.1).map(\.0))
    guard options.users.file == nil else { return }
    if options.resumes { throw Conflict("--resume needs --users", options: ["resume"]) }
    if options.users.shards.choice != nil { throw Conflict("--shard needs --users", options: ["shard"]) }
    if options.users.rate != nil { throw Conflict("--rate needs --users", options: ["rate"]) }
  }

  static func check(_ reports: [ReportFile], with options: Options) throws(Conflict) {
    if options.users.file == nil { throw Conflict("--report needs --users", options: ["report"]) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.credentials.require(needs(options), for: purpose(options))
    if options.users.file != nil {
      return try UserTokenExchange(client(options, nil, session), resumes: options.resumes, in: session)
        .output(options.users)
    }
    let profile = try session.profile
    let credentials = session.credentials
    let user = try credentials.userID(options.userID) ?? ""
    let client = try client(options, user, session)
    let accessToken = try credentials.required(
      .accessToken, file: options.accessTokenFile, for: purpose(options))
    if session.options.isDryRun {
      return session.dryRun([try client.exchange(userID: user, accessToken: accessToken).request])
    }
    let exchange = { () throws -> Secret in
      do throws(APIError) { return try client.exchange(userID: user, accessToken: accessToken).send() } catch {
        throw Problem.ofExchange(error, of: user, credentials.origin(of: accessToken))
      }
    }
    let token = options.saves ? try save(for: user, profile, session, exchange) : try exchange()
    if options.printsAlone || options.reveals { session.console.announce(token) }
    if options.printsAlone { return .text(token.revealed + "\n") }
    return .one(
      ExchangedToken(
        userID: user, token: options.reveals ? token.revealed : token.masked, isSaved: options.saves,
        profile: profile.name))
  }

  /// The command's name in errors.
  private static func purpose(_ options: Options) -> String {
    options.api == .v1 ? "'token exchange --api v1'" : "'token exchange'"
  }

  /// The required credentials. With --users, the file contains the id and the access token of each user.
  private static func needs(_ options: Options) -> [CredentialNeed] {
    let isForOne = options.users.file == nil
    return (options.api == .v1 ? [.service(options.service)] : [])
      + (isForOne ? [.userID(options.userID)] : [])
      + [.secret(.serviceKey, file: options.serviceKeyFile)]
      + (isForOne ? [.secret(.accessToken, file: options.accessTokenFile)] : [])
  }

  private static func client(_ options: Options, _ user: String?, _ session: Session) throws -> any TokenExchangeClient
  {
    let key = try session.credentials.required(
      .serviceKey, file: options.serviceKeyFile, for: purpose(options))
    var credentials = CredentialOptions()
    credentials.inviteCode = options.inviteCode
    let service = session.credentials.located(.service(key, userID: user), credentials)
    guard options.api == .v1 else { return try session.network.connect(service) }
    return AppletsClient(
      caller: try session.network.caller(.api, service), service: try session.credentials.service(options.service))
  }

  /// Exchanges and saves a token under a lock, so that concurrent processes, such as the jobs of a CI matrix, share one
  /// exchange. If the process that holds the lock dies, the next one exchanges the token itself.
  private static func save(
    for user: String, _ profile: Profile, _ session: Session, _ exchange: () throws -> Secret
  ) throws -> Secret {
    let store = try session.store
    // Do not compare times to detect a newer token: the clock may have been set back in the meantime.
    func savedAt() throws -> Timestamp? {
      try store.credentials(profile: profile.name).first { $0.kind == .userToken && $0.userID == user }?.savedAt
    }
    let before = try savedAt()
    session.console.diagnose("exchanging for user '\(user)', one at a time")
    return try store.withExchangeLock {
      let now = try savedAt()
      if now != nil, now != before,
        let token = try store.credential(.userToken, userID: user, profile: profile.name)
      {
        session.console.note("Used the token that a concurrent run obtained for this user.")
        return token
      }
      // Save both in one transaction, so that nothing can fail between saving the token and reporting it.
      return try store.saving(
        .userToken, userID: user, profile: profile.name,
        settings: profile.settings[.userID] == nil ? [.userID: user] : [:], obtain: exchange)
    }
  }
}

extension Problem {
  /// The failure of an exchange. Another exchange would fail too, so the hint names the credentials that were sent.
  /// - Parameter origin: the origin of the access token, for the message.
  static func ofExchange(_ failure: APIError, of user: String, _ origin: String? = nil) -> Problem {
    var problem = Problem(failure, subject: "user '\(user)'")
    if problem.code == .unauthorized, !problem.isSkip {
      problem.message += " or the access token" + (origin.map { " from \($0)" } ?? "")
      problem.hint = """
        Check the user id and the access token, which your service must have issued for this user, and the service \
        key: \(ifttt: "token verify --as service").
        """
    }
    return problem
  }
}
