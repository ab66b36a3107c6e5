import Time

/// The data of one moment from a receiver, collected from several sentences.
struct NMEAEpoch {
  private(set) var time: Int?
  private(set) var date: CivilDate?
  private(set) var accuracy: Double?
  private var recommended: NMEASentence.Fix?
  private var fix: NMEASentence.Fix?
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

  /// Whether both kinds of sentence have been received.
  var isComplete: Bool { recommended != nil && fix != nil }

  /// Whether either sentence reports that there is no fix.
  var isLost: Bool { recommended == NMEASentence.Fix.none || fix == NMEASentence.Fix.none }

  var coordinate: Coordinate? {
    guard !isLost, case .place(let coordinate) = fix ?? recommended else { return nil }
    return coordinate
  }
}

/// A clock that combines times of day with dates.
struct NMEAClock {
  private static let day: Int64 = 86_400_000
  private var last: Timestamp?
  /// Whether a sentence has contained the date so far.
  private(set) var knowsDate = false

  /// The moment of an epoch. A time without a date is the one nearest to the previous moment, which continues across
  /// midnight. Before any date is known, the first day is in 1970, so that at least the intervals are correct.
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
