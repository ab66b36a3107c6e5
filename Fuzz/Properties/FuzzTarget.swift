/// A kind of external input, with the properties that must hold for any bytes.
package struct FuzzTarget: Sendable {
  package let name: String
  /// The property that does not hold, or nil if all hold.
  package let problem: @Sendable ([UInt8]) -> String?

  /// All targets, in the order in which they are run.
  package static let all: [FuzzTarget] = [
    FuzzTarget(name: "arguments", problem: ArgumentProperties.problem),
    FuzzTarget(name: "json", problem: JSONProperties.problem),
    FuzzTarget(name: "connection", problem: ConnectionProperties.problem),
    FuzzTarget(name: "applets", problem: AppletProperties.problem),
    FuzzTarget(name: "url", problem: URLProperties.problem),
    FuzzTarget(name: "redirect", problem: RedirectProperties.problem),
    FuzzTarget(name: "date", problem: DateProperties.problem),
    FuzzTarget(name: "terminal", problem: TerminalProperties.problem),
    FuzzTarget(name: "manifest", problem: ManifestProperties.problem),
    FuzzTarget(name: "recording", problem: RecordingProperties.problem),
    FuzzTarget(name: "plugin", problem: PluginProperties.problem),
    FuzzTarget(name: "archive", problem: ArchiveProperties.problem),
    FuzzTarget(name: "origin", problem: OriginProperties.problem),
    FuzzTarget(name: "gpx", problem: TrackProperties.gpx),
    FuzzTarget(name: "nmea", problem: TrackProperties.nmea),
    FuzzTarget(name: "track", problem: TrackProperties.track),
  ]
}
