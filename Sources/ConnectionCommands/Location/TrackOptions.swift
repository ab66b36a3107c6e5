import CommandLine
import Location

/// The options that select a track and control how it is replayed.
struct TrackOptions: Sendable {
  /// `-` for stdin; nil if no file is given.
  var file: String?
  var format: TrackFormat?
  var daemon: GPSDAddress?

  static var flags: [Flag<TrackOptions>] {
    [
      formatFlag,
      .value(
        "gpsd", .gpsd, into: \.daemon, help: "Read live positions from a gpsd server"),
    ]
  }

  static var formatFlag: Flag<TrackOptions> {
    .value(
      "track-format", .oneOf(TrackFormat.self, placeholder: "FORMAT"), into: \.format,
      defaultText: "detected from the file's name or first bytes", isAdvanced: true,
      help: "Format of the track")
  }

  func check() throws(Conflict) {
    if file == nil, daemon == nil {
      throw Conflict("pass a track file, '-' for stdin, or --gpsd", isLack: true)
    }
    if file != nil, daemon != nil { throw Conflict("pass a file or --gpsd, not both", options: ["gpsd"]) }
    if daemon != nil, format != nil {
      throw Conflict("--track-format does not apply to --gpsd", options: ["track-format"])
    }
  }
}
