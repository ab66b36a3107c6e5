import Location
import Text
import World

/// The facts about a replay that are noted at its end.
struct ReplaySummary {
  private(set) var faults = TrackFaults()
  private(set) var events = 0
  /// The number of events from positions whose accuracy is worse than the width of the region.
  private var doubtful = 0
  private var jitter = JitterDetector()
  /// The number of events that another run had already reported or made obsolete.
  private var dropped = 0
  /// The number of positions in the track, and of those without a time.
  private var positions = 0
  private var untimed = 0

  mutating func add(fault reason: String, line: Int) { faults.add(reason, line: line) }

  /// - Parameter position: A position as it is in the track.
  mutating func add(_ position: Position) {
    positions += 1
    if position.time == nil || position.isTimeBorrowed { untimed += 1 }
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
    // Without times in the track, a whole day collapses into one moment.
    if rules.hysteresis == 0, rules.dwell == .zero, untimed == 0, let note = jitter.note { words.append(Hint(note)) }
    if doubtful > 0 {
      let what = doubtful == 1 ? "1 event comes" : "\(doubtful) events come"
      words.append(
        "\(what) from a position whose accuracy is worse than the region's radius; --min-accuracy would skip it.")
    }
    if dropped > 0 {
      let what = dropped == 1 ? "1 event was" : "\(dropped) events were"
      words.append(
        "\(what) not reported: another run with --remember has already processed this position or a later one.")
    }
    return words
  }

  /// Notes on the assumptions made about the track's times.
  /// - Parameter assumed: The first time whose date was assumed.
  func timeWords(_ options: LocationReplay.Options, isLive: Bool, assumed: Timestamp?) -> [Hint] {
    var words: [Hint] = []
    if let assumed, options.times == .kept { words.append(Hint(assumed.assumedDateNote)) }
    guard untimed > 0 else { return words }
    guard untimed == positions else {
      let what = untimed == 1 ? "1 position has" : "\(untimed) positions have"
      let substitute =
        isLive
        ? "the previous position's time is used, or the current time if there is none"
        : "the time of the previous position is used, or of the next one if there is none"
      return words + ["\(what) no time; \(substitute)."]
    }
    // A live position is current, so it needs no note.
    if !isLive { words.append("The track has no times; the current time is used for its positions.") }
    if options.speed != .unlimited { words.append("--speed has no effect on a track without times.") }
    return words
  }
}

extension Timestamp {
  /// A note for a track whose first position has this time with an assumed date.
  var assumedDateNote: String {
    "The track has times of day but no date; \(rfc3339.prefix(10)) (UTC) is assumed for its first position."
  }
}
