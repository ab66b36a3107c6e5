import API
import Batch
package import CommandContext
import Connect
import DesiredState
import HTTP
import Users

extension OutputSchema {
  /// The differences of runs over users.
  package static var usersDifferences: OutputSchema { .many(UserRow<DifferenceRow>.self) }
}

/// The comparison of a file with the connections of many users: `connections diff --users`.
final class UserDiff {
  private let file: ConnectionsFile
  private let session: Session
  private var count = 0

  init(_ file: ConnectionsFile, in session: Session) { (self.file, self.session) = (file, session) }

  func output(_ users: UsersOptions, _ credentials: CredentialOptions, _ reports: [ReportFile]) throws -> Output {
    let clients = try UserClients(credentials, isStatusOnly: false, for: "'connections diff'", in: session)
    var run = try UserRun(users, reports: reports, in: session)
    run.stop = clients.stop(changes: false)
    var output = try run.output(as: .usersDifferences) { [self] user in
      switch try clients.reader(of: user) {
      case .failure(let problem): return [.failed(problem)]
      case .success(let client):
        return file.connections.map { entry in
          UserItem(file.connections.count == 1 ? nil : entry.id.description) { [self] report in
            client.chain(showing: entry.id) { [self] result in
              switch result {
              case .failure(let failure): return try end(report, failure, of: entry.id)
              case .success(let answer): return try compare(entry, answer.connection, user, client, report)
              }
            }
          }
        }
      }
    }
    let verdict = output.verdict
    output.verdict = { [self] in
      try verdict()
      guard session.options.usesExitCode, count > 0 else { return }
      throw Problem(.differs, count == 1 ? "1 difference" : "\(count) differences")
    }
    return output
  }

  private func compare(
    _ entry: DesiredConnection, _ present: Connection, _ user: UserEntry, _ client: ConnectClient,
    _ report: @escaping (UserResult) throws -> Void, _ options: [ConfigurationStep: FieldOptions] = [:]
  ) throws -> RequestChain {
    let plan = ConnectionPlan(.entry(entry), present, isPending: present.showsNothingConfigured, options)
    if let step = plan.missingOptions.first(where: { options[$0] == nil }) {
      return client.chain(optionsOf: step, of: entry.id) { [self] result in
        switch result {
        case .failure(let failure): return try end(report, failure, of: entry.id)
        case .success(let found):
          return try compare(entry, present, user, client, report, options.merging([step: found]) { $1 })
        }
      }
    }
    if let problem = plan.problem {
      try report(.failed(problem))
    } else {
      count += plan.differences.count
      try report(.done(plan.differences.map { UserRow(DifferenceRow(difference: $0), of: user.userID).bytes }))
    }
    return .end
  }

  private func end(
    _ report: (UserResult) throws -> Void, _ failure: APIError, of id: ConnectionID
  ) throws -> RequestChain {
    try report(.failed(Problem(failure, subject: "connection '\(id)'")))
    return .end
  }
}
