/// One kind of input from outside and what must hold of it, whatever its bytes are.
package struct FuzzTarget: Sendable {
  package let name: String
  /// What does not hold; nil where all is well.
  package let problem: @Sendable ([UInt8]) -> String?

  /// In the order in which they are run.
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
    FuzzTarget(name: "gpx", problem: TrackProperties.gpx),
    FuzzTarget(name: "nmea", problem: TrackProperties.nmea),
    FuzzTarget(name: "track", problem: TrackProperties.track),
  ]
}
