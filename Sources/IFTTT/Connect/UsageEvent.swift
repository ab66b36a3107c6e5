package import JSON
package import World

/// One usage event as IFTTT's SDKs send it (reference: events-and-privacy.md, section 1).
///
/// It consists of the fixed names below and one connection's id. It contains no text from the user or a server.
package struct UsageEvent: Sendable, Equatable {
  package enum Name: String, Sendable {
    case impression = "sdk.impression"
    case click = "sdk.click"
    case pageViewed = "sdk.pageviewed"
    case stateChange = "sdk.statechange"
  }

  /// The subject of an event.
  package enum Object: Sendable, Equatable {
    case connection(ObjectID, Connection.Status)
    /// The e-mail address field of a connection.
    case email(ObjectID)
  }

  /// The place where it happened: always the Connect Button of a connection.
  package struct Location: Sendable, Equatable {
    fileprivate let button: ObjectID
    package init(button: ObjectID) { self.button = button }
  }

  package enum State: String, Sendable { case created, enabled }

  /// A connection's id with a plausible form: at most 16 letters and digits (all known ids have 8). Other values that
  /// might appear in its place (an address, a token, a host, a coordinate) are rejected.
  package struct ObjectID: Sendable, Equatable {
    fileprivate let text: String

    package init?(_ id: ConnectionID) {
      let text = id.description
      let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: false
        }
      }
      guard isPlain, (1...16).contains(text.utf8.count) else { return nil }
      self.text = text
    }
  }

  private let name: Name
  private let object: Object?
  private let location: Location
  private let state: State?

  package init(_ name: Name, _ object: Object?, at location: Location, state: State? = nil) {
    (self.name, self.object, self.location, self.state) = (name, object, location, state)
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
    case .connection(let id, let status):
      properties += [("object_type", "connection"), ("object_id", id.text)]
      // "unknown" is this program's own value for a missing status.
      if status != .unknown { properties.append(("object_status", status.rawValue)) }
    case .email(let id): properties += [("object_type", "connection_email"), ("object_id", id.text)]
    case nil: break
    }
    properties += [("location_type", "connect_button"), ("location_id", location.button.text)]
    if let state { properties.append(("state", state.rawValue)) }
    return properties
  }
}
