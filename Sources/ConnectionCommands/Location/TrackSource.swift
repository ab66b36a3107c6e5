import Location
import Output
import Session
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The source of a track: a file, stdin or a gpsd server.
struct TrackSource {
  private let options: TrackOptions
  private let session: Session

  init(_ options: TrackOptions, in session: Session) { (self.options, self.session) = (options, session) }

  /// Whether positions arrive as they happen, so that each is processed at once.
  var isLive: Bool { options.daemon != nil || options.file == "-" }

  private var name: String {
    switch options.file {
    case nil, "-": "stdin"
    case let file?: "'\(file)'"
    }
  }

  /// Calls `body` with the items of the track, piece by piece, as soon as they are known.
  /// - Throws: An error of the track as a whole, and the errors of `body`.
  func forEach(_ body: ([TrackItem]) throws -> Void) throws {
    do {
      if let daemon = options.daemon { return try GPSDSource(daemon, in: session).forEach(body) }
      let reader =
        options.format.map { TrackReader($0, isLive: isLive) }
        ?? TrackReader(named: options.file ?? "", isLive: isLive)
      if options.file == "-" {
        try session.console.reserveInput(for: "the track")
        while case let bytes = try session.world.input.readSome(), !bytes.isEmpty {
          try forward({ items throws(TrackError) in try reader.read(bytes, into: &items) }, of: reader, body)
        }
      } else if let file = options.file {
        let source = try session.world.files.reader(file)
        while let bytes = try source.read(waits: true) {
          // The reader may buffer a long file to its end, during which `body` cannot notice Ctrl-C.
          try session.world.checkInterruption()
          try forward({ items throws(TrackError) in try reader.read(bytes, into: &items) }, of: reader, body)
        }
      }
      try forward({ items throws(TrackError) in try reader.finish(into: &items) }, of: reader, body)
      noteSkipped(by: reader)
    } catch let error as TrackError {
      throw Problem(
        .refused, "cannot read \(name) as a track", reason: error.description,
        hint: "Supported formats: GPX, GeoJSON, NMEA 0183 and JSON Lines. To set one, pass --track-format.")
    } catch let error as SystemError {
      if error.number == EINTR { throw Problem.interrupted }
      throw unreadable(error)
    }
  }

  /// - Throws: If the track is a file that does not exist.
  func checkFile() throws {
    guard let file = options.file, file != "-", !session.world.files.exists(session.world.path(file)) else { return }
    throw unreadable(SystemError(number: ENOENT, call: "open"))
  }

  private func unreadable(_ error: SystemError) -> Problem {
    Problem(
      error.number == ENOENT ? .notFound : .refused, "cannot read \(name)", reason: error.description,
      hint: "Pass a readable file, or '-' for stdin.")
  }

  /// Calls `body` with the items that a step of the reader finds, then with the reader's buffered items, and then
  /// throws the step's error.
  private func forward(
    _ step: (inout [TrackItem]) throws(TrackError) -> Void, of reader: TrackReader, _ body: ([TrackItem]) throws -> Void
  ) throws {
    var items: [TrackItem] = []
    let result = Result { () throws(TrackError) in try step(&items) }
    try body(items)
    items.removeAll(keepingCapacity: true)
    while reader.nextBuffered(into: &items) {
      try body(items)
      items.removeAll(keepingCapacity: true)
    }
    try result.get()
  }

  private func noteSkipped(by reader: TrackReader) {
    if reader.omitted > 0 {
      let places =
        reader.omitted == 1 ? "1 place outside the track is" : "\(reader.omitted) places outside the track are"
      session.console.note("\(places) skipped.")
    }
    if reader.repeated > 0 {
      let positions = reader.repeated == 1 ? "1 position is" : "\(reader.repeated) positions are"
      session.console.note("\(positions) skipped: a segment occurs in the track twice.")
    }
  }
}

/// The unusable parts of a track, collected for one note at the end.
struct TrackFaults {
  private(set) var count = 0
  private var first: (reason: String, line: Int)?

  mutating func add(_ reason: String, line: Int) {
    count += 1
    first = first ?? (reason, line)
  }

  /// Throws if the track has no usable position.
  func requirePositions(_ counts: FenceCounts) throws {
    guard counts.used + counts.skipped == 0 else { return }
    let message = count > 0 ? "the track has no usable position" : "the track has no positions"
    throw Problem(.refused, message, hint: "Check that the file is a track.")
  }

  func notes(_ counts: FenceCounts) -> [Hint] {
    var notes: [Hint] = []
    func add(_ count: Int, _ reason: Hint) {
      if count > 0 { notes.append("\(count.counted("position")) skipped: \(reason).") }
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
