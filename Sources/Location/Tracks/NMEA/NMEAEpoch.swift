import Time

/// What a receiver says of one moment, in several sentences.
struct NMEAEpoch {
  private(set) var time: Int?
  private(set) var date: CivilDate?
  private(set) var accuracy: Double?
  private var recommended: NMEASentence.Fix?
  private var fix: NMEASentence.Fix?
  private var isBegun = false
  /// Whether its position was given out; what still comes of the same moment adds nothing.
  var isGiven = false

  /// Without times, a sentence of the same kind begins the next one.
  func includes(_ sentence: NMEASentence) -> Bool {
    guard isBegun else { return true }
    guard sentence.time == time else { return false }
    guard time == nil else { return true }
    switch sentence.kind {
    case .recommended: return recommended == nil
    case .fix: return fix == nil
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
    case .clock: break
    }
  }

  /// Both kinds of sentence have come.
  var isComplete: Bool { recommended != nil && fix != nil }

  /// Whether either says that it does not know where it is.
  var isLost: Bool { recommended == NMEASentence.Fix.none || fix == NMEASentence.Fix.none }

  var coordinate: Coordinate? {
    guard !isLost, case .place(let coordinate) = fix ?? recommended else { return nil }
    return coordinate
  }
}

/// Puts a date to times of day.
struct NMEAClock {
  private static let day: Int64 = 86_400_000
  private var last: Timestamp?
  /// Whether a sentence has told the date so far.
  private(set) var knowsDate = false

  /// A time without a date is the one nearest to the last moment, which goes on over midnight. Before any date the first
  /// day is that of 1970, so that at least intervals are right.
  mutating func moment(of epoch: NMEAEpoch) -> Timestamp? {
    guard let time = epoch.time else { return nil }
    if let date = epoch.date {
      (last, knowsDate) = (date.timestamp(second: time / 1000, millisecond: time % 1000), true)
    } else if let before = last?.milliseconds {
      let ahead = (Int64(time) - before) % Self.day
      let nearest = ahead > Self.day / 2 ? ahead - Self.day : ahead < -Self.day / 2 ? ahead + Self.day : ahead
      last = Timestamp(milliseconds: before + nearest)
    } else {
      last = Timestamp(milliseconds: Int64(time))
    }
    return last
  }
}
