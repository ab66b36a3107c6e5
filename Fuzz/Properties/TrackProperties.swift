import Location
import Plugins
import World

/// The results do not depend on how the bytes of a track are split. Every position is on the earth, and there are no
/// more items than bytes.
enum TrackProperties {
  @Sendable static func gpx(_ bytes: [UInt8]) -> String? { problem(in: bytes, as: .gpx) }

  @Sendable static func nmea(_ bytes: [UInt8]) -> String? {
    // A fuzzer cannot find checksums, so `??` is replaced by the correct one.
    let summed = summed(bytes)
    return problem(in: bytes, as: .nmea) ?? (summed == bytes ? nil : problem(in: summed, as: .nmea))
  }

  /// The other formats, as detected from the bytes.
  @Sendable static func track(_ bytes: [UInt8]) -> String? {
    let format = TrackFormat.guess(name: "-", beginning: bytes)
    let guessed = read(bytes, by: TrackReader(named: "-"), pieces: .max)
    if let format {
      let whole = read(bytes, as: format, pieces: .max)
      if let problem = problem(of: whole, in: bytes, as: format) { return problem }
      if isPlain(bytes), guessed != whole { return "the reader detects a different format" }
    }
    if read(bytes, by: TrackReader(named: "-"), pieces: 1) != guessed { return "split input has a different format" }
    for other in [TrackFormat.geojson, .jsonl] where other != format {
      if let problem = problem(in: bytes, as: other) { return problem }
    }
    return nil
  }

  /// A track in a file has the positions of the same live track, in segments that are in order. Its compressed form, and
  /// its UTF-16 form, have the same ones.
  @Sendable static func file(_ bytes: [UInt8]) -> String? {
    for format in TrackFormat.allCases {
      let whole = read(bytes, by: TrackReader(format, isLive: false), pieces: .max)
      for pieces in [1, 7] where read(bytes, by: TrackReader(format, isLive: false), pieces: pieces) != whole {
        return "a \(format) file in pieces of \(pieces) bytes is read differently"
      }
      let live = read(bytes, as: format, pieces: .max)
      guard whole.coordinates.sorted() == live.coordinates.sorted() || whole.repeated > 0 else {
        return "a \(format) file has other positions than the live track"
      }
      guard whole.coordinates.count + whole.repeated == live.coordinates.count else {
        return "a \(format) file loses positions"
      }
      guard whole.hasFailed == live.hasFailed, whole.brokenCount == live.brokenCount else {
        return "a \(format) file has other faults than the live track"
      }
      guard whole.startsAscend else { return "the segments of a \(format) file are not in order" }
      guard isPlain(bytes) else { continue }
      if let compressed = GzipWriter.compress(bytes),
        read(compressed, by: TrackReader(format, isLive: false), pieces: 5) != whole
      {
        return "a compressed \(format) file is read differently"
      }
      if bytes.allSatisfy({ $0 < 0x80 }) {
        let wide: [UInt8] = [0xff, 0xfe] + bytes.flatMap { byte -> [UInt8] in [byte, 0] }
        if read(wide, by: TrackReader(format, isLive: false), pieces: 3) != whole {
          return "a \(format) file in UTF-16 is read differently"
        }
      }
    }
    return nil
  }

  /// Whether the bytes are neither gzip nor UTF-16.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0x1f, 0x8b], [0xff, 0xfe], [0xfe, 0xff]]
    return !marks.contains { bytes.starts(with: $0) } && !bytes.prefix(4).contains(0)
  }

  private struct Outcome: Equatable {
    var items: [TrackItem] = []
    var hasFailed = false
    var leftOut = 0
    var repeated = 0

    var coordinates: [String] {
      items.compactMap { if case .position(let position) = $0 { "\(position.coordinate)" } else { nil } }
    }

    var brokenCount: Int { items.count { if case .broken = $0 { true } else { false } } }

    /// Whether the first times of the segments ascend.
    var startsAscend: Bool {
      var (last, isAtStart) = (Int64.min, true)
      for item in items {
        switch item {
        case .segment: isAtStart = true
        case .broken: break
        case .position(let position):
          guard isAtStart, !position.isTimeBorrowed, let time = position.time else { continue }
          isAtStart = false
          if time.milliseconds < last { return false }
          last = time.milliseconds
        }
      }
      return true
    }
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
    while reader.nextBuffered(into: &outcome.items) {}
    outcome.leftOut += reader.omitted
    outcome.repeated = reader.repeated
    return outcome
  }

  private static func problem(in bytes: [UInt8], as format: TrackFormat) -> String? {
    problem(of: read(bytes, as: format, pieces: .max), in: bytes, as: format)
  }

  /// - Parameter outcome: the result of reading the bytes at once.
  private static func problem(of outcome: Outcome, in bytes: [UInt8], as format: TrackFormat) -> String? {
    if outcome.leftOut < 0 { return "an error has no reason or an invalid line" }
    // Compressed bytes say nothing about the size of the track.
    let most = bytes.starts(with: [0x1f, 0x8b]) ? Int.max - 1 : bytes.count
    if outcome.items.count > most { return "more items than bytes" }
    for item in outcome.items {
      if let problem = problem(of: item, lines: most + 1) { return problem }
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
      let coordinate = position.coordinate
      guard (-90...90).contains(coordinate.latitude), (-180...180).contains(coordinate.longitude) else {
        return "an invalid position"
      }
      if let accuracy = position.accuracy, !accuracy.isFinite { return "an invalid accuracy" }
      return nil
    }
  }

  private static func summed(_ bytes: [UInt8]) -> [UInt8] {
    var (bytes, sum) = (bytes, UInt8(0))
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "$"): sum = 0
      case UInt8(ascii: "*") where bytes[index...].starts(with: "*??".utf8):
        let digits = Array(String(sum, radix: 16).utf8)
        bytes[index + 1] = digits.count < 2 ? UInt8(ascii: "0") : digits[0]
        bytes[index + 2] = digits[digits.count - 1]
      default: sum ^= bytes[index]
      }
    }
    return bytes
  }
}
