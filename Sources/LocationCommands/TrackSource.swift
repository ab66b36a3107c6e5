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
    case nil, "-": "stdin"
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
      func receive(_ bytes: [UInt8]) throws {
        items.removeAll(keepingCapacity: true)
        let result = Result { try reader.read(bytes, into: &items) }
        try body(items)
        try result.get()
      }
      if options.file == "-" {
        try session.console.claimInput(for: "the track")
        while case let bytes = try session.world.input.readSome(), !bytes.isEmpty { try receive(bytes) }
      } else if let file = options.file {
        try session.world.files.read(file, each: receive)
      }
      items.removeAll(keepingCapacity: true)
      let end = Result { try reader.finish(into: &items) }
      try body(items)
      try end.get()
      if reader.leftOut > 0 {
        let places =
          reader.leftOut == 1 ? "1 place outside the track is" : "\(reader.leftOut) places outside the track are"
        session.console.note("\(places) skipped.")
      }
    } catch let error as TrackError {
      throw Problem(
        .refused, "cannot read \(name) as a track", reason: error.description,
        hint: "Supported formats: GPX, GeoJSON, NMEA 0183 and JSON Lines. To set one, pass --track-format.")
    } catch let error as SystemError {
      if error.number == EINTR { throw Problem.interrupted }
      throw Problem(
        error.number == ENOENT ? .notFound : .refused, "cannot read \(name)", reason: error.description,
        hint: "Pass a readable file, or '-' for stdin.")
    }
  }
}
