package import HTTP
package import JSON
import Text
package import World

/// One usage event as IFTTT's SDKs send it (docs/api/events-and-privacy.md §1).
///
/// It consists of the fixed names below and one connection's id. It contains no text from the user or a server.
package struct UsageEvent: Sendable, Equatable {
  package enum Name: String, Sendable {
    case impression = "sdk.impression"
    case click = "sdk.click"
    case pageViewed = "sdk.pageviewed"
    case stateChange = "sdk.statechange"
  }

  /// The type of an event's subject.
  package enum Object: Sendable, Equatable {
    case connection(Connection.Status)
    /// The e-mail address field of a connection.
    case email
  }

  package enum State: String, Sendable { case created, enabled }

  /// A connection's id with a plausible form: at most 16 letters and digits (all known ids have 8). Other values that
  /// might appear in its place (an address, a token, a host, a coordinate) are rejected.
  package struct ObjectID: Sendable, Equatable {
    fileprivate let text: String

    package init?(_ id: ConnectionID) {
      let text = id.description
      guard text.utf8.allSatisfy(\.isLetterOrDigit), (1...16).contains(text.utf8.count) else { return nil }
      self.text = text
    }
  }

  private let name: Name
  /// The connection on whose Connect Button it happened, which is also the connection of the object.
  private let id: ObjectID
  private let object: Object?
  private let state: State?

  package init(_ name: Name, of id: ObjectID, _ object: Object? = nil, state: State? = nil) {
    (self.name, self.id, self.object, self.state) = (name, id, object, state)
  }

  /// - Parameter moment: sent as a string of milliseconds since 1970.
  package func json(at moment: Timestamp) -> JSONValue {
    [
      "name": .string(name.rawValue), "timestamp": .string(String(moment.milliseconds)),
      "properties": .object(JSONObject(members: properties.map { ($0.key, .string($0.value)) })),
    ]
  }

  /// A key without a value is omitted, as on iOS.
  private var properties: [(key: String, value: String)] {
    var properties: [(key: String, value: String)] = []
    switch object {
    case .connection(let status):
      properties += [("object_type", "connection"), ("object_id", id.text)]
      // "unknown" is this program's own value for a missing status.
      if status != .unknown { properties.append(("object_status", status.rawValue)) }
    case .email: properties += [("object_type", "connection_email"), ("object_id", id.text)]
    case nil: break
    }
    properties += [("location_type", "connect_button"), ("location_id", id.text)]
    if let state { properties.append(("state", state.rawValue)) }
    return properties
  }
}

/// A moment of the Connect Button's flow that the SDKs report, if it has an equivalent on a command line
/// (docs/api/events-and-privacy.md §2).
package enum UsageMoment: Sendable, Equatable {
  /// The button was drawn.
  case buttonShown(ConnectionID, Connection.Status)
  /// The user was prompted for an e-mail address.
  case emailRequested(ConnectionID)
  /// An e-mail address is available. It is not part of the event.
  case emailConfirmed(ConnectionID)
  /// The browser is opened to connect, or `enable` is sent. Carries the previous status.
  case connecting(ConnectionID, Connection.Status)
  /// The connection is enabled. Carries the previous status.
  case connected(ConnectionID, before: Connection.Status)
  /// `disable` is sent. Carries the previous status.
  case disconnecting(ConnectionID, Connection.Status)

  private var id: ConnectionID {
    switch self {
    case .buttonShown(let id, _), .emailRequested(let id), .emailConfirmed(let id), .connecting(let id, _),
      .connected(let id, _), .disconnecting(let id, _):
      id
    }
  }

  /// The events to report; empty if the id does not look like a connection's.
  package var events: [UsageEvent] {
    guard let id = UsageEvent.ObjectID(id) else { return [] }
    return switch self {
    case .buttonShown(_, let status): [UsageEvent(.impression, of: id, .connection(status))]
    case .emailRequested: [UsageEvent(.impression, of: id, .email)]
    case .emailConfirmed: [UsageEvent(.click, of: id, .email)]
    case .connecting(_, let status), .disconnecting(_, let status):
      [UsageEvent(.click, of: id, .connection(status))]
    case .connected(_, let before):
      [
        UsageEvent(
          .stateChange, of: id, .connection(.enabled), state: before == .neverEnabled ? .created : .enabled),
        UsageEvent(.pageViewed, of: id),
      ]
    }
  }
}

/// The request that sends usage events to IFTTT (docs/api/events-and-privacy.md §1).
package struct UsageUpload {
  /// The maximum number of events per request, as on iOS.
  package static let most = 10

  private let base: WebURL
  private let identity: SDKIdentity

  /// - Parameter base: the base URL of the Connect API, without the version segment.
  package init(base: WebURL, identity: SDKIdentity) { (self.base, self.identity) = (base, identity) }

  /// POST /v2/sdk/events, without credentials. Any 2xx accepts the events, whatever its body (docs/api/connect.md U10).
  /// - Parameter events: each a JSON object, the oldest first.
  package func request(_ events: [[UInt8]]) -> Request {
    let template = RequestTemplate(base: base, authentication: .anonymous, inviteCode: nil, identity: identity)
    var writer = JSONWriter()
    writer.beginObject()
    writer.members("events", events) { event, writer in writer.raw(event) }
    writer.endObject()
    let url = base.appending("v2", "sdk", "events")
    return Request(
      .post, url, headers: template.headers + [Header("Content-Type", "application/json")], body: writer.bytes,
      isRepeatable: false)
  }
}
