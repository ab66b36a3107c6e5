import World

/// The order of a file's items. Segments are taken in the order of their first times, because programs write the newest
/// track first, or one track per device. Positions before the first time of the track get that time.
///
/// A segment without times keeps its place after the segment before it. A segment that repeats the one before it is
/// skipped: it would report each event twice.
struct SegmentOrder {
  /// The maximum number of positions that are held. Those of a longer track that follow keep the file's order.
  static let limit = 500_000
  /// The number of positions that ``next(into:)`` appends.
  private static let batchCount = 4096

  /// A position in half the memory, since a long track is held as a whole.
  private struct HeldPosition: Equatable {
    private let coordinate: Coordinate
    private let milliseconds: Int64
    private let accuracy: Double

    init(_ position: Position) {
      coordinate = position.coordinate
      milliseconds = position.time?.milliseconds ?? .min
      accuracy = position.accuracy ?? .infinity
    }

    var position: Position {
      Position(
        coordinate, at: milliseconds == .min ? nil : Timestamp(milliseconds: milliseconds),
        accuracy: accuracy.isFinite ? accuracy : nil)
    }
  }

  private struct Segment {
    var places: Range<Int>
    /// The first time of its positions.
    var start: Timestamp?
  }

  /// Whether segments are sorted. If not, only positions before the first time are held.
  private let sortsSegments: Bool
  /// The held positions, in chunks, so that they are never copied to a larger array.
  private var chunks: [[HeldPosition]] = []
  private var count = 0
  private var segments: [Segment] = []
  /// Whether nothing is held any more.
  private var isPassing = false
  private var hasEnded = false
  /// The next segment to emit, and the next position in it.
  private var (turn, place) = (0, 0)
  /// The time of positions before the first one with a time; nil once there was one.
  private var firstTime: Timestamp?
  /// The number of positions in repeated segments.
  private(set) var repeated = 0

  init(sortsSegments: Bool) { self.sortsSegments = sortsSegments }

  /// Add items in the file's order, and append those that are not held.
  mutating func add(_ items: [TrackItem], into found: inout [TrackItem]) {
    guard !isPassing else {
      found += items
      return
    }
    for (index, item) in items.enumerated() {
      switch item {
      case .broken: found.append(item)
      case .segment: segments.append(Segment(places: count..<count))
      case .position(let position):
        if !sortsSegments, let time = position.time {
          firstTime = time
          release(lackingDate: position.lacksDate, into: &found)
          found += items[index...]
          return
        }
        hold(position)
        guard count < Self.limit else {
          release(lackingDate: false, into: &found)
          found += items[(index + 1)...]
          return
        }
      }
    }
  }

  /// Arrange what is held, after the end of the input or an error.
  mutating func finish() {
    guard !hasEnded else { return }
    hasEnded = true
    sort()
  }

  /// Append some of the held items, in order; false if there are none.
  mutating func next(into found: inout [TrackItem]) -> Bool {
    guard hasEnded, turn < segments.count else { return false }
    emit(Self.batchCount, lackingDate: false, into: &found)
    return true
  }

  private mutating func hold(_ position: Position) {
    if segments.isEmpty { segments.append(Segment(places: 0..<0)) }
    if chunks.last.map({ $0.count == Self.batchCount }) ?? true {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.batchCount)
    }
    chunks[chunks.count - 1].append(HeldPosition(position))
    count += 1
    let last = segments.count - 1
    segments[last].places = segments[last].places.lowerBound..<count
    if segments[last].start == nil { segments[last].start = position.time }
  }

  /// Emit everything that is held, and hold nothing any more.
  private mutating func release(lackingDate: Bool, into found: inout [TrackItem]) {
    sort()
    while turn < segments.count { emit(Self.limit, lackingDate: lackingDate, into: &found) }
    (chunks, segments, turn, isPassing) = ([], [], 0, true)
  }

  private mutating func sort() {
    var keys: [Int64] = []
    for segment in segments { keys.append(segment.start?.milliseconds ?? keys.last ?? .min) }
    let order = segments.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    var sorted: [Segment] = []
    for segment in order.map({ segments[$0] }) where !segment.places.isEmpty {
      if let last = sorted.last, isRepetition(segment, of: last) {
        repeated += segment.places.count
      } else {
        sorted.append(segment)
      }
    }
    segments = sorted
    firstTime = firstTime ?? segments.lazy.compactMap(\.start).first
  }

  private func isRepetition(_ segment: Segment, of other: Segment) -> Bool {
    guard segment.start != nil, segment.start == other.start, segment.places.count == other.places.count else {
      return false
    }
    return zip(segment.places, other.places).allSatisfy { held($0) == held($1) }
  }

  private func held(_ place: Int) -> HeldPosition { chunks[place / Self.batchCount][place % Self.batchCount] }

  /// Append up to `limit` positions of the current segment, and continue with the next one after its last.
  private mutating func emit(_ limit: Int, lackingDate: Bool, into found: inout [TrackItem]) {
    let segment = segments[turn]
    let start = segment.places.lowerBound + place
    if place == 0, sortsSegments { found.append(.segment) }
    for index in start..<min(segment.places.upperBound, start + limit) {
      var position = held(index).position
      if position.time != nil {
        firstTime = nil
      } else if let firstTime {
        (position.time, position.isTimeBorrowed, position.lacksDate) = (firstTime, true, lackingDate)
      }
      found.append(.position(position))
      place += 1
    }
    if place == segment.places.count { (turn, place) = (turn + 1, 0) }
  }
}
