import World

/// The data of one moment from a receiver, collected from several sentences.
struct NMEAEpoch {
  private(set) var time: Int?
  private(set) var date: CivilDate?
  private(set) var accuracy: Double?
  private var recommended: NMEASentence.Fix?
  private var fix: NMEASentence.Fix?
  private var geographic: NMEASentence.Fix?
  private var isBegun = false
  /// Whether its position was emitted. Later sentences of the same moment add nothing.
  var isGiven = false

  /// Whether a sentence belongs to this moment. Without times, a second sentence of the same kind starts the next
  /// one.
  func includes(_ sentence: NMEASentence) -> Bool {
    guard isBegun else { return true }
    guard sentence.time == time else { return false }
    guard time == nil else { return true }
    switch sentence.kind {
    case .recommended: return recommended == nil
    case .fix: return fix == nil
    case .geographic: return geographic == nil
    case .clock: return true
    }
  }

  mutating func add(_ sentence: NMEASentence) {
    isBegun = true
    time = sentence.time
    date = date ?? sentence.date
    switch sentence.kind {
    case .recommended: recommended = recommended ?? sentence.fix
    case .fix: if fix == nil { (fix, accuracy) = (sentence.fix, sentence.accuracy) }
    case .geographic: geographic = geographic ?? sentence.fix
    case .clock: break
    }
  }

  /// Whether the only position is that of GLL.
  var isOnlyGeographic: Bool { geographic != nil && recommended == nil && fix == nil }

  /// Whether both RMC, and GGA or GNS, have been received.
  var isComplete: Bool { recommended != nil && fix != nil }

  /// Whether a sentence reports that there is no fix.
  var isLost: Bool { [recommended, fix, geographic].contains(NMEASentence.Fix.none) }

  var coordinate: Coordinate? {
    guard !isLost, case .place(let coordinate) = fix ?? recommended ?? geographic else { return nil }
    return coordinate
  }
}

/// A clock that combines times of day with dates.
struct NMEAClock {
  private static let day: Int64 = 86_400_000
  private var last: Timestamp?
  /// Whether a sentence has contained the date so far.
  private(set) var knowsDate = false
  /// The difference between the moments before the first date and their true times, in milliseconds; nil if there is no
  /// date yet, or nothing before it.
  private(set) var correction: Int64?

  /// The moment of an epoch. A time without a date is the one nearest to the previous moment, which continues across
  /// midnight. Before any date is known, the first day is in 1970, so that at least the intervals are correct.
  mutating func moment(of epoch: NMEAEpoch) -> Timestamp? {
    guard let time = epoch.time else { return nil }
    let undated = last.map { Self.nearest(Int64(time), to: $0.milliseconds) } ?? Int64(time)
    guard let date = epoch.date else {
      last = Timestamp(milliseconds: undated)
      return last
    }
    let dated = date.timestamp(second: time / 1000, millisecond: time % 1000)
    if !knowsDate, last != nil { correction = dated.milliseconds - undated }
    (last, knowsDate) = (dated, true)
    return last
  }

  /// The moment with a time of day that is nearest to another moment.
  private static func nearest(_ time: Int64, to before: Int64) -> Int64 {
    let ahead = (time - before) % day
    return before + (ahead > day / 2 ? ahead - day : ahead < -day / 2 ? ahead + day : ahead)
  }
}
