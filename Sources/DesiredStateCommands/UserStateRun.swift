import Batch
import CommandContext
import Connect
import DesiredState
import Hints
import Store
import Users
import World

/// Gives connections of many users their target states, as one journaled run.
final class UserStateRun {
  /// What one connection of a user should become.
  struct Aim {
    var target: TargetState
    /// The state that it must still have; nil if any.
    var expected: RecordedState?
  }

  let session: Session
  /// Nil in a dry run, and before the run begins.
  private(set) var journal: UsersJournal?
  var hasFailures = false

  private let clients: UserClients
  private let allowsRemoval: Bool
  private let resumed: JournalRun?
  /// The number of the run that this one undoes.
  private let undone: Int64?
  private let shard: Shard?

  /// - Parameters:
  ///   - allowsRemoval: whether settings may be removed.
  ///   - resumed: the unfinished run that is continued.
  ///   - undone: the number of the run that this one undoes.
  init(
    _ clients: UserClients, allowsRemoval: Bool, resuming resumed: JournalRun?, undoing undone: Int64? = nil,
    shard: Shard? = nil,
    in session: Session
  ) {
    (self.clients, self.allowsRemoval, self.resumed) = (clients, allowsRemoval, resumed)
    (self.undone, self.shard, self.session) = (undone, shard, session)
  }

  /// - Parameter aims: what each of a user's connections should become, or why this is unknown.
  func output(
    _ run: UserRun, aims: @escaping (UserEntry) throws -> [Result<Aim, Problem>]
  ) throws -> Output {
    var run = run
    run.isChange = true
    run.stop = clients.stop(changes: true)
    run.around = { [self] body in try journaled(body) }
    var output = try run.output(as: .usersChanges) { [self] user in
      switch try clients.reader(of: user) {
      case .failure(let problem): return [failed(problem)]
      case .success(let client):
        let aims = try aims(user)
        return try aims.compactMap { aim in
          switch aim {
          case .failure(let problem): return failed(problem)
          case .success(let aim): return try item(aim, of: user, client, isNamed: aims.count > 1)
          }
        }
      }
    }
    let verdict = output.verdict
    output.verdict = { [self] in do { try verdict() } catch { throw advised(error) } }
    return output
  }

  private func failed(_ problem: Problem) -> UserItem {
    hasFailures = true
    return .failed(problem)
  }

  /// Nil if an earlier part of the run has finished with the connection.
  private func item(_ aim: Aim, of user: UserEntry, _ client: ConnectClient, isNamed: Bool) throws -> UserItem? {
    let id = aim.target.id
    let earlier = try journal?.earlier(user.userID, id.description)
    if let earlier, !earlier.isUnfinished { return nil }
    return UserItem(isNamed ? id.description : nil) { [self] report in
      StateChange(
        client: client, changing: { [self] in try clients.changer(of: user, client) }, allowsRemoval: allowsRemoval,
        run: UserStateChange(user, self, expecting: aim.expected, earlier: earlier, report: report)
      ).chain(to: aim.target)
    }
  }

  /// Runs `body` with the lock of the run, and journals it.
  private func journaled(_ body: () throws -> Void) throws {
    let journals = BatchJournal(session: session)
    var (beginning, lock) = try journals.beginning(isForced: allowsRemoval)
    (beginning.undoes, beginning.shard) = (undone, shard?.description)
    if let resumed { lock = resumed.lock }
    try journals.alone(on: lock) {
      let store = try session.store
      let journal: UsersJournal
      if let resumed {
        journal = try UsersJournal(resuming: resumed, profile: beginning.profile, in: store)
      } else {
        journal = UsersJournal(beginning, in: store)
      }
      self.journal = journal
      let end = Result { try body() }
      if let resumed, !hasFailures, case .success = end { return try endResumed(resumed, journal) }
      var state: JournalRun.State = hasFailures ? .failed : .done
      if case .failure = end { state = .interrupted }
      let closing = Result { try journal.end(state) }
      try end.get()
      try closing.get()
    }
  }

  /// - Throws: `conflict` if the command has other connections or users than the run that it resumed.
  private func endResumed(_ run: JournalRun, _ journal: UsersJournal) throws {
    let left = try journal.endResumed()
    guard left > 0 else { return }
    throw Problem(
      .conflict,
      left == 1
        ? "1 change of the resumed run is not part of this command"
        : "\(left) changes of the resumed run are not part of this command",
      reason: "the run was started with 'ifttt \(run.words)'",
      hint: "Resume it with the same connections, file and users.")
  }

  private func advised(_ error: any Error) -> any Error {
    guard journal?.isWritten == true else { return error }
    var problem = Problem(error)
    let advice: Hint = "Resume with --resume added to the same command; completed changes are not sent again."
    problem.hint = Hint.joined([problem.hint, advice].compactMap { $0 })
    return problem
  }
}

extension Session {
  /// Confirms a change to more than one user, with their number.
  /// - Parameter users: the number of users; nil if it is unknown.
  func confirm(changeOf connections: Int, users: () throws -> Int?) throws {
    guard !options.saysYes, !options.isDryRun else { return }
    guard let count = try users() else {
      throw Problem(
        .refused, "confirmation required", reason: "the number of users on stdin is unknown",
        hint: "Pass --yes, or a file with --users FILE.")
    }
    let what = connections == 1 ? "1 connection" : "\(connections) connections"
    if count > 1 { try console.confirm("Change \(what) of each of \(count) users?") }
  }
}
