package import JSON
import Text

/// The state of a subject as it was read: a connection of IFTTT or of a provider, or an Applet.
package struct SubjectState: Sendable {
  package var status: UserStatus
  /// Nil if it is unknown.
  package var name: String?
  /// Whether it was activated without a configuration, so that it cannot be enabled again once it is disabled.
  package var isPending: Bool
  /// Whether the status could be read. Otherwise, a change is sent although it is unknown.
  package var isReadable = true
  /// The status before the change that this state is the response to, if the response has it.
  package var previous: UserStatus?
  /// The connection at IFTTT, with its settings; nil for a subject whose settings only its provider has.
  package var connection: Connection? {
    get { shared?.connection }
    set { shared = newValue.map(Shared.init) }
  }
  private var shared: Shared?

  /// A shared connection. Copying its many parts would take longer than the rest of a change.
  private final class Shared: Sendable {
    let connection: Connection
    init(_ connection: Connection) { self.connection = connection }
  }

  package init(status: UserStatus, name: String? = nil, isPending: Bool = false, connection: Connection? = nil) {
    (self.status, self.name, self.isPending) = (status, name, isPending)
    self.connection = connection
  }

  /// The state of a subject that cannot be read.
  package static var unreadable: SubjectState {
    var state = SubjectState(status: .unknown)
    state.isReadable = false
    return state
  }

  package init(_ connection: Connection, isPending: Bool) {
    self.init(status: connection.status, name: connection.name, isPending: isPending, connection: connection)
  }
}

/// The state that a subject should get.
package enum TargetState: Sendable, Equatable {
  /// The entry in a file. The parts that it does not name stay unchanged.
  case entry(DesiredConnection)
  /// A status, settings, or both: for ``UserStatus/unknown`` and nil, they stay unchanged. Settings are complete, so
  /// other settings are removed.
  case state(RecordedState)
  /// Fields of a plugin's connection, under the plugin's names. Its other fields are unknown and stay unchanged.
  case values(JSONObject)

  package static func status(_ status: UserStatus) -> TargetState {
    .state(RecordedState(status: status, configuration: nil))
  }

  /// The path in the file; nil for any other target.
  package var path: String? {
    if case .entry(let entry) = self { entry.path } else { nil }
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
  /// The target in the form of the journal.
  package var json: JSONValue {
    switch self {
    case .entry(let entry): entry.json
    case .state(let state): state.json
    case .values(let values): ["values": .object(values)]
    }
  }

  /// Reads a target that the journal recorded. Nil if it is not one.
  /// - Parameter path: the name of an entry in errors.
  package init?(_ json: JSONValue, at path: String) {
    if json["id"] != nil {
      guard let entry = try? DesiredConnection(document: json, at: path) else { return nil }
      self = .entry(entry)
    } else if let values = json["values"]?.object {
      self = .values(values)
    } else {
      guard let state = RecordedState(json) else { return nil }
      self = .state(state)
    }
  }
}

/// The state of a subject at one moment, as the journal and a plan record it.
package struct RecordedState: Sendable, Equatable {
  package var status: UserStatus
  /// Nil if IFTTT sent none, as while a connection is disabled.
  package var configuration: UserConnection?

  package init(status: UserStatus, configuration: UserConnection?) {
    (self.status, self.configuration) = (status, configuration)
  }

  package init(_ state: SubjectState) {
    self.init(status: state.status, configuration: state.connection?.userConnection)
  }

  /// Whether a subject is still in this state. Parts that are not recorded are ignored.
  package func isStill(_ present: SubjectState) -> Bool {
    guard status == .unknown || status == present.status else { return false }
    guard let configuration, let connection = present.connection, let stored = connection.userConnection else {
      return true
    }
    return ConfigurationForm(connection, stored).differences(to: stored.merged(with: configuration))
      .allSatisfy(\.isOnlyLocationText)
  }

  /// Nil if it is not a recorded state: a later version may write another form.
  package init?(_ json: JSONValue) {
    guard let status = json["status"]?.string.flatMap(UserStatus.init(rawValue:)) else { return nil }
    self.init(status: status, configuration: nil)
    guard let configuration = json["configuration"], !configuration.isNull else { return }
    guard let read = try? UserConnection(document: configuration) else { return nil }
    self.configuration = read
  }

  package var json: JSONValue {
    ["status": .string(status.rawValue), "configuration": configuration.flatMap(\.json) ?? .null]
  }
}

extension UserConnection {
  /// The configuration as in a connection's document.
  fileprivate var json: JSONValue? { try? JSONValue(parsing: document) }
}

/// A hash of a connection's state in its exported form. An entry of a file with the same hash has no differences, so
/// the cached response need not be read, nor the settings compared.
///
/// An equivalent entry in another form, such as an option given by its label, has another hash.
package struct StateDigest: Sendable, Equatable {
  /// 128 bits of a SHA-256.
  package let bytes: [UInt8]

  /// Nil if the entry has no status, or the status `unknown`.
  package init?(_ entry: DesiredConnection) {
    guard let status = entry.status, status != .unknown else { return nil }
    var writer = JSONWriter(reserving: 512)
    writer.beginArray()
    // A version of the program that compares in another way must write another number here.
    writer.value(2)
    writer.string(status.rawValue)
    for feature in entry.features {
      writer.beginArray()
      writer.string(feature.feature)
      writer.value(feature.isEnabled.map(JSONValue.bool) ?? .null)
      writer.beginObject()
      for field in feature.fields {
        writer.key(field.name)
        writer.value(field.value)
      }
      writer.endObject()
      writer.endArray()
    }
    writer.endArray()
    bytes = Array(SHA256.hash(writer.bytes).prefix(16))
  }

  /// Nil if the connection's status is unknown.
  package init?(_ connection: Connection) {
    // Whether a connection is pending is not compared.
    self.init(DesiredConnection(connection, isPending: false))
  }
}
