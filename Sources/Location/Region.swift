/// A circular region that a connection's trigger monitors.
package struct Region: Sendable, Equatable {
  /// The transitions that trigger an event.
  package enum Direction: String, Sendable, CaseIterable {
    case entry, exit, both
  }

  /// The id of the user feature's trigger, which events refer to.
  package var id: String
  package var direction: Direction
  package var center: Coordinate
  /// The radius in meters, greater than zero.
  package var radius: Double
  /// The user's name for the place, or its address.
  package var label: String?
  package var connection: String
  /// The id of the user feature it belongs to.
  package var feature: String

  package init(
    id: String, direction: Direction, center: Coordinate, radius: Double, label: String? = nil, connection: String,
    feature: String
  ) {
    (self.id, self.direction, self.center, self.radius) = (id, direction, center, radius)
    (self.label, self.connection, self.feature) = (label, connection, feature)
  }
}
