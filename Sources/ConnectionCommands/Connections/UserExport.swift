import Changes
import HTTP
import IFTTT
import JSON
package import Session

extension OutputSchema {
  /// The lines of an export of many users.
  package static var usersExports: OutputSchema { .many(UserRow<UserExport.Line>.self) }
}

/// The state of connections of many users: `connections export --users` prints a line for each user.
struct UserExport {
  let ids: [ConnectionID]
  let session: Session

  /// One user's connections as a file.
  struct Line: OutputRecord {
    let file: ConnectionsFile

    static let fields: Fields = [
      Field("version", "The version of the form") { _ in ConnectionsFile.version },
      Field("connections", "The connections, as in the file of 'connections export'") {
        $0.file.json["connections"] ?? []
      },
    ]
  }

  func output(_ users: UsersOptions, _ credentials: CredentialOptions, _ reports: [ReportFile]) throws -> Output {
    let connections = try ConnectSubjects(
      credentials, isStatusOnly: false, isOverUsers: true, for: "'connections export'", in: session)
    var run = try UserRun(users, reports: reports, in: session)
    run.stop = connections.stopOfReading
    var output = try run.output(as: .usersExports) { user in
      [UserItem { report in try read(ids[...], of: user, connections, report) }]
    }
    // JSON Lines by default, since a table cannot show files.
    if case .rows(let rows, let schema) = output.body { output.body = .events(rows, schema) }
    return output
  }

  /// Reads the connections of a user one after the other. A user without all of them has no line.
  private func read(
    _ rest: ArraySlice<ConnectionID>, of user: UserEntry, _ connections: ConnectSubjects,
    _ report: @escaping (UserResult) throws -> Void, _ entries: [DesiredConnection] = []
  ) throws -> RequestChain {
    guard let id = rest.first else {
      try report(.done([UserRow(Line(file: ConnectionsFile(connections: entries)), of: user.userID).bytes]))
      return .end
    }
    return try connections.read(Subject(id: id.description, userID: user.userID), isFresh: false) { result in
      switch result {
      case .failure(let problem):
        try report(.failed(problem))
        return .end
      case .success(let state):
        let entry = [state.exported].compactMap(\.self)
        return try read(rest.dropFirst(), of: user, connections, report, entries + entry)
      }
    }
  }
}
