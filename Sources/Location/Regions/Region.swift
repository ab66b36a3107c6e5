/// A circle that a connection's trigger watches.
package struct Region: Sendable, Equatable {
  /// Which of the two events the trigger wants to hear of.
  package enum Direction: String, Sendable, CaseIterable {
    case entry, exit, both
  }

  /// The id of the user feature's trigger, to which events refer.
  package var id: String
  package var direction: Direction
  package var centre: Coordinate
  /// In metres, more than zero.
  package var radius: Double
  /// What the user called the place, or its address.
  package var label: String?
  package var connection: String
  /// The user feature it belongs to.
  package var feature: String

  package init(
    id: String, direction: Direction, centre: Coordinate, radius: Double, label: String? = nil, connection: String,
    feature: String
  ) {
    (self.id, self.direction, self.centre, self.radius) = (id, direction, centre, radius)
    (self.label, self.connection, self.feature) = (label, connection, feature)
  }
}
