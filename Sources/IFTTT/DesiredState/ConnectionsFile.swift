package import JSON

/// The desired state of connections: what `connections export` writes, and `diff` and `apply` read.
package struct ConnectionsFile: Sendable, Equatable {
  package static let version = 1

  package var connections: DesiredConnections

  package init(connections: [DesiredConnection] = []) { self.connections = DesiredConnections(connections) }
}

/// The desired state of one connection. Whatever it does not name stays as it is.
package struct DesiredConnection: Sendable, Equatable {
  package var id: ConnectionID
  /// For the reader of the file only.
  package var name: String?
  package var status: UserStatus?
  /// Whether the connection was never configured. For the reader of the file only.
  package var isPending = false
  package var features: [DesiredFeature]
  /// The position in the file, such as `connections[3]`.
  package var place: String

  package init(
    id: ConnectionID, name: String? = nil, status: UserStatus? = nil, isPending: Bool = false,
    features: [DesiredFeature] = [], place: String = ""
  ) {
    (self.id, self.name, self.status, self.isPending) = (id, name, status, isPending)
    (self.features, self.place) = (features, place)
  }
}

/// The desired state of one user feature. User features of the same feature are matched by their order: their own ids
/// differ from user to user.
package struct DesiredFeature: Sendable, Equatable {
  package var feature: String
  /// For the reader of the file only.
  package var title: String?
  package var isEnabled: Bool?
  /// By name: the field's id, for a field of a step after the step's name and a dot. Null removes the value.
  package var fields: [(name: String, value: JSONValue)]

  package init(
    feature: String, title: String? = nil, isEnabled: Bool? = nil, fields: [(name: String, value: JSONValue)] = []
  ) {
    (self.feature, self.title, self.isEnabled, self.fields) = (feature, title, isEnabled, fields)
  }

  package static func == (a: DesiredFeature, b: DesiredFeature) -> Bool {
    a.feature == b.feature && a.title == b.title && a.isEnabled == b.isEnabled
      && a.fields.elementsEqual(b.fields) { $0.name == $1.name && $0.value == $1.value }
  }
}

/// The first error in a file of connections, and where it is.
package struct ConnectionsFileError: Error, Equatable {
  /// Such as `connections[3].features[0].fields.scene`, or `line 4, column 7`; empty for the whole file.
  package var place: String
  package var message: String

  package init(_ place: String, _ message: String) { (self.place, self.message) = (place, message) }
}
