package import World

/// The assumed date of a track that has only times of day, so that its intervals are preserved.
package struct AssumedDate: Sendable {
  /// The time of the first position that needed a date.
  package private(set) var first: Timestamp?
  private var shift: Int64?

  private static let day: Int64 = 86_400_000
  /// The tolerance for a receiver whose clock is ahead of this machine's.
  private static let margin: Int64 = 600_000

  package init() {}

  /// Complete a position with a date, unless it has one: the latest date that does not put the first position in the
  /// future.
  package mutating func complete(_ position: Position, now: Timestamp) -> Position {
    guard position.lacksDate, let time = position.time?.milliseconds else { return position }
    let days = (Double(now.milliseconds) + Double(Self.margin) - Double(time)) / Double(Self.day)
    let shift = shift ?? Int64(days.rounded(.down)) * Self.day
    self.shift = shift
    var complete = position
    complete.time = Timestamp(milliseconds: time + shift)
    (complete.lacksDate, complete.isTimeAssumed) = (false, true)
    first = first ?? complete.time
    return complete
  }
}
