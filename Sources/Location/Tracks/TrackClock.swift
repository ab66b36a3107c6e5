package import Time

/// Decides when each position of a track is played, and at which time it is said to have been.
package struct TrackClock: Sendable {
  package enum Speed: Sendable, Equatable {
    /// So many times as fast as it was recorded.
    case times(Double)
    /// Without waiting.
    case unlimited

    /// `1x`, `0.5x`, `60` or `max`.
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
    /// As they were recorded.
    case kept
    /// All by as much as makes the first one now. The intervals stay, and so what depends on them; faster than it was
    /// recorded, later positions are then said to be in the future.
    case shifted
  }

  /// What to do about a position.
  package struct Turn: Sendable, Equatable {
    /// How long to wait before it.
    package var wait: Duration
    /// Its time from now on.
    package var time: Timestamp
    /// Whether it is now since the track has said nothing of time so far, or on a date that was assumed.
    package var isAssumed = false
  }

  private let speed: Speed
  private let times: Times
  /// Of the first position with a time: that time, when it was played, and the clock's reading then.
  private var start: (time: Timestamp, moment: Timestamp, reading: Duration)?
  /// The time that was given last, and whether the track's own time was on an assumed date.
  private var last: (time: Timestamp, isAssumed: Bool)?

  package init(speed: Speed, times: Times) { (self.speed, self.times) = (speed, times) }

  /// Says when a position is due and which time it gets.
  ///
  /// One without a time is due at once: its time is now, or where others of the track have times, that of the one before
  /// it, so that it is never later than those that follow.
  /// - Parameters:
  ///   - isAssumed: whether its date was assumed. The first date that a track tells is a new start.
  ///   - now: by the wall clock.
  ///   - reading: of the monotonic clock, which waits are measured by.
  package mutating func turn(
    of time: Timestamp?, isAssumed: Bool = false, now: Timestamp, reading: Duration
  ) -> Turn {
    guard let time else {
      return Turn(wait: .zero, time: last?.time ?? now, isAssumed: last?.isAssumed ?? true)
    }
    if let last, last.isAssumed != isAssumed { start = (time, max(now, last.time), reading) }
    let start = start ?? (time, now, reading)
    self.start = start
    let elapsed = Duration.milliseconds(time.milliseconds.clampedDifference(from: start.time.milliseconds))
    let given =
      switch times {
      case .kept: time
      case .shifted: start.moment - (.zero - elapsed)
      }
    last = (given, isAssumed)
    guard case .times(let factor) = speed else { return Turn(wait: .zero, time: given, isAssumed: isAssumed) }
    let seconds = Double(elapsed.wholeMilliseconds) / 1000 / factor
    // Beyond a thousand years nobody waits for the difference.
    let due = start.reading + .seconds(min(max(seconds, -3e10), 3e10))
    return Turn(wait: max(.zero, due - reading), time: given, isAssumed: isAssumed)
  }
}

extension Int64 {
  fileprivate func clampedDifference(from other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < other ? .min : .max) : difference
  }
}
