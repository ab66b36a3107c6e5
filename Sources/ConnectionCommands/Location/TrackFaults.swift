import Location
import Session
import Text

/// The unusable parts of a track, collected for one note at the end.
struct TrackFaults {
  private(set) var count = 0
  private var first: (reason: String, line: Int)?

  mutating func add(_ reason: String, line: Int) {
    count += 1
    first = first ?? (reason, line)
  }

  /// Throws if the track has no usable position.
  func checkForAny(_ counts: FenceCounts) throws {
    guard counts.used + counts.skipped == 0 else { return }
    let words = count > 0 ? "the track has no usable position" : "the track has no positions"
    throw Problem(.refused, words, hint: "Check that the file is a track.")
  }

  func notes(_ counts: FenceCounts) -> [Hint] {
    var notes: [Hint] = []
    func add(_ count: Int, _ words: Hint) {
      if count > 0 { notes.append("\(count == 1 ? "1 position" : "\(count) positions") skipped: \(words).") }
    }
    if let first { add(count, "invalid, the first in line \(first.line): \(first.reason)") }
    add(counts.outOfOrder, "earlier than the previous one")
    add(
      counts.beforeRemembered,
      "earlier than the last one stored by --remember; to clear it, run \(ifttt: "location reset")")
    add(counts.inaccurate, "less accurate than --min-accuracy")
    add(counts.withoutTime, "without a time, which --dwell requires")
    add(counts.invalid, "with an invalid accuracy")
    return notes
  }
}
