import CommandLine
import IFTTT
import JSON
import Location
import Output
import Session
import Store
import Text
import World

enum LocationRegions: Command {
  enum Format: String, CaseIterable, Sendable {
    case rows, geojson

    var summary: String {
      switch self {
      case .rows: "in the format of --output"
      case .geojson: "one GeoJSON document, regardless of --output"
      }
    }
  }

  struct Options: CommandOptions {
    var ids: [ConnectionID] = []
    var format = Format.rows
    var credentials = CredentialOptions()
  }

  static let name = "regions"
  static let summary = "List the geofences of the enabled connections"
  static var discussion: [String] {
    [
      """
      A region is the location field of an enabled trigger that the user has configured. A connection that is not \
      enabled has no regions; a region that cannot be used is skipped with a note.
      """,
      """
      LOCATION shows whether location reporting is on, off or unset for the connection. The JSON output also includes \
      the coordinates of each region and the inside/outside state stored by 'location replay --remember'. On a narrow \
      terminal, ids are shortened; use the shell's completion, or '--fields id' for the full ids.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "format", .oneOf(Format.self, placeholder: "FORMAT", help: \.summary), into: \.format, defaultText: "rows",
        help: "Format of the list")
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.many(.connectionID, into: \.ids, help: "Only the regions of these connections; default: all tracked ones")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location regions", "list the regions that can trigger events"),
      ExampleSchema("location regions --format geojson", "print GeoJSON, for geojson.io or QGIS"),
    ]
  }
  static var shape: OutputSchema? { .many(RegionRow.self) }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.ids, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let found = try session.watchedRegions(of: options.ids, options.credentials)
    var output: Output
    switch options.format {
    case .geojson: output = Output(body: .document(RegionGeoJSON.collection(of: found.regions).bytes))
    case .rows:
      let stored = try LocationQueue(session.store, profile: session.profile.name).fenceStates()
      if found.regions.isEmpty { session.console.noteEmpty("No enabled connection has a geofence.") }
      output = .rows(found.regions.map { RegionRow($0, found, stored[$0.id]) })
    }
    output.verdict = found.verdict
    return output
  }
}

/// A region, as printed by `location regions`.
private struct RegionRow: OutputRecord {
  enum Choice: String, CaseIterable, OutputValue { case on, off, unset }

  let region: Region
  let connectionName: String
  let choice: Choice
  /// The stored state; nil if there is none, or if it describes an earlier version of the region.
  let state: FenceState?

  init(_ region: Region, _ found: ConnectionRegions, _ stored: FenceState?) {
    self.region = region
    connectionName = found.names[region.connection] ?? region.connection
    choice = found.choices[region.connection].map { $0.isOn ? .on : .off } ?? .unset
    state = stored.flatMap { $0.describes(region) ? $0 : nil }
  }

  static let fields: Fields = [
    Field("id", "The region's id", column: "ID", overflow: .elide(least: 13)) { $0.region.id },
    Field("direction", "The events that the trigger fires on", column: "REPORTS", overflow: .keep, columnNumber: 4) {
      $0.region.direction
    },
    Field("lat", "The latitude of the center, in degrees") { $0.region.center.latitude },
    Field("lng", "The longitude of the center, in degrees") { $0.region.center.longitude },
    Field("radius", "The radius in meters", column: "RADIUS", style: .measure, overflow: .keep, columnNumber: 5) {
      $0.region.radius
    },
    Field("label", "The user's name for the place, or its address", column: "LABEL") { $0.region.label },
    Field("connection", "The connection's id", column: "CONNECTION", overflow: .keep) { $0.region.connection },
    Field("connection_name", "The connection's name") { $0.connectionName },
    Field("feature", "The id of the user feature that the region belongs to") { $0.region.feature },
    Field(
      "location", "Whether location reporting is on for the connection", column: "LOCATION", style: .status,
      overflow: .keep
    ) { $0.choice },
    Field("side", "Where the last stored position was: inside, outside or unknown") {
      $0.state?.containment ?? .unknown
    },
    Field("side_at", "The time of that position; null if it had none or only an assumed one") { $0.state?.observedAt },
  ]
}

extension Region.Direction: OutputValue {}
extension Containment: OutputValue {}
