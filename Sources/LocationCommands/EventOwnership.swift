import API
import CommandContext
import Connect
import HTTP
import JSON
import Location
import Store

/// The waiting events that were recorded under another user token: after a new sign-in they may be the same user's, or
/// those of somebody who used the profile before and whose places are nobody else's business.
///
/// A region's id belongs to one user, so whose connection has the region, his is the event.
final class EventOwnership {
  private let owner: String
  private let client: ConnectClient
  private let session: Session
  private var own: Set<String> = []
  /// Connections that were looked at.
  private var judged: Set<String> = []

  init(_ owner: String, _ client: ConnectClient, in session: Session) {
    (self.owner, self.client, self.session) = (owner, client, session)
  }

  /// Regions that are known to be this user's.
  func know(_ regions: [String]) { own.formUnion(regions) }

  /// Makes those this user's own that are.
  /// - Returns: why that is not known of all.
  func claim() throws -> Problem? {
    let profile = try session.profile.name
    let strays = try session.store.strayLocationEvents(besides: owner, profile: profile)
    var problem: Problem?
    var seen: Set<String> = []
    for stray in strays where seen.insert(stray.event.region).inserted {
      if !own.contains(stray.event.region), let id = stray.event.connection { problem = try look(at: id) ?? problem }
      if own.contains(stray.event.region) {
        try session.store.adoptLocationEvents(of: stray.event.region, by: owner, profile: profile)
      }
    }
    return problem
  }

  /// Reads a connection's regions as this user.
  private func look(at connection: String) throws -> Problem? {
    guard !judged.contains(connection), let id = ConnectionID(parsing: connection) else { return nil }
    do throws(APIError) {
      let raw = try client.show(id).raw
      judged.insert(connection)
      guard let json = try? JSONValue(parsing: raw) else { return nil }
      know(RegionReading.regions(of: json, id: connection).regions.map(\.id))
      return nil
    } catch .http(.interrupted) {
      throw try Problem.interrupted.beside(keptIn: session)
    } catch {
      if case .answer(let answer) = error, [.notFound, .forbidden].contains(answer.kind) {
        judged.insert(connection)
        return nil
      }
      return Problem(error, subject: "connection '\(connection)'")
    }
  }
}
