package import API
package import Batch
package import CommandContext
package import Connect
import DesiredState
import Store
package import Users

extension OutputSchema {
  /// The changes of runs over users.
  package static var usersChanges: OutputSchema { .many(UserRow<ChangeRow<ConnectionID>>.self) }
}

/// Changes that are the same for each of many users: `connections enable`, `disable` and `apply` with `--users`.
package struct UserStateChanges {
  private let users: UsersOptions
  private let credentials: CredentialOptions
  private let reports: [ReportFile]
  private let session: Session
  private var purpose: String { "'\(session.path.joined(separator: " "))'" }

  package init(
    _ users: UsersOptions, _ credentials: CredentialOptions, _ reports: [ReportFile], in session: Session
  ) {
    (self.users, self.credentials, self.reports, self.session) = (users, credentials, reports, session)
  }

  /// Gives these connections a status.
  /// - Parameter resumes: whether the command's last unfinished run over users continues.
  package func output(_ status: UserStatus, _ ids: [ConnectionID], resumes: Bool) throws -> Output {
    try output(
      ids.map { .entry(DesiredConnection(id: $0, status: status, place: "connection '\($0)'")) }, isStatusOnly: true,
      allowsRemoval: false, resumes: resumes)
  }

  func output(
    _ targets: [TargetState], isStatusOnly: Bool = false, allowsRemoval: Bool, resumes: Bool
  ) throws -> Output {
    let clients = try UserClients(credentials, isStatusOnly: isStatusOnly, for: purpose, in: session)
    let shard = try users.shards.shard(in: session)
    let resumed = resumes ? try BatchJournal(session: session).resumable(overUsers: true, shard: shard) : nil
    if !resumes { try session.confirm(changeOf: targets.count) { try users.count(in: session) } }
    let run = UserStateRun(clients, allowsRemoval: allowsRemoval, resuming: resumed, shard: shard, in: session)
    return try run.output(UserRun(users, reports: reports, in: session)) { _ in
      targets.map { .success(UserStateRun.Aim(target: $0)) }
    }
  }
}
