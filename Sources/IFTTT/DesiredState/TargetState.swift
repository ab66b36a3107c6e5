package import JSON

/// The state that a subject should get.
package enum TargetState: Sendable, Equatable {
  /// As its entry in a file says. Whatever the entry does not name stays as it is.
  case entry(DesiredConnection)
  /// A status, settings, or both: ``UserStatus/unknown`` and nil stay as they are. Settings are whole, so those that it
  /// does not have are removed.
  case state(RecordedState)
  /// Fields of a plugin's connection, under the plugin's names. Its other fields are unknown and stay as they are.
  case values(JSONObject)

  package static func status(_ status: UserStatus) -> TargetState {
    .state(RecordedState(status: status, configuration: nil))
  }

  /// The position in the file; nil for any other target.
  package var place: String? {
    if case .entry(let entry) = self { entry.place } else { nil }
  }

  /// Nil if the status stays.
  package var status: UserStatus? {
    switch self {
    case .entry(let entry): entry.status
    case .state(let state):
      switch state.status {
      case .enabled: .enabled
      // No request returns a connection to the status before it was first enabled.
      case .disabled, .neverEnabled: .disabled
      case .unknown: nil
      }
    case .values: nil
    }
  }

  package var namesConfiguration: Bool {
    switch self {
    case .entry(let entry): !entry.features.isEmpty
    case .state(let state): state.configuration != nil
    case .values: true
    }
  }

  /// The same settings, whatever the status.
  package var settingsOnly: TargetState {
    switch self {
    case .entry(var entry):
      entry.status = nil
      return .entry(entry)
    case .state(let state): return .state(RecordedState(status: .unknown, configuration: state.configuration))
    case .values: return self
    }
  }
}

extension TargetState {
  /// As the journal records it.
  package var json: JSONValue {
    switch self {
    case .entry(let entry): entry.json
    case .state(let state): state.json
    case .values(let values): ["values": .object(values)]
    }
  }

  /// Reads a target that the journal recorded. Nil if it is not one.
  /// - Parameter place: the name of an entry in errors.
  package init?(_ json: JSONValue, at place: String) {
    if json["id"] != nil {
      guard let entry = try? DesiredConnection(document: json, at: place) else { return nil }
      self = .entry(entry)
    } else if let values = json["values"]?.object {
      self = .values(values)
    } else {
      guard let state = RecordedState(json) else { return nil }
      self = .state(state)
    }
  }
}
