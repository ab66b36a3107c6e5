import Location

/// The results do not depend on how the bytes of a track are split. Every position is on the earth, and there are no
/// more items than bytes.
enum TrackProperties {
  @Sendable static func gpx(_ bytes: [UInt8]) -> String? { problem(in: bytes, as: .gpx) }

  @Sendable static func nmea(_ bytes: [UInt8]) -> String? {
    // A fuzzer cannot find checksums, so `??` is replaced by the correct one.
    problem(in: bytes, as: .nmea) ?? problem(in: summed(bytes), as: .nmea)
  }

  /// The other formats, as detected from the bytes.
  @Sendable static func track(_ bytes: [UInt8]) -> String? {
    let format = TrackFormat.guess(name: "-", beginning: bytes)
    if let format, let problem = problem(in: bytes, as: format) { return problem }
    let guessed = read(bytes, by: TrackReader(named: "-"), pieces: .max)
    if let format, guessed != read(bytes, as: format, pieces: .max) { return "the reader detects a different format" }
    if read(bytes, by: TrackReader(named: "-"), pieces: 1) != guessed { return "split input has a different format" }
    return problem(in: bytes, as: .geojson) ?? problem(in: bytes, as: .jsonl)
  }

  private struct Outcome: Equatable {
    var items: [TrackItem] = []
    var hasFailed = false
    var leftOut = 0
  }

  private static func read(_ bytes: [UInt8], as format: TrackFormat, pieces: Int) -> Outcome {
    read(bytes, by: TrackReader(format), pieces: pieces)
  }

  private static func read(_ bytes: [UInt8], by reader: TrackReader, pieces: Int) -> Outcome {
    var outcome = Outcome()
    do throws(TrackError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        try reader.read(Array(rest.prefix(pieces)), into: &outcome.items)
        rest = rest.dropFirst(pieces)
      }
      try reader.finish(into: &outcome.items)
    } catch {
      outcome.hasFailed = true
      if error.reason.isEmpty || error.line.map({ $0 < 1 }) == true { outcome.leftOut = -1 }
    }
    outcome.leftOut += reader.leftOut
    return outcome
  }

  private static func problem(in bytes: [UInt8], as format: TrackFormat) -> String? {
    let outcome = read(bytes, as: format, pieces: .max)
    if outcome.leftOut < 0 { return "an error has no reason or an invalid line" }
    if outcome.items.count > bytes.count { return "more items than bytes" }
    for item in outcome.items {
      if let problem = problem(of: item, lines: bytes.count + 1) { return problem }
    }
    for pieces in [1, 7] where read(bytes, as: format, pieces: pieces) != outcome {
      return "pieces of \(pieces) bytes are read differently"
    }
    return nil
  }

  private static func problem(of item: TrackItem, lines: Int) -> String? {
    switch item {
    case .segment: return nil
    case .broken(let reason, let line):
      return reason.isEmpty || !(1...lines).contains(line) ? "a report has no reason or an invalid line" : nil
    case .position(let position):
      let place = position.coordinate
      guard (-90...90).contains(place.latitude), (-180...180).contains(place.longitude) else {
        return "an invalid place"
      }
      if let accuracy = position.accuracy, !accuracy.isFinite { return "an invalid accuracy" }
      return nil
    }
  }

  private static func summed(_ bytes: [UInt8]) -> [UInt8] {
    var (bytes, sum) = (bytes, UInt8(0))
    for place in bytes.indices {
      switch bytes[place] {
      case UInt8(ascii: "$"): sum = 0
      case UInt8(ascii: "*") where bytes[place...].starts(with: "*??".utf8):
        let digits = Array(String(sum, radix: 16).utf8)
        bytes[place + 1] = digits.count < 2 ? UInt8(ascii: "0") : digits[0]
        bytes[place + 2] = digits[digits.count - 1]
      default: sum ^= bytes[place]
      }
    }
    return bytes
  }
}
