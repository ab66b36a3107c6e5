import CommandContext
import Display
import Hints
import Location
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The source of a track: a file, stdin or a gpsd server. The track is never held in memory as a whole.
struct TrackSource {
  private let options: TrackOptions
  private let session: Session

  init(_ options: TrackOptions, in session: Session) { (self.options, self.session) = (options, session) }

  /// Whether positions arrive as they happen, so that each is processed at once.
  var isLive: Bool { options.daemon != nil || options.file == "-" }

  private var name: String {
    switch options.file {
    case nil, "-": "standard input"
    case let file?: "'\(file)'"
    }
  }

  /// Calls `body` with the items of the track, piece by piece, as soon as they are known.
  /// - Throws: An error of the track as a whole, and the errors of `body`.
  func forEach(_ body: ([TrackItem]) throws -> Void) throws {
    do {
      if let daemon = options.daemon { return try GPSDSource(daemon, in: session).forEach(body) }
      let reader = options.format.map { TrackReader($0) } ?? TrackReader(named: options.file ?? "")
      var items: [TrackItem] = []
      func take(_ bytes: [UInt8]) throws {
        items.removeAll(keepingCapacity: true)
        let result = Result { try reader.read(bytes, into: &items) }
        try body(items)
        try result.get()
      }
      if options.file == "-" {
        try session.claimInput(for: "the track")
        while case let bytes = try session.world.input.readSome(), !bytes.isEmpty { try take(bytes) }
      } else if let file = options.file {
        try session.world.files.read(file, each: take)
      }
      items.removeAll(keepingCapacity: true)
      let end = Result { try reader.finish(into: &items) }
      try body(items)
      try end.get()
      if reader.leftOut > 0 {
        let places = reader.leftOut == 1 ? "1 place" : "\(reader.leftOut) places"
        session.note("\(places) beside the track left out; only the track itself is walked.")
      }
    } catch let error as TrackError {
      throw Problem(
        .refused, "\(name) cannot be read as a track", reason: error.description,
        hint: "GPX, GeoJSON, NMEA 0183 and JSON Lines are known; --track-format says which it is.")
    } catch let error as SystemError {
      if error.number == EINTR { throw Problem.interrupted }
      throw Problem(
        error.number == ENOENT ? .notFound : .refused, "\(name) cannot be read", reason: error.description,
        hint: "Give a file that you may read, or '-' for standard input.")
    }
  }
}
