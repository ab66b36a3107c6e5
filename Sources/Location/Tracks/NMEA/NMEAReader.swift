/// A reader for NMEA 0183: the RMC and GGA sentences of any talker, and the dates of ZDA.
///
/// Sentences with the same time form one position: RMC has the date, GGA the dilution of precision. The position is
/// emitted as soon as both are received, or when a sentence with another time arrives.
final class NMEAReader: FormatReader {
  private var framing = NMEAFraming()
  private var epoch = NMEAEpoch()
  private var clock = NMEAClock()
  /// The number of bytes before the first sentence.
  private var strange = 0
  private var hasSentence = false
  /// Whether a fix has been reported, and whether the absence of one has been reported.
  private var (hasPlace, hasDoubt) = (false, false)

  /// The maximum number of bytes to read without a sentence.
  static let patience = 1 << 20

  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    framing.read(bytes) { text, line in receive(text, line, into: &found) }
    guard !hasSentence else { return }
    strange += bytes.count
    if strange > Self.patience {
      throw TrackError(reason: "there is no NMEA 0183 sentence in its first \(Self.patience) bytes")
    }
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    framing.finish { text, line in receive(text, line, into: &found) }
    give(into: &found)
    if strange > 0, !hasSentence { throw TrackError(reason: "it contains no NMEA 0183 sentence") }
    if hasDoubt, !hasPlace {
      throw TrackError(reason: "none of its sentences has a position, because the receiver had none")
    }
  }

  private func receive(_ text: NMEAFraming.Found, _ line: Int, into found: inout [TrackItem]) {
    switch text {
    case .abandoned(let text):
      if NMEASentence.isOfPlace(text) {
        found.append(.broken(reason: "a sentence without an end", line: line))
      }
    case .sentence(let text):
      hasSentence = hasSentence || NMEASentence.isOne(text)
      do throws(NMEASentence.Fault) {
        if let sentence = try NMEASentence(text) { receive(sentence, into: &found) }
      } catch {
        found.append(.broken(reason: error.reason, line: line))
      }
    }
  }

  private func receive(_ sentence: NMEASentence, into found: inout [TrackItem]) {
    if !epoch.includes(sentence) {
      give(into: &found)
      epoch = NMEAEpoch()
    }
    epoch.add(sentence)
    if epoch.isComplete { give(into: &found) }
  }

  private func give(into found: inout [TrackItem]) {
    guard !epoch.isGiven else { return }
    epoch.isGiven = true
    let time = clock.moment(of: epoch)
    hasDoubt = hasDoubt || epoch.isLost
    guard let coordinate = epoch.coordinate else { return }
    hasPlace = true
    var position = Position(coordinate, at: time, accuracy: epoch.accuracy)
    position.lacksDate = time != nil && !clock.knowsDate
    found.append(.position(position))
  }
}
