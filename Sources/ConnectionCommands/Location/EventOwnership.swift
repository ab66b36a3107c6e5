import HTTP
import IFTTT
import JSON
import Location
import Session
import Store

/// Finds the owner of queued events that were recorded under another user token. After a new sign-in they may belong
/// to the same user. They may also belong to a previous user of the profile, whose locations must not be disclosed.
///
/// A region's id belongs to exactly one user, so an event belongs to the user whose connection has the region.
final class EventOwnership {
  private let owner: String
  private let client: ConnectClient
  private let session: Session
  private var own: Set<String> = []
  /// Connections that were already checked.
  private var evaluated: Set<String> = []

  init(_ owner: String, _ client: ConnectClient, in session: Session) {
    (self.owner, self.client, self.session) = (owner, client, session)
  }

  /// Adds regions that are known to belong to this user.
  func add(_ regions: [String]) { own.formUnion(regions) }

  /// Assigns to this user the events whose regions are this user's.
  /// - Returns: Why some owners could not be determined; nil if all were.
  func assign() throws -> Problem? {
    let profile = try session.profile.name
    let strays = try session.store.foreignLocationEvents(besides: owner, profile: profile)
    var problem: Problem?
    var seen: Set<String> = []
    for stray in strays where seen.insert(stray.event.region).inserted {
      if !own.contains(stray.event.region), let id = stray.event.connection { problem = try check(at: id) ?? problem }
      if own.contains(stray.event.region) {
        try session.store.adoptLocationEvents(of: stray.event.region, by: owner, profile: profile)
      }
    }
    return problem
  }

  /// Fetches a connection's regions as this user.
  private func check(at connection: String) throws -> Problem? {
    guard !evaluated.contains(connection), let id = ConnectionID(parsing: connection) else { return nil }
    do throws(APIError) {
      let raw = try client.show(id).raw
      evaluated.insert(connection)
      guard let json = try? JSONValue(parsing: raw) else { return nil }
      add(RegionReading.regions(of: json, id: connection).regions.map(\.id))
      return nil
    } catch .http(.interrupted) {
      throw try Problem.interrupted.beside(keptIn: session)
    } catch {
      if case .answer(let answer) = error, [.notFound, .forbidden].contains(answer.kind) {
        evaluated.insert(connection)
        return nil
      }
      return Problem(error, subject: "connection '\(connection)'")
    }
  }
}
