import Arguments
import CommandContext
import Connect
import Display
import Hints
import Location
import Store
import World

enum LocationReplay: Command {
  /// How the times of positions are determined.
  enum Times: String, CaseIterable, Sendable {
    case kept, now

    var summary: String {
      switch self {
      case .kept: "as the track has them"
      case .now: "all shifted so that the first position is now"
      }
    }
  }

  struct Options: Sendable {
    var track = TrackOptions()
    var speed = TrackClock.Speed.unlimited
    var times = Times.kept
    var connections: [ConnectionID] = []
    var fence = FenceOptions()
    var remembers = false
    var credentials = CredentialOptions()
  }

  static let name = "replay"
  static let summary = "Walk a track through the geofences and report entries and exits"
  static var discussion: [String] {
    [
      """
      The track is a GPX, GeoJSON or NMEA 0183 file or JSON Lines; '-' reads standard input as it comes, and --gpsd asks a \
      receiver. A position is inside a region where it is nearer to its centre than the radius. Where a track begins is \
      no event, unless --initial says so, and only the direction that a trigger wants is one.
      """,
      """
      A line of JSON Lines is an object with lat and lng, and where they are known time (RFC 3339, or seconds or milliseconds \
      since 1970) and accuracy in metres; lon, latitude, timestamp and other usual names will do. A position without a time is \
      one of now, and among others that have times, of the time before it. Of a GPX file its tracks are walked, or where it \
      has none its routes, or else its waypoints.
      """,
      """
      NMEA without a date keeps its times of day: the first position is assumed to be from today, or from yesterday if it \
      would otherwise lie in the future. With --remember, positions older than the last stored one are skipped, and \
      overlapping runs report each event once.
      """,
      """
      Times that are shifted keep their intervals, so that at more than 1x later events lie in the future. A pending --dwell is \
      not remembered: one position a run never lasts.
      """,
      """
      Each event is written down before it is sent, and removed when IFTTT has accepted it; what could not be sent waits for \
      the next run or 'location events flush'. A connection needs 'location on' or --yes once; until then it is skipped with a \
      note. With --dry-run, regions are fetched and events are printed, but not stored or sent.
      """,
      """
      From '-', from --gpsd and at a --speed, each event is shown when it happens: in an array with --json, in CSV or TSV where \
      that is asked for, and else as one JSON object a line.
      """,
      """
      Distances are along the great circle; those of iOS and Android differ by up to 0.5 %, so that near a border a phone \
      may decide otherwise. An accuracy is what the source says, or 5 metres times the dilution of precision. By itself every \
      crossing counts; --hysteresis, --dwell and --min-accuracy calm a track that jitters at a border.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted(TrackOptions.flags, into: \.track) + [
      .value(
        "speed", .speed, into: \.speed, defaultText: "max", help: "Play the track this fast, such as 1x or 60x"),
      .value(
        "times", .oneOf(Times.self, placeholder: "TIMES", help: \.summary), into: \.times, defaultText: "kept",
        isAdvanced: true, help: "Which times the events have"),
      .repeatedList("connection", .connectionID, into: \.connections, help: "Only the regions of this connection"),
      .toggle(
        "remember", into: \.remembers,
        help: "Begin on the sides remembered from last time, and remember where the track ends"),
    ] + .lifted(FenceOptions.flags, into: \.fence) + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.optional(.file, into: \.track.file, help: "The track, '-' for standard input")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location replay walk.gpx --dry-run", "what would be reported"),
      ExampleSchema(
        "location replay walk.gpx --speed 900x --times now --yes", "a quarter of an hour a second, as if it were today"),
      ExampleSchema("location replay --remember --yes -", "positions from a program, one JSON object a line"),
    ]
  }
  static var shape: OutputSchema? { .many(ReplayRow.self) }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.track.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.connections, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let sender = session.options.isDryRun ? nil : try LocationSender(options.credentials, in: session)
    var found = try session.watchedRegions(of: options.connections, options.credentials)
    try found.verdict()
    for note in found.leftOut { session.note(Hint(note)) }
    guard !found.wanted.isEmpty else {
      throw Problem(
        .notFound, "there is no region to watch",
        hint: "See \(ifttt: "location regions") for those of enabled connections."
      )
    }
    sender?.know(found.regions)
    if sender != nil { try session.consent(to: &found) }
    let run = try ReplayRun(options, found, sender, in: session)
    let rows = Rows(isReiterable: false) { body in
      try withoutActuallyEscaping(body) { body in try run.run { try $0.withUnsafeBytes(body) } }
    }
    // The `json` format is always one document, however long the replay takes.
    let areLines = run.isPaced && session.options.format != .json
    let shape = OutputSchema.many(ReplayRow.self)
    return Output(
      body: areLines ? .events(rows, shape) : .rows(rows, shape), isFollowed: run.isPaced,
      // A paced replay ends when its reader closes the pipe; its state so far is saved.
      isChange: sender != nil && !run.isPaced, verdict: run.judge)
  }
}

extension ValueKind where Value == TrackClock.Speed {
  static var speed: ValueKind {
    .parsed("SPEED", expected: "a factor such as 1x or 60x, or max") { TrackClock.Speed(parsing: $0) }
  }
}
