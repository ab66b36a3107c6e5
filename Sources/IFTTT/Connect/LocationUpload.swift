import HTTP
import JSON
package import Location
import World

/// The request that sends location events to IFTTT: to a separate host, as the user, with only two headers
/// (docs/api/location.md §3).
package struct LocationUpload {
  /// The maximum number of events per request, as on iOS (docs/api/location.md §3 and §9).
  package static let most = 20

  private let caller: APIClient
  private let installation: String

  /// - Parameters:
  ///   - caller: the client of the location API.
  ///   - installation: a fixed id of this installation.
  package init(caller: APIClient, installation: String) { (self.caller, self.installation) = (caller, installation) }

  /// POST /v1/location_events. Any 2xx is success, whatever its body (docs/api/connect.md U10). It is idempotent: IFTTT
  /// recognizes an event by its id.
  /// - Parameter events: events that the store has recorded.
  /// - Throws: ``APIError/needs(_:)`` without a user token.
  package func report(_ events: [LocationEvent]) throws(APIError) -> Endpoint<Void> {
    let authentication = caller.template.authentication
    guard case .user = authentication, let credential = authentication.header else { throw .needs(.user) }
    let body = JSONValue.array(
      events.map { event in
        guard let recordID = event.recordID, let occurredAt = event.occurredAt else {
          preconditionFailure("only recorded events are sent")
        }
        return [
          "record_id": .string(recordID),
          "region_type": "geo",
          "occurred_at": .string(occurredAt.rfc3339),
          "event_type": .string(event.kind.rawValue),
          "channel_id": "941030000",
          "trigger_subscription_id": .string(event.region),
          "installation_id": .string(installation),
        ]
      })
    var request = Request(
      .post, caller.template.base.appending("v1", "location_events"),
      headers: [credential, Header("Content-Type", "application/json")], body: body.bytes, isRepeatable: true)
    request.needsStatusAlone = true
    return caller.endpoint(request) { response throws(APIError) in try response.succeeded() }
  }
}
