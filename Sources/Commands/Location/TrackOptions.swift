import Arguments
import Location

/// The options that say which track, and how it is played.
struct TrackOptions: Sendable {
  /// `-` for standard input; nil where none was named.
  var file: String?
  var format: TrackFormat?
  var daemon: GPSDAddress?

  static var flags: [Flag<TrackOptions>] {
    [
      formatFlag,
      .value(
        "gpsd", .gpsd, into: \.daemon, help: "Take positions from a gpsd as they come, for as long as it gives any"),
    ]
  }

  static var formatFlag: Flag<TrackOptions> {
    .value(
      "track-format", .oneOf(TrackFormat.self, placeholder: "FORMAT"), into: \.format,
      defaultText: "by the file's name or its first bytes", isAdvanced: true, help: "Read the track as this")
  }

  func check() throws(Conflict) {
    if file == nil, daemon == nil {
      throw Conflict("name a track, '-' for standard input, or a gpsd with --gpsd", isLack: true)
    }
    if file != nil, daemon != nil { throw Conflict("give a file or --gpsd, not both", options: ["gpsd"]) }
    if daemon != nil, format != nil { throw Conflict("a gpsd has a format of its own", options: ["track-format"]) }
  }
}

/// Where a gpsd listens.
struct GPSDAddress: Sendable, Equatable {
  var host: String
  var port: UInt16
}

extension ValueKind where Value == GPSDAddress {
  /// `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`; the port is gpsd's own where none is given.
  static var gpsd: ValueKind {
    .parsed("HOST:PORT", expected: "a host and a port, such as localhost:2947") { text in
      var host = text[...]
      var port: UInt16 = 2947
      if text.hasPrefix("[") {
        guard let end = text.lastIndex(of: "]") else { return nil }
        host = text[text.index(after: text.startIndex)..<end]
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
        if !rest.isEmpty {
          guard let number = UInt16(rest.dropFirst()), number > 0 else { return nil }
          port = number
        }
      } else if let colon = text.lastIndex(of: ":") {
        guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else { return nil }
        (host, port) = (text[..<colon], number)
      }
      return host.isEmpty ? nil : GPSDAddress(host: String(host), port: port)
    }
  }
}
