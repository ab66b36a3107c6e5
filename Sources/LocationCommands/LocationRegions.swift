import Arguments
import CommandContext
import Connect
import Display
import Hints
import JSON
import Location
import Store
import Time
import World

enum LocationRegions: Command {
  enum Medium: String, CaseIterable, Sendable {
    case rows, geojson

    var summary: String {
      switch self {
      case .rows: "in the format of --output"
      case .geojson: "one GeoJSON document, regardless of --output"
      }
    }
  }

  struct Options: Sendable {
    var ids: [ConnectionID] = []
    var medium = Medium.rows
    var credentials = CredentialOptions()
  }

  static let name = "regions"
  static let summary = "List the geofences of the enabled connections"
  static var discussion: [String] {
    [
      """
      A region is the location field of an enabled trigger that the user has configured. A connection that is not enabled \
      has none; a region that cannot be used is skipped with a note.
      """,
      """
      LOCATION shows whether location reporting is on, off or unset for the connection. The JSON output also has the \
      coordinates of each region and the inside/outside state stored by 'location replay --remember'. On a narrow terminal, \
      ids are shortened; use the shell's completion, or '--fields id' for the full ids.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "format", .oneOf(Medium.self, placeholder: "FORMAT", help: \.summary), into: \.medium, defaultText: "rows",
        help: "Format of the list")
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.many(.connectionID, into: \.ids, help: "Only of these connections; default: all tracked ones")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location regions", "the regions that can trigger events"),
      ExampleSchema("location regions --format geojson", "for a map on geojson.io or in QGIS"),
    ]
  }
  static var shape: OutputSchema? { .regions }
  static func defaults() -> Options { Options() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.ids, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let found = try session.watchedRegions(of: options.ids, options.credentials)
    var output: Output
    switch options.medium {
    case .geojson: output = Output(body: .document(RegionGeoJSON.collection(of: found.regions).bytes))
    case .rows:
      let remembered = try session.storedFenceStates()
      if found.regions.isEmpty { session.console.noteEmpty("No enabled connection has a geofence.") }
      output = .rows(found.regions.map { $0.row(found, remembered[$0.id]) }, as: .regions)
    }
    output.verdict = found.verdict
    return output
  }
}

extension Region {
  fileprivate func row(_ found: MonitoredRegions, _ remembered: FenceState?) -> [UInt8] {
    let known = remembered.flatMap { $0.describes(self) ? $0 : nil }
    let row: JSONValue = [
      "id": .string(id), "direction": .string(direction.rawValue), "lat": .number(JSONNumber(center.latitude)),
      "lng": .number(JSONNumber(center.longitude)), "radius": .number(JSONNumber(radius)), "label": JSONValue(label),
      "connection": .string(connection), "connection_name": .string(found.names[connection] ?? connection),
      "feature": .string(feature),
      "location": .string(found.choices[connection].map { $0.isOn ? "on" : "off" } ?? "unset"),
      "side": .string((known?.side ?? .unknown).rawValue), "side_at": JSONValue(known?.seenAt?.rfc3339),
    ]
    return row.bytes
  }
}

extension OutputSchema {
  static var regions: OutputSchema {
    OutputSchema(
      name: "location-regions",
      record: RecordSchema([
        "id": .string, "direction": .word(Region.Direction.allCases.map(\.rawValue)), "lat": .number, "lng": .number,
        "radius": .number, "label": .optionalString, "connection": .string, "connection_name": .string,
        "feature": .string, "location": .word(["on", "off", "unset"]),
        "side": .word(Containment.allCases.map(\.rawValue)),
        "side_at": .optionalString,
      ]),
      columns: [
        Column("ID", "id", overflow: .elide(least: 13)), Column("LABEL", "label"),
        Column("CONNECTION", "connection", overflow: .keep),
        Column("REPORTS", "direction", overflow: .keep), Column("RADIUS", "radius", style: .measure, overflow: .keep),
        Column("LOCATION", "location", style: .status, overflow: .keep),
      ])
  }
}
