package import World

/// A location and its time.
package struct Position: Sendable, Equatable {
  package var coordinate: Coordinate
  /// The time, or nil if the source has none.
  package var time: Timestamp?
  /// Whether `time` is the time of arrival, because neither the source nor any earlier position had a time. Such a
  /// time says nothing about the order.
  package var isTimeAssumed = false
  /// Whether `time` is that of the track's first position with a time, because this position is before it and has none.
  package var isTimeBorrowed = false
  /// Whether `time` is only a time of day, on January 1, 1970 or a following day, because the source has no date.
  /// ``AssumedDate`` adds a date.
  package var lacksDate = false
  /// The estimated radius in meters that contains the true location, or nil if the source gives none.
  package var accuracy: Double?

  package init(_ coordinate: Coordinate, at time: Timestamp? = nil, accuracy: Double? = nil) {
    (self.coordinate, self.time, self.accuracy) = (coordinate, time, accuracy)
  }
}
