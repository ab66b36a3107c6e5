import Arguments
import Connect
import Display
import Location

enum LocationMap: Command {
  enum Medium: String, CaseIterable, Sendable {
    case svg, html

    var summary: String {
      switch self {
      case .svg: "a picture"
      case .html: "a page that is complete in itself and loads nothing"
      }
    }
  }

  struct Options: Sendable {
    var track = TrackOptions()
    var medium = Medium.html
    var connections: [ConnectionID] = []
    var fence = FenceOptions()
    var credentials = CredentialOptions()
  }

  static let name = "map"
  static let summary = "Draw the geofences, and a track with its entries and exits"
  static var discussion: [String] {
    [
      """
      The drawing goes to standard output, whatever --output says. What is marked is what 'location replay' would report with \
      the same options; nothing is kept and nothing sent.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "format", .oneOf(Medium.self, placeholder: "FORMAT", help: \.summary), into: \.medium, defaultText: "html",
        help: "Draw it as this"),
      .repeatedList("connection", .connectionID, into: \.connections, help: "Only the regions of this connection"),
    ] + .lifted([TrackOptions.formatFlag], into: \.track) + .lifted(FenceOptions.flags, into: \.fence)
      + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.optional(.file, into: \.track.file, help: "A track, '-' for standard input; without one only the regions")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location map walk.gpx", "a page, to be kept in a file and opened in a browser"),
      ExampleSchema("location map --format svg", "the regions alone"),
    ]
  }
  static func defaults() -> Options { Options() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.connections, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let found = try session.watchedRegions(of: options.connections, options.credentials)
    for note in found.leftOut { session.note(note) }
    var trail = Trail()
    var crossings = CrossingMarks()
    let rules = options.fence.rules
    var fence = Fence(found.wanted, rules: rules)
    var faults = TrackFaults()
    if options.track.file != nil {
      try TrackSource(options.track, in: session).forEach { items in
        for item in items {
          switch item {
          case .segment: trail.beginSegment()
          case .broken(let reason, let line): faults.add(reason, line: line)
          case .position(let position):
            try rules.check(position)
            guard case .used(let new) = fence.take(position) else { continue }
            trail.add(position)
            for crossing in new { crossings.add(crossing) }
          }
        }
      }
    }
    for note in faults.notes(fence.counts) { session.note(note) }
    if options.track.file != nil { try faults.checkForAny(fence.counts) }
    let map = RegionMap(found.wanted, trail: trail, crossings: crossings, title: "Geofences")
    var output = Output(body: .bytes(options.medium == .svg ? map.svg() : map.html()))
    output.verdict = found.verdict
    return output
  }
}
