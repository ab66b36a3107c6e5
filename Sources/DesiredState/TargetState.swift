import API
package import Connect
package import JSON

/// The state that a connection should get.
package enum TargetState: Sendable, Equatable {
  /// As its entry in a file says. Whatever the entry does not name stays as it is.
  case entry(DesiredConnection)
  /// The whole state of an earlier moment, to which an undo returns.
  case earlier(ConnectionID, RecordedState)

  package var id: ConnectionID {
    switch self {
    case .entry(let entry): entry.id
    case .earlier(let id, _): id
    }
  }

  /// The position in the file; nil for an undo.
  package var place: String? {
    if case .entry(let entry) = self { entry.place } else { nil }
  }

  /// Nil if the status stays.
  var status: UserStatus? {
    switch self {
    case .entry(let entry): entry.status
    case .earlier(_, let state):
      switch state.status {
      case .enabled: .enabled
      // No request returns a connection to the status before it was first enabled.
      case .disabled, .neverEnabled: .disabled
      case .unknown: nil
      }
    }
  }

  var namesConfiguration: Bool {
    switch self {
    case .entry(let entry): !entry.features.isEmpty
    case .earlier(_, let state): state.configuration != nil
    }
  }
}

extension TargetState {
  /// As the journal records it.
  package var json: JSONValue {
    switch self {
    case .entry(let entry): entry.json
    case .earlier(_, let state): state.json
    }
  }

  /// Reads a target of this connection that the journal recorded. Nil if it is not one.
  /// - Parameter place: the name of an entry in errors.
  package init?(_ json: JSONValue, of id: ConnectionID, at place: String) {
    if json["id"] != nil {
      guard let entry = try? DesiredConnection(document: json, at: place), entry.id == id else { return nil }
      self = .entry(entry)
    } else {
      guard let state = RecordedState(json) else { return nil }
      self = .earlier(id, state)
    }
  }
}
