package import HTTP
import JSON
package import World

/// A region transition, as reported to IFTTT.
package struct LocationEvent: Sendable, Equatable {
  /// A UUID that stays the same however often the event is sent.
  package var recordID: String
  /// `entry` or `exit`.
  package var kind: String
  package var occurredAt: Timestamp
  /// The id of the user feature's trigger.
  package var trigger: String

  package init(recordID: String, kind: String, occurredAt: Timestamp, trigger: String) {
    (self.recordID, self.kind, self.occurredAt, self.trigger) = (recordID, kind, occurredAt, trigger)
  }
}

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

  /// POST /v1/location_events. Any 2xx is success, whatever its body (docs/api/connect.md U10).
  /// - Parameters:
  ///   - now: the wall clock, for a `Retry-After` with a date if the server sends no `Date`.
  ///   - retryAfter: the wait that the server requests (`Retry-After`).
  /// - Throws: ``APIError/needs(_:)`` without a user token.
  package func send(_ events: [LocationEvent], now: Timestamp, retryAfter: inout Duration?) throws(APIError) {
    retryAfter = nil
    try caller.send(request(events)) { response throws(APIError) in
      retryAfter = response.retryAfter(now: now)
      try response.succeeded()
    }
  }

  /// The request only, for `--dry-run`. It is idempotent: IFTTT recognizes an event by its id.
  package func request(_ events: [LocationEvent]) throws(APIError) -> Request {
    guard case .user = caller.authentication, let credential = caller.authentication.header else { throw .needs(.user) }
    let body = JSONValue.array(
      events.map { event in
        [
          "record_id": .string(event.recordID),
          "region_type": "geo",
          "occurred_at": .string(event.occurredAt.rfc3339),
          "event_type": .string(event.kind),
          "channel_id": "941030000",
          "trigger_subscription_id": .string(event.trigger),
          "installation_id": .string(installation),
        ]
      })
    var request = Request(
      .post, caller.base.appending("v1", "location_events"),
      headers: [credential, Header("Content-Type", "application/json")], body: body.bytes, isRepeatable: true)
    request.needsStatusAlone = true
    return request
  }
}
