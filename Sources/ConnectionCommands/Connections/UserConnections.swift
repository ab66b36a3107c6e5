import Changes
import HTTP
import IFTTT
import Output
import Session
import Store
import Text
import World

/// The connections of many users: `connections show` and `connections list` with `--users`.
///
/// Nothing is written to the cache, which belongs to the profile's own user.
struct UserConnections {
  let ids: [ConnectionID]
  /// Only connections with one of these statuses; all connections if it is empty.
  var statuses: [Connection.Status] = []
  let credentials: CredentialOptions
  let users: UsersOptions
  let session: Session

  /// - Parameter reports: the files that report the results.
  func output(_ reports: [ReportFile]) throws -> Output {
    let command = "'\(session.path.joined(separator: " "))'"
    try rejectOffline()
    let authentication = try UserAuthentication(credentials, for: command, in: session)
    let client = try session.network.connect(credentials, as: authentication.shared)
    var run = try UserRun(users, reports: reports, in: session)
    run.stop = authentication.stop
    let tracked = try Dictionary(
      uniqueKeysWithValues: Set(ids).map {
        ($0, try session.store.isTracked($0.description, profile: session.profile.name))
      })
    return try run.output(as: .connections.withUsers) { user in
      let requests: ConnectRequests
      switch try authentication.authentication(of: user) {
      case .success(let found): requests = client.requests(as: found)
      case .failure(let problem): return [.failed(problem)]
      }
      return ids.map { id in
        let request = requests.show(id)
        return UserItem(ids.count == 1 ? nil : id.description) { report in
          .send(request) { result in
            switch client.connection(id, in: result, to: request) {
            case .success(let fetched):
              try report(.done(row(fetched.connection, of: user, isTracked: tracked[id] == true)))
            case .failure(let error): try report(.failed(Problem(error, subject: "connection '\(id)'")))
            }
            return .end
          }
        }
      }
    }
  }

  private func rejectOffline() throws {
    guard try session.network.isCutOff else { return }
    throw Problem(
      .network, "--users needs IFTTT", reason: "the cache has the connections of one user only",
      hint: "Run the command without --offline.")
  }

  /// The row of a connection; none if its status was not requested.
  private func row(_ connection: Connection, of user: UserEntry, isTracked: Bool) -> [[UInt8]] {
    guard statuses.isEmpty || statuses.contains(connection.status) else { return [] }
    // The profile's record of pending connections is about the profile's own user.
    let document = connection.document(pending: connection.showsNothingConfigured)
    let row = ConnectionRow.complete(
      document, tracked: isTracked, stale: false, fetchedAt: session.world.clock.now())
    return [user.adding(to: row)]
  }
}
