package import Time

/// Assumes a date for a track that tells only times of day, so that its intervals are kept.
package struct AssumedDate: Sendable {
  /// The time of the first position that needed one.
  package private(set) var first: Timestamp?
  private var shift: Int64?

  private static let day: Int64 = 86_400_000
  /// A receiver's clock may be ahead of this machine's.
  private static let margin: Int64 = 600_000

  package init() {}

  /// A position with a date: its own, or the latest at which the first one is not in the future.
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
