import CommandLine
import IFTTT
import Location
import Output
import Session
import Text
import World

enum LocationMap: Command {
  enum Format: String, CaseIterable, Sendable {
    case svg, html

    var summary: String {
      switch self {
      case .svg: "a picture"
      case .html: "a self-contained page that loads nothing"
      }
    }
  }

  struct Options: CommandOptions {
    var track = TrackOptions()
    var format = Format.html
    var connections: [ConnectionID] = []
    var fence = FenceOptions()
    /// `-` for stdout; nil if no file is given.
    var outputFile: String?
    var credentials = CredentialOptions()
  }

  static let name = "map"
  static let summary = "Draw the geofences, and a track with its entries and exits"
  static var discussion: [String] {
    [
      """
      Writes the drawing to stdout, regardless of --output, or to --output-file. On a terminal, it is printed only with \
      '--output-file -'. The marks are the events that 'location replay' would report with the same options; nothing is \
      stored or sent.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "format", .oneOf(Format.self, placeholder: "FORMAT", help: \.summary), into: \.format, defaultText: "html",
        help: "Format of the drawing"),
      .value("output-file", .file, into: \.outputFile, help: "Write the drawing to this file; '-' for stdout"),
      .repeatedList("connection", .connectionID, into: \.connections, help: "Only the regions of this connection"),
    ] + .lifted([TrackOptions.formatFlag], into: \.track) + .lifted(FenceOptions.flags, into: \.fence)
      + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.optional(.file, into: \.track.file, help: "A track, '-' for stdin; default: only the regions")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location map walk.gpx --output-file map.html", "draw a track on a page for the browser"),
      ExampleSchema("location map --format svg --output-file map.svg", "draw only the regions"),
    ]
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.connections, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if options.outputFile == nil, session.world.terminal.outputIsTerminal {
      let file = "map.\(options.format.rawValue)"
      throw Problem(
        .usage, "the drawing is not printed to a terminal", reason: "it is many lines of markup",
        hint: "Add --output-file \(file), or --output-file - to print it anyway.")
    }
    let found = try session.watchedRegions(of: options.connections, options.credentials)
    for note in found.skipNotes { session.console.note(Hint(note)) }
    var trail = Trail()
    var transitions = TransitionMarks()
    let rules = options.fence.rules
    var fence = Fence(found.monitored, rules: rules)
    var faults = TrackFaults()
    var dates = AssumedDate()
    if options.track.file != nil {
      let source = TrackSource(options.track, in: session)
      try source.forEach { items in
        for item in items {
          switch item {
          case .segment:
            trail.beginSegment()
            if !source.isLive { fence.beginSegment() }
          case .broken(let reason, let line): faults.add(reason, line: line)
          case .position(let found):
            try rules.check(found)
            let position = dates.complete(found, now: session.world.clock.now())
            guard case .used(let events) = fence.receive(position) else { continue }
            trail.add(position)
            for event in events { transitions.add(event) }
          }
        }
      }
    }
    for note in faults.notes(fence.counts) { session.console.note(note) }
    if let first = dates.first { session.console.note(Hint(first.assumedDateNote)) }
    if options.track.file != nil { try faults.requirePositions(fence.counts) }
    let map = RegionMap(found.monitored, trail: trail, transitions: transitions, title: "Geofences")
    let drawing = options.format == .svg ? map.svg() : map.html()
    var output = Output.nothing
    if let file = options.outputFile, file != "-" {
      if session.options.isDryRun { return session.dryRun(change: "Would write the drawing to \(file).") }
      try session.world.write("the drawing", drawing, to: file, mode: 0o644)
      session.console.noteToPerson("The drawing is in \(file).")
    } else {
      output.body = Output.bytes(drawing).body
    }
    output.verdict = found.verdict
    return output
  }
}
