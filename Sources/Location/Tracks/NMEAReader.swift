import World

/// A reader for NMEA 0183: the RMC, GGA, GNS and GLL sentences of any talker, and the dates of ZDA.
///
/// Sentences with the same time form one position: RMC has the date, GGA and GNS the dilution of precision. The
/// position is emitted as soon as both are received, or when a sentence with another time arrives. In a file, positions
/// before the first date are buffered until it is known.
///
/// Sentences without a checksum are read while no sentence has had one. Some loggers remove all of them, but among
/// sentences with checksums, such a sentence is cut off.
final class NMEAReader: FormatReader {
  /// The maximum number of positions that wait for a date.
  static let bufferLimit = 500_000

  private let isLive: Bool
  private var framing = NMEAFraming()
  private var epoch = NMEAEpoch()
  private var clock = NMEAClock()
  /// The number of bytes before the first sentence.
  private var skippedBytes = 0
  private var hasSentence = false
  private var hasChecksum = false
  /// Whether RMC, GGA or GNS has been received.
  private var hasFullSentence = false
  /// The positions of a file before its first date.
  private var buffered: [Position] = []
  /// Whether a fix has been reported, and whether the absence of one has been reported.
  private var (hasFix, lackedFix) = (false, false)

  /// The maximum number of bytes to read without a sentence.
  static let byteLimit = 1 << 20

  init(isLive: Bool) { self.isLive = isLive }

  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    framing.read(bytes) { text, line in receive(text, line, into: &found) }
    guard !hasSentence else { return }
    skippedBytes += bytes.count
    if skippedBytes > Self.byteLimit {
      throw TrackError(reason: "there is no NMEA 0183 sentence in its first \(Self.byteLimit) bytes")
    }
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    framing.finish { text, line in receive(text, line, into: &found) }
    emit(into: &found)
    flushBuffered(into: &found)
    if skippedBytes > 0, !hasSentence { throw TrackError(reason: "it contains no NMEA 0183 sentence") }
    if lackedFix, !hasFix {
      throw TrackError(reason: "none of its sentences has a position, because the receiver had none")
    }
  }

  private func receive(_ text: NMEAFraming.Fragment, _ line: Int, into found: inout [TrackItem]) {
    switch text {
    case .abandoned(let text):
      if NMEASentence.hasPosition(text) {
        found.append(.broken(reason: "a sentence without an end", line: line))
      }
    case .sentence(let text):
      hasSentence = hasSentence || NMEASentence.isPlausible(text)
      hasChecksum = hasChecksum || NMEASentence.isPlausible(text) && NMEASentence.hasChecksum(text)
      do throws(NMEASentence.Fault) {
        let sentence = try NMEASentence(text, needsChecksum: hasChecksum)
        if let sentence { receive(sentence, into: &found) }
      } catch {
        found.append(.broken(reason: error.reason, line: line))
      }
    }
  }

  private func receive(_ sentence: NMEASentence, into found: inout [TrackItem]) {
    switch sentence.kind {
    // In addition to other sentences, GLL adds nothing, and some receivers send it with a slightly different time.
    case .geographic: if hasFullSentence { return }
    case .recommended, .fix:
      if !hasFullSentence, epoch.isOnlyGeographic { epoch = NMEAEpoch() }
      hasFullSentence = true
    case .clock: break
    }
    if !epoch.includes(sentence) {
      emit(into: &found)
      epoch = NMEAEpoch()
    }
    epoch.add(sentence)
    if epoch.isComplete { emit(into: &found) }
    // The date may follow in ZDA after the position.
    if epoch.isEmitted, epoch.date != nil, !clock.hasDate { _ = moment(into: &found) }
  }

  /// The moment of the current epoch. If it is the first with a date, the buffered positions get their dates.
  private func moment(into found: inout [TrackItem]) -> Timestamp? {
    let hadDate = clock.hasDate
    defer { if clock.hasDate, !hadDate { flushBuffered(into: &found) } }
    return clock.moment(of: epoch)
  }

  private func flushBuffered(into found: inout [TrackItem]) {
    for var position in buffered {
      if let time = position.time?.milliseconds, let correction = clock.correction {
        (position.time, position.lacksDate) = (Timestamp(milliseconds: time + correction), false)
      }
      found.append(.position(position))
    }
    buffered = []
  }

  private func emit(into found: inout [TrackItem]) {
    guard !epoch.isEmitted else { return }
    epoch.isEmitted = true
    let time = moment(into: &found)
    lackedFix = lackedFix || epoch.lacksFix
    guard let coordinate = epoch.coordinate else { return }
    hasFix = true
    var position = Position(coordinate, at: time, accuracy: epoch.accuracy)
    position.lacksDate = time != nil && !clock.hasDate
    guard !isLive, position.lacksDate || !buffered.isEmpty else { return found.append(.position(position)) }
    buffered.append(position)
    if buffered.count >= Self.bufferLimit { flushBuffered(into: &found) }
  }
}

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
  var isEmitted = false

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
  var lacksFix: Bool { [recommended, fix, geographic].contains(NMEASentence.Fix.none) }

  var coordinate: Coordinate? {
    guard !lacksFix, case .position(let coordinate) = fix ?? recommended ?? geographic else { return nil }
    return coordinate
  }
}

/// A clock that combines times of day with dates.
struct NMEAClock {
  private static let day: Int64 = 86_400_000
  private var last: Timestamp?
  /// Whether a sentence has contained the date so far.
  private(set) var hasDate = false
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
    if !hasDate, last != nil { correction = dated.milliseconds - undated }
    (last, hasDate) = (dated, true)
    return last
  }

  /// The moment with a time of day that is nearest to another moment.
  private static func nearest(_ time: Int64, to before: Int64) -> Int64 {
    let ahead = (time - before) % day
    return before + (ahead > day / 2 ? ahead - day : ahead < -day / 2 ? ahead + day : ahead)
  }
}
