package import World

/// The schedule of a track: when to play each position, and which time to report for it.
package struct TrackClock: Sendable {
  package enum Speed: Sendable, Equatable {
    /// A multiple of the recorded speed.
    case times(Double)
    /// No waiting.
    case unlimited

    /// Parse `1x`, `0.5x`, `60` or `max`.
    package init?(parsing text: String) {
      guard text != "max" else {
        self = .unlimited
        return
      }
      var digits = text.hasSuffix("x") ? String(text.dropLast()) : text
      guard let factor = digits.withUTF8({ DecimalText.double(UnsafeRawBufferPointer($0)) }), factor > 0 else {
        return nil
      }
      self = .times(factor)
    }
  }

  package enum Times: Sendable {
    /// The recorded times.
    case recorded
    /// All times shifted equally, so that the first position is now. Intervals are preserved, and with them
    /// everything that depends on intervals. If played faster than recorded, later positions are reported in the
    /// future.
    case shifted
  }

  /// The schedule of one position.
  package struct ScheduledPosition: Sendable, Equatable {
    /// The time to wait before the position.
    package var wait: Duration
    /// The time to report for it.
    package var time: Timestamp
    /// Whether the time is the current time because the track has had no times so far, or is on an assumed date.
    package var isAssumed = false
  }

  private let speed: Speed
  private let times: Times
  /// The first position with a time: that time, the moment it was played, and the clock's reading then.
  private var start: (time: Timestamp, moment: Timestamp, reading: Duration)?
  /// The last reported time, and whether it was on an assumed date.
  private var last: (time: Timestamp, isAssumed: Bool)?

  package init(speed: Speed, times: Times) { (self.speed, self.times) = (speed, times) }

  /// Determine when a position is due and which time to report for it.
  ///
  /// A position without a time is due immediately. Its time is the current time or, if the track has times, that of
  /// the previous position. So it is never later than the times that follow.
  /// - Parameters:
  ///   - isAssumed: Whether the date was assumed. The first real date in a track starts the schedule again.
  ///   - now: The time of the wall clock.
  ///   - reading: The reading of the monotonic clock, which waits are measured with.
  package mutating func schedule(
    _ time: Timestamp?, isAssumed: Bool = false, now: Timestamp, reading: Duration
  ) -> ScheduledPosition {
    guard let time else {
      return ScheduledPosition(wait: .zero, time: last?.time ?? now, isAssumed: last?.isAssumed ?? true)
    }
    if let last, last.isAssumed != isAssumed { start = (time, max(now, last.time), reading) }
    let start = start ?? (time, now, reading)
    self.start = start
    let elapsed = Duration.milliseconds(time.milliseconds.clampedDifference(from: start.time.milliseconds))
    let reported =
      switch times {
      case .recorded: time
      case .shifted: start.moment + elapsed
      }
    last = (reported, isAssumed)
    guard case .times(let factor) = speed else {
      return ScheduledPosition(wait: .zero, time: reported, isAssumed: isAssumed)
    }
    let seconds = Double(elapsed.wholeMilliseconds) / 1000 / factor
    // The difference does not matter beyond a thousand years.
    let due = start.reading + .seconds(min(max(seconds, -3e10), 3e10))
    return ScheduledPosition(wait: max(.zero, due - reading), time: reported, isAssumed: isAssumed)
  }
}

extension Int64 {
  fileprivate func clampedDifference(from other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < other ? .min : .max) : difference
  }
}

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
