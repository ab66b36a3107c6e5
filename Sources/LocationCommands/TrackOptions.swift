import Arguments
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
