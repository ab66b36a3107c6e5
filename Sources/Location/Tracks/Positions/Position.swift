package import Time

/// Where something was, and when.
package struct Position: Sendable, Equatable {
  package var coordinate: Coordinate
  /// Nil where the source says nothing of time.
  package var time: Timestamp?
  /// Whether `time` is when it came, since neither its source nor any before it had one: it says nothing of the order.
  package var isTimeAssumed = false
  /// Whether `time` is only a time of day, on the first day of 1970 and those after it, since its source told no date.
  /// ``AssumedDate`` gives it one.
  package var lacksDate = false
  /// The radius in metres within which the true place lies, as its source estimates it; nil where it does not.
  package var accuracy: Double?

  package init(_ coordinate: Coordinate, at time: Timestamp? = nil, accuracy: Double? = nil) {
    (self.coordinate, self.time, self.accuracy) = (coordinate, time, accuracy)
  }
}
