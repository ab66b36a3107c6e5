import CommandLine
import IFTTT
import Location
import Output
import Session
import Store
import Text
import World

enum LocationReplay: Command {
  /// How the times of positions are determined.
  enum Times: String, CaseIterable, Sendable {
    case kept, now

    var summary: String {
      switch self {
      case .kept: "as in the track"
      case .now: "all shifted so that the first position is now"
      }
    }
  }

  struct Options: CommandOptions {
    var track = TrackOptions()
    var speed = TrackClock.Speed.unlimited
    var times = Times.kept
    var connections: [ConnectionID] = []
    var fence = FenceOptions()
    var storesStates = false
    var credentials = CredentialOptions()
  }

  static let name = "replay"
  static let summary = "Replay a track through the geofences and report entries and exits"
  static var discussion: [String] {
    [
      """
      The track is a GPX, GeoJSON, NMEA 0183 or JSON Lines file, also compressed with gzip; '-' reads stdin as it \
      arrives, and --gpsd reads from a receiver. 'ifttt help tracks' describes the formats, and how positions without a \
      time are dated.
      """,
      """
      A position is inside a region if it is closer to the center than the radius. The first position never triggers \
      an event, unless --initial is given. By default, every other entry and exit counts; --hysteresis, --dwell and \
      --min-accuracy reduce jitter at a boundary. Events in a direction that the trigger does not report are ignored.
      """,
      """
      Each event is stored before it is sent, and removed when IFTTT has accepted it. Events that could not be sent are \
      sent by the next run or 'location events flush'. A connection needs 'location on' or --yes once; until then it is \
      skipped with a note. With --dry-run, regions are fetched and events are printed, but not stored or sent.
      """,
      """
      With '-', --gpsd or --speed, each event is printed when it happens; the default is then JSON Lines instead of a \
      table. With '--times now', the intervals between positions stay the same, so later events are in the future if \
      the speed is above 1x.
      """,
      """
      With --remember, positions older than the last stored one are skipped, so overlapping runs report each event \
      once. Assumed times are not stored. A --dwell in progress is not stored either, so runs with a single position \
      never complete it.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted(TrackOptions.flags, into: \.track) + [
      .value(
        "speed", .speed, into: \.speed, defaultText: "max", help: "Speed of the replay, such as 1x or 60x"),
      .value(
        "times", .oneOf(Times.self, placeholder: "TIMES", help: \.summary), into: \.times, defaultText: "kept",
        isAdvanced: true, help: "Times of the events"),
      .repeatedList("connection", .connectionID, into: \.connections, help: "Only the regions of this connection"),
      .toggle(
        "remember", into: \.storesStates,
        help: "Start with the stored inside/outside states, and store the final ones"),
    ] + .lifted(FenceOptions.flags, into: \.fence) + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.optional(.file, into: \.track.file, help: "The track, '-' for stdin")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location replay walk.gpx --dry-run", "show the events without sending them"),
      ExampleSchema(
        "location replay walk.gpx --speed 900x --times now --yes",
        "replay 15 minutes per second, as if the track began now"),
      ExampleSchema("location replay --remember --yes -", "read positions from stdin, one JSON object per line"),
    ]
  }
  static var shape: OutputSchema? { .many(ReplayRow.self).report }
  static func check(_ options: Options) throws(Conflict) { try options.track.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.connections, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let sender = session.options.isDryRun ? nil : try LocationSender(options.credentials, in: session)
    var found = try session.watchedRegions(of: options.connections, options.credentials)
    try found.verdict()
    for note in found.skipNotes { session.console.note(Hint(note)) }
    guard !found.monitored.isEmpty else {
      if let id = try session.firstDisabled(among: options.connections) {
        throw Problem(
          .notFound, "connection '\(id)' is not enabled, so it has no regions to monitor",
          hint: "Run: \(ifttt: "connections enable \(id)")")
      }
      throw Problem(
        .notFound, "there are no regions to monitor",
        hint: "See \(ifttt: "location regions") for the regions of enabled connections."
      )
    }
    sender?.add(found.regions)
    // Ask for no consent that a misspelled path makes useless.
    try TrackSource(options.track, in: session).checkFile()
    if sender != nil { try session.consent(to: &found) }
    let run = try ReplayRun(options, found, sender, in: session)
    let rows = Rows(isReiterable: false) { body in
      try Rows.storing(body) { body in try run.run { try $0.withUnsafeBytes(body) } }
    }
    let shape = OutputSchema.many(ReplayRow.self)
    return Output(
      body: run.isPaced ? .events(rows, shape) : .rows(rows, shape), isFollowed: run.isPaced,
      // A paced replay ends when its reader closes the pipe; its state so far is saved.
      isChange: sender != nil && !run.isPaced, verdict: run.evaluate)
  }
}

extension ValueKind where Value == TrackClock.Speed {
  static var speed: ValueKind {
    .parsed("SPEED", expected: "a factor such as 1x or 60x, or max") { TrackClock.Speed(parsing: $0) }
  }
}

/// A transition, as printed by `location replay`.
struct ReplayRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue {
    /// The status in a dry run.
    case notSent = "not_sent"
    case accepted, waiting, refused

    init(_ status: LocationEvent.Status) {
      switch status {
      case .waiting: self = .waiting
      case .refused: self = .refused
      case .accepted: self = .accepted
      }
    }
  }

  let event: LocationEvent
  let region: Region
  let coordinate: Coordinate
  let connectionName: String
  let status: Status

  static let fields: Fields = [
    Field("at", "The time of the event; null if the track has no times", column: "AT", overflow: .keep) {
      $0.event.occurredAt
    },
    Field("event", "Whether the region was entered or left", column: "EVENT", overflow: .keep) { $0.event.kind },
    Field("region", "The region's id", column: "REGION", overflow: .elide(least: 8), columnNumber: 6) {
      $0.region.id
    },
    Field("label", "The user's name for the place, or its address", column: "LABEL") { $0.region.label },
    Field("connection", "The connection's id", column: "CONNECTION", overflow: .keep) { $0.region.connection },
    Field("connection_name", "The connection's name") { $0.connectionName },
    Field("lat", "The latitude of the position, in degrees") { $0.coordinate.latitude },
    Field("lng", "The longitude of the position, in degrees") { $0.coordinate.longitude },
    Field("record_id", "The event's id in the queue; null in a dry run") { $0.event.recordID },
    Field("status", "The state of the event", column: "STATUS", style: .status, overflow: .keep) { $0.status },
  ]
}

extension LocationEvent.Kind: OutputValue {}
