import Changes
import HTTP
import IFTTT
import Output
package import Session
import Store
import Text
import World

/// The exchange of the access tokens of many users: `token exchange --users`.
///
/// Tokens are stored in batches, because each transaction waits for the disk. The same transaction records in the
/// journal that the users are done, so a resumed run does not exchange stored tokens again. A user's row is printed
/// after the token is stored.
final class UserTokenExchange {
  /// The number of tokens per transaction.
  static let batchSize = 256
  /// The maximum time before a token is stored.
  static let batchDelay = Duration.seconds(1)

  private struct Pending {
    let userID: String
    let token: Secret
    let report: (UserResult) throws -> Void
  }

  private let client: any TokenExchangeClient
  private let store: Store
  private let profile: String
  private let world: World
  private let session: Session
  private let resumed: JournalRun?
  /// Nil before the run begins.
  private var journal: Journal?
  private var hasFailures = false
  private var pending: [Pending] = []
  /// The time of the oldest pending token.
  private var oldestTime = Duration.zero

  /// - Parameter resumes: whether to resume the last unfinished run.
  init(_ client: any TokenExchangeClient, resumes: Bool, in session: Session) throws {
    (self.client, self.session, world) = (client, session, session.world)
    (store, profile) = (try session.store, try session.profile.name)
    resumed = resumes ? try BatchJournal(session: session).resumable(overUsers: true) : nil
  }

  func output(_ options: UsersOptions) throws -> Output {
    var run = try UserRun(options, in: session)
    run.readsTokens = true
    run.isChange = true
    run.meanwhile = { [self] in try saveIfDue() }
    run.finish = { [self] in try save() }
    run.around = { [self] body in try journaled(body) }
    // Each exchange spends a token, so the store is checked before the first one.
    if !session.options.isDryRun { try store.prove(.userToken, userID: "", profile: profile) }
    var output = try run.output(as: .many(ExchangedUser.self)) { [self] user in
      guard let accessToken = user.accessToken, try !isDone(user.userID) else { return [] }
      session.recording?.note(accessToken, as: .accessToken)
      return [try item(user.userID, accessToken)]
    }
    let verdict = output.verdict
    output.verdict = { [self] in do { try verdict() } catch { throw withResumeAdvice(error) } }
    return output
  }

  /// Whether the resumed run has stored the user's token.
  private func isDone(_ userID: String) throws -> Bool {
    guard let resumed else { return false }
    return try JournalStore(store).items(of: resumed.number, user: userID).contains { !$0.isUnfinished }
  }

  /// Runs `body` with the lock of the run, and journals it.
  private func journaled(_ body: () throws -> Void) throws {
    var settings = RunSettings()
    settings.resumed = resumed
    settings.users = JournaledUsers(file: nil, targets: "[]")
    try BatchJournal(session: session).journaled(settings) { journal in
      self.journal = journal
      let end = Result { try body() }
      var state = JournalRun.State(ending: end)
      if state == .done, hasFailures { state = .failed }
      let journalEnd = Result { try journal.end(state) }
      do { try end.get() } catch { throw withResumeAdvice(error) }
      _ = try journalEnd.get()
    }
  }

  private func withResumeAdvice(_ error: any Error) -> any Error {
    guard journal?.isWritten == true else { return error }
    var problem = Problem.from(error)
    let advice: Hint =
      "Resume with --resume added to the same command; tokens that were stored are not exchanged again."
    problem.hint = Hint.joined([problem.hint, advice].compactMap { $0 })
    return problem
  }

  private func item(_ userID: String, _ accessToken: Secret) throws -> UserItem {
    let endpoint = try client.exchange(userID: userID, accessToken: accessToken)
    return UserItem { [self] report in
      endpoint.chain { [self] result in
        switch result {
        case .success(let token):
          if pending.isEmpty { oldestTime = world.clock.monotonic() }
          pending.append(Pending(userID: userID, token: token, report: report))
          if pending.count == Self.batchSize { try save() }
        case .failure(let error):
          hasFailures = true
          try report(.failed(.ofExchange(error, of: userID)))
        }
        return .end
      }
    }
  }

  /// - Returns: the time until tokens must be stored.
  private func saveIfDue() throws -> Duration? {
    guard !pending.isEmpty else { return nil }
    let age = world.clock.monotonic() - oldestTime
    guard age >= Self.batchDelay else { return Self.batchDelay - age }
    try save()
    return nil
  }

  private func save() throws {
    guard !pending.isEmpty else { return }
    let saved = pending
    pending = []
    try store.saveOrRecover(saved.map { ($0.userID, $0.token) }, as: .userToken, profile: profile, in: journal)
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
