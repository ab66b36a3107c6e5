import API
import Batch
package import CommandContext
import Connect
import DesiredState
import HTTP
import JSON
import Users

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
    let clients = try UserClients(credentials, isStatusOnly: false, for: "'connections export'", in: session)
    var run = try UserRun(users, reports: reports, in: session)
    run.stop = clients.stop(changes: false)
    var output = try run.output(as: .usersExports) { user in
      switch try clients.reader(of: user) {
      case .failure(let problem): return [.failed(problem)]
      case .success(let client):
        return [UserItem { report in try fetch(ids[...], of: user, client, report) }]
      }
    }
    // JSON Lines by default, since a table cannot show files.
    if case .rows(let rows, let schema) = output.body { output.body = .events(rows, schema) }
    return output
  }

  /// Fetches the connections of a user one after the other. A user without all of them has no line.
  private func fetch(
    _ rest: ArraySlice<ConnectionID>, of user: UserEntry, _ client: ConnectClient,
    _ report: @escaping (UserResult) throws -> Void, _ found: [DesiredConnection] = []
  ) throws -> RequestChain {
    guard let id = rest.first else {
      try report(.done([UserRow(Line(file: ConnectionsFile(connections: found)), of: user.userID).bytes]))
      return .end
    }
    return client.chain(showing: id) { result in
      switch result {
      case .failure(let failure):
        try report(.failed(Problem(failure, subject: "connection '\(id)'")))
        return .end
      case .success(let answer):
        let connection = answer.connection
        let state = DesiredConnection(
          connection, isPending: connection.status == .enabled && connection.showsNothingConfigured)
        return try fetch(rest.dropFirst(), of: user, client, report, found + [state])
      }
    }
  }
}
