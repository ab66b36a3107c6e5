import CommandLine
import Location
import Session
import Text

/// The options that control how a track is compared with the regions.
struct FenceOptions: Sendable {
  var limit: Int?
  var minimumAccuracy: Meters?
  var hysteresis = Meters(0)
  var dwell = Duration.zero
  var reportsInitial = false

  var rules: FenceRules {
    FenceRules(
      limit: limit, minimumAccuracy: minimumAccuracy?.value, hysteresis: hysteresis.value, dwell: dwell,
      reportsInitial: reportsInitial)
  }

  static var flags: [Flag<FenceOptions>] {
    [
      .toggle("initial", into: \.reportsInitial, help: "Report an entry if the first position is inside a region"),
      .value(
        "max-regions", .integer(in: 1...100_000), into: \.limit, defaultText: "all",
        help: "Maximum number of regions to monitor, nearest first; iOS monitors 20"),
      .value(
        "min-accuracy", .meters, into: \.minimumAccuracy,
        help: "Skip positions less accurate than this many meters"),
      .value(
        "hysteresis", .meters, into: \.hysteresis, defaultText: "0", isAdvanced: true,
        help: "Count an exit only this many meters beyond the radius"),
      .value(
        "dwell", .duration, into: \.dwell, defaultText: "0s", isAdvanced: true,
        help: "Count an entry or exit only after staying inside or outside for this long"),
    ]
  }
}

extension FenceRules {
  /// Throws if a dwell is requested for a track without times.
  func check(_ position: Position) throws {
    guard needsTimes, position.time == nil else { return }
    throw Problem(
      .refused, "--dwell needs a track with times", reason: "this track has positions without a time",
      hint: "Omit --dwell.")
  }
}

/// A nonnegative distance in meters.
struct Meters: Sendable, Equatable {
  var value: Double
  init(_ value: Double) { self.value = value }
}

extension ValueKind where Value == Meters {
  static var meters: ValueKind {
    .parsed("METERS", expected: "a number of meters, such as 50") { text in
      let isPlain = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0.isDigit }
      return isPlain ? Double(text).flatMap { $0.isFinite ? Meters($0) : nil } : nil
    }
  }
}

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
      throw Conflict("pass a track file, '-' for stdin, or --gpsd", isMissingArgument: true)
    }
    if file != nil, daemon != nil { throw Conflict("pass a file or --gpsd, not both", options: ["gpsd"]) }
    if daemon != nil, format != nil {
      throw Conflict("--track-format does not apply to --gpsd", options: ["track-format"])
    }
  }
}
