import World

/// The order of a file's items. Segments are sorted by their first times, because programs write the newest track
/// first, or one track per device. Positions before the first time of the track get that time.
///
/// A segment without times keeps its position after the segment before it. A segment that repeats the one before it is
/// skipped: it would report each event twice.
struct SegmentOrder {
  /// The maximum number of buffered positions. The further positions of a longer track keep the file's order.
  static let limit = 500_000
  /// The number of positions that ``next(into:)`` appends.
  private static let batchCount = 4096

  private struct Segment {
    var indices: Range<Int>
    /// The first time of its positions.
    var start: Timestamp?
  }

  /// Whether segments are sorted. If not, only positions before the first time are buffered.
  private let sortsSegments: Bool
  /// The buffered positions, in chunks, so that they are never copied to a larger array.
  private var chunks: [[Position]] = []
  private var count = 0
  private var segments: [Segment] = []
  /// Whether buffering has ended, so that items keep the file's order.
  private var hasStoppedBuffering = false
  private var hasEnded = false
  /// The next segment to emit, and the next position in it.
  private var (segmentIndex, positionIndex) = (0, 0)
  /// The time of positions before the first one with a time; nil once there was one.
  private var firstTime: Timestamp?
  /// The number of positions in repeated segments.
  private(set) var repeated = 0

  init(sortsSegments: Bool) { self.sortsSegments = sortsSegments }

  /// Add items in the file's order, and append those that are not buffered.
  mutating func add(_ items: [TrackItem], into found: inout [TrackItem]) {
    guard !hasStoppedBuffering else {
      found += items
      return
    }
    for (index, item) in items.enumerated() {
      switch item {
      case .broken: found.append(item)
      case .segment: segments.append(Segment(indices: count..<count))
      case .position(let position):
        if !sortsSegments, let time = position.time {
          firstTime = time
          release(lackingDate: position.lacksDate, into: &found)
          found += items[index...]
          return
        }
        buffer(position)
        guard count < Self.limit else {
          release(lackingDate: false, into: &found)
          found += items[(index + 1)...]
          return
        }
      }
    }
  }

  /// Sort the buffered segments, after the end of the input or an error.
  mutating func finish() {
    guard !hasEnded else { return }
    hasEnded = true
    sort()
  }

  /// Append some of the buffered items, in order; false if there are none.
  mutating func next(into found: inout [TrackItem]) -> Bool {
    guard hasEnded, segmentIndex < segments.count else { return false }
    emit(Self.batchCount, lackingDate: false, into: &found)
    return true
  }

  private mutating func buffer(_ position: Position) {
    if segments.isEmpty { segments.append(Segment(indices: 0..<0)) }
    if chunks.last.map({ $0.count == Self.batchCount }) ?? true {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.batchCount)
    }
    chunks[chunks.count - 1].append(position)
    count += 1
    let last = segments.count - 1
    segments[last].indices = segments[last].indices.lowerBound..<count
    if segments[last].start == nil { segments[last].start = position.time }
  }

  /// Emit everything that is buffered, and buffer nothing any more.
  private mutating func release(lackingDate: Bool, into found: inout [TrackItem]) {
    sort()
    while segmentIndex < segments.count { emit(Self.limit, lackingDate: lackingDate, into: &found) }
    (chunks, segments, segmentIndex, hasStoppedBuffering) = ([], [], 0, true)
  }

  private mutating func sort() {
    var keys: [Int64] = []
    for segment in segments { keys.append(segment.start?.milliseconds ?? keys.last ?? .min) }
    let order = segments.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    var sorted: [Segment] = []
    for segment in order.map({ segments[$0] }) where !segment.indices.isEmpty {
      if let last = sorted.last, isRepetition(segment, of: last) {
        repeated += segment.indices.count
      } else {
        sorted.append(segment)
      }
    }
    segments = sorted
    firstTime = firstTime ?? segments.lazy.compactMap(\.start).first
  }

  private func isRepetition(_ segment: Segment, of other: Segment) -> Bool {
    guard segment.start != nil, segment.start == other.start, segment.indices.count == other.indices.count else {
      return false
    }
    return zip(segment.indices, other.indices).allSatisfy { buffered($0) == buffered($1) }
  }

  private func buffered(_ index: Int) -> Position { chunks[index / Self.batchCount][index % Self.batchCount] }

  /// Append up to `limit` positions of the current segment. After its last position, continue with the next segment.
  /// - Parameter lackingDate: Whether the time that positions before the first time get lacks a date.
  private mutating func emit(_ limit: Int, lackingDate: Bool, into found: inout [TrackItem]) {
    let segment = segments[segmentIndex]
    let start = segment.indices.lowerBound + positionIndex
    if positionIndex == 0, sortsSegments { found.append(.segment) }
    for index in start..<min(segment.indices.upperBound, start + limit) {
      var position = buffered(index)
      if position.time != nil {
        firstTime = nil
      } else if let firstTime {
        (position.time, position.isTimeBorrowed, position.lacksDate) = (firstTime, true, lackingDate)
      }
      found.append(.position(position))
      positionIndex += 1
    }
    if positionIndex == segment.indices.count { (segmentIndex, positionIndex) = (segmentIndex + 1, 0) }
  }
}
