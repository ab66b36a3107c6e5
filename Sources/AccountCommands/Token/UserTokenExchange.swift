import API
import Batch
package import CommandContext
import Display
import HTTP
import Hints
import Secrets
import Store
import Users
import World

/// The exchange of the access tokens of many users: `token exchange --users`.
///
/// Tokens are stored in transactions of many, because each transaction waits for the disk. A user's row is printed
/// after the token is stored.
final class UserTokenExchange {
  /// The number of tokens per transaction.
  static let batch = 256
  /// The longest time that a token waits for its transaction.
  static let patience = Duration.seconds(1)

  private struct Pending {
    let userID: String
    let token: Secret
    let report: (UserResult) throws -> Void
  }

  private let client: ExchangeClient
  private let store: Store
  private let profile: String
  private let world: World
  private var pending: [Pending] = []
  private var oldest = Duration.zero

  init(_ client: ExchangeClient, in session: Session) throws {
    (self.client, world) = (client, session.world)
    (store, profile) = (try session.store, try session.profile.name)
  }

  func output(_ options: UsersOptions, _ reports: [ReportFile], in session: Session) throws -> Output {
    var run = try UserRun(options, reports: reports, in: session)
    run.readsTokens = true
    run.isChange = true
    run.meanwhile = { [self] in try saveIfDue() }
    run.finish = { [self] in try save() }
    // Each exchange spends a token, so the store is checked before the first one.
    if !session.options.isDryRun { try store.prove(.userToken, userID: "", profile: profile) }
    return try run.output(as: .many(ExchangedUser.self)) { [self] user in
      guard let accessToken = user.accessToken else { return [] }
      session.recording?.note(accessToken, as: .accessToken)
      return [try item(user.userID, accessToken)]
    }
  }

  private func item(_ userID: String, _ accessToken: Secret) throws -> UserItem {
    let request = try client.request(userID, accessToken)
    return UserItem { [self] report in
      .send(request) { [self] result in
        switch client.token(in: result, to: request) {
        case .success(let token):
          if pending.isEmpty { oldest = world.clock.monotonic() }
          pending.append(Pending(userID: userID, token: token, report: report))
          if pending.count == Self.batch { try save() }
        case .failure(let error): try report(.failed(.ofExchange(error, of: userID)))
        }
        return .end
      }
    }
  }

  /// - Returns: the time until tokens must be stored.
  private func saveIfDue() throws -> Duration? {
    guard !pending.isEmpty else { return nil }
    let age = world.clock.monotonic() - oldest
    guard age >= Self.patience else { return Self.patience - age }
    try save()
    return nil
  }

  private func save() throws {
    guard !pending.isEmpty else { return }
    let saved = pending
    pending = []
    try store.keep(saved.map { ($0.userID, $0.token) }, as: .userToken, profile: profile)
    for entry in saved {
      try entry.report(.done([ExchangedUser(userID: entry.userID).bytes]))
    }
  }
}

/// A user whose token was obtained and stored.
package struct ExchangedUser: OutputRecord {
  let userID: String

  package static let fields: Fields = [
    Field("user_id", "The user's id on your service", column: "USER", overflow: .keep) { $0.userID },
    Field("saved", "Whether the user token was stored", column: "SAVED") { _ in true },
  ]
}
