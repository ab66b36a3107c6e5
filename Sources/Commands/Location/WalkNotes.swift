import Location

/// What of a walk is worth a note at its end.
struct WalkNotes {
  private(set) var faults = TrackFaults()
  /// How many events there were.
  private(set) var crossings = 0
  /// Those by positions less accurate than their region is wide.
  private var doubtful = 0
  private var jitter = JitterCount()

  mutating func add(fault reason: String, line: Int) { faults.add(reason, line: line) }

  /// - Parameter isTimed: whether the track itself has the time; without times of its own a whole day is one moment.
  mutating func add(_ crossing: Crossing, isTimed: Bool) {
    crossings += 1
    if crossing.isDoubtful { doubtful += 1 }
    if isTimed { jitter.add(crossing) }
  }

  func words(_ counts: FenceCounts, _ rules: FenceRules) -> [String] {
    var words = faults.notes(counts)
    if rules.hysteresis == 0, rules.dwell == .zero, let note = jitter.note { words.append(note) }
    if doubtful > 0 {
      let what = doubtful == 1 ? "1 event comes" : "\(doubtful) events come"
      words.append("\(what) from a position less accurate than the region is wide; --min-accuracy would skip it.")
    }
    return words
  }
}
