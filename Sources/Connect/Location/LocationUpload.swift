package import API
package import HTTP
import JSON
package import Time

/// A region's being entered or left, as IFTTT is told of it.
package struct LocationEvent: Sendable, Equatable {
  /// A UUID, the same however often the event is sent.
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

/// The call that brings location events to IFTTT: on a host of its own, as the user, with no header but two (reference:
/// location.md, section 3).
package struct LocationUpload {
  /// The most events of one request (C21).
  package static let most = 20

  private let caller: APIClient
  private let installation: String

  /// - Parameters:
  ///   - caller: of the location API.
  ///   - installation: stays the same for this installation.
  package init(caller: APIClient, installation: String) { (self.caller, self.installation) = (caller, installation) }

  /// POST /v1/location_events. Any 2xx is success, whatever the answer holds (U10).
  /// - Parameters:
  ///   - now: the wall clock, for a `Retry-After` with a date where the server sends no `Date`.
  ///   - patience: what the server says of when to ask again (`Retry-After`).
  /// - Throws: ``APIError/needs(_:)`` without a user token.
  package func send(_ events: [LocationEvent], now: Timestamp, patience: inout Duration?) throws(APIError) {
    patience = nil
    try caller.ask(request(events)) { response throws(APIError) in
      patience = response.retryAfter(now: now)
      try response.succeeded()
    }
  }

  /// The request alone, for `--dry-run`. It may be repeated: IFTTT knows an event again by its id.
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
      .post, caller.base.appending("v1").appending("location_events"),
      headers: [credential, Header("Content-Type", "application/json")], body: body.bytes, isRepeatable: true)
    request.needsStatusAlone = true
    return request
  }
}
