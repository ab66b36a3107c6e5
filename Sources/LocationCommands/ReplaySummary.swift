import Hints
import Location
import Time
import World

/// What of a walk is worth a note at its end.
struct ReplaySummary {
  private(set) var faults = TrackFaults()
  private(set) var events = 0
  /// Those by positions less accurate than their region is wide.
  private var doubtful = 0
  private var jitter = JitterDetector()
  /// Events that another walk had already reported or made obsolete.
  private var dropped = 0
  /// How many positions the track has, and how many of them without a time.
  private var positions = 0
  private var untimed = 0

  mutating func add(fault reason: String, line: Int) { faults.add(reason, line: line) }

  /// - Parameter position: as it stands in the track.
  mutating func add(_ position: Position) {
    positions += 1
    if position.time == nil { untimed += 1 }
  }

  mutating func add(_ recorded: EventDelivery.Recorded) {
    dropped += recorded.dropped
    events += recorded.events.count
    for event in recorded.events {
      if event.crossing.isDoubtful { doubtful += 1 }
      jitter.add(event.crossing)
    }
  }

  func words(_ counts: FenceCounts, _ rules: FenceRules) -> [Hint] {
    var words = faults.notes(counts)
    // Without times of its own a whole day is one moment.
    if rules.hysteresis == 0, rules.dwell == .zero, untimed == 0, let note = jitter.note { words.append(Hint(note)) }
    if doubtful > 0 {
      let what = doubtful == 1 ? "1 event comes" : "\(doubtful) events come"
      words.append("\(what) from a position less accurate than the region is wide; --min-accuracy would skip it.")
    }
    if dropped > 0 {
      let what = dropped == 1 ? "1 event was" : "\(dropped) events were"
      words.append("\(what) not reported: another run with --remember has already reported this, or a later position.")
    }
    return words
  }

  /// What was assumed of the track's times.
  /// - Parameter assumed: the first time whose date was assumed.
  func timeWords(_ options: LocationReplay.Options, isLive: Bool, assumed: Timestamp?) -> [Hint] {
    var words: [Hint] = []
    if let assumed, options.times == .kept { words.append(Hint(assumed.assumedDateNote)) }
    guard untimed > 0 else { return words }
    guard untimed == positions else {
      let what = untimed == 1 ? "1 position has" : "\(untimed) positions have"
      return words + ["\(what) no time; the previous position's time is used, or else the current time."]
    }
    // A live position is current, so it needs no note.
    if !isLive { words.append("The track has no times; the current time is used for its positions.") }
    if options.speed != .unlimited { words.append("--speed has no effect on a track without times.") }
    return words
  }
}

extension Timestamp {
  /// For a track whose first position got this time with a date that was assumed.
  var assumedDateNote: String {
    "The track has times of day but no date; \(rfc3339.prefix(10)) (UTC) is assumed for its first position."
  }
}
