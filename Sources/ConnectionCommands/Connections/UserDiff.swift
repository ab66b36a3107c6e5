import Changes
import HTTP
import IFTTT
package import Session

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
    let connections = try ConnectSubjects(
      credentials, isStatusOnly: false, isOverUsers: true, for: "'connections diff'", in: session)
    let reader = SubjectReader(at: ChangeProviders { _ in connections }, in: session)
    var run = try UserRun(users, reports: reports, in: session)
    run.stop = connections.stopOfReading
    var output = try run.output(as: .usersDifferences) { [self] user in
      file.connections.map { entry in
        UserItem(file.connections.count == 1 ? nil : entry.id.description) { [self] report in
          var request = SubjectChange.Request(
            Subject(id: entry.id.description, userID: user.userID), .entry(entry))
          request.allowsRemoval = true
          return try reader.chain(request) { [self] found in
            switch found {
            case .ended(let result): try report(result.problem.map { .failed($0) } ?? .done([]))
            case .plan(_, let plan):
              count += plan.differences.count
              try report(.done(plan.differences.map { UserRow(DifferenceRow(difference: $0), of: user.userID).bytes }))
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
}
