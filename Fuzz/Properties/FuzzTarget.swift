/// A kind of external input, with the properties that must hold for any bytes.
package struct FuzzTarget: Sendable {
  package let name: String
  /// Whether an input takes long, such as a run of the whole program, so that the tests try fewer of them.
  package let isSlow: Bool
  /// The property that does not hold, or nil if all hold.
  package let problem: @Sendable ([UInt8]) -> String?

  private init(_ name: String, isSlow: Bool = false, _ problem: @escaping @Sendable ([UInt8]) -> String?) {
    (self.name, self.isSlow, self.problem) = (name, isSlow, problem)
  }

  /// All targets, by the part of the program that reads the input.
  package static let all: [FuzzTarget] = commandLine + responses + files + plugins + tracks + services

  private static let commandLine = [
    FuzzTarget("arguments", isSlow: true, ArgumentProperties.problem),
    FuzzTarget("terminal", TerminalProperties.problem),
    FuzzTarget("identifiers", IdentifierProperties.problem),
  ]

  private static let responses = [
    FuzzTarget("json", JSONProperties.problem),
    FuzzTarget("connection", ConnectionProperties.problem),
    FuzzTarget("applets", AppletProperties.problem),
    FuzzTarget("url", URLProperties.problem),
    FuzzTarget("redirect", RedirectProperties.problem),
    FuzzTarget("callback", CallbackProperties.problem),
    FuzzTarget("date", DateProperties.problem),
    FuzzTarget("headers", HeaderProperties.problem),
    FuzzTarget("token", TokenProperties.problem),
    FuzzTarget("regions", isSlow: true, RegionProperties.problem),
  ]

  private static let files = [
    FuzzTarget("backup", isSlow: true, BackupProperties.problem),
    FuzzTarget("recording", RecordingProperties.problem),
    FuzzTarget("replay", isSlow: true, ReplayProperties.problem),
    FuzzTarget("users", UserProperties.problem),
    FuzzTarget("desired-state", DesiredStateProperties.connections),
    FuzzTarget("plan", DesiredStateProperties.plan),
    FuzzTarget("summary", SummaryProperties.problem),
    FuzzTarget("property-list", isSlow: true, PropertyListProperties.problem),
  ]

  private static let plugins = [
    FuzzTarget("manifest", ManifestProperties.problem),
    FuzzTarget("plugin", PluginProperties.problem),
    FuzzTarget("session", SessionProperties.problem),
    FuzzTarget("host", isSlow: true, HostProperties.problem),
    FuzzTarget("conformance", isSlow: true, ConformanceProperties.problem),
    FuzzTarget("provider", ProviderProperties.problem),
    FuzzTarget("trace", TraceProperties.problem),
    FuzzTarget("answers", AnswersProperties.problem),
    FuzzTarget("archive", ArchiveProperties.problem),
    FuzzTarget("members", MemberProperties.problem),
    FuzzTarget("git", GitProperties.problem),
    FuzzTarget("index", IndexProperties.problem),
    FuzzTarget("checksums", ChecksumProperties.problem),
    FuzzTarget("origin", OriginProperties.problem),
    FuzzTarget("lock", LockProperties.problem),
  ]

  private static let tracks = [
    FuzzTarget("gpx", TrackProperties.gpx),
    FuzzTarget("nmea", TrackProperties.nmea),
    FuzzTarget("track", TrackProperties.track),
    FuzzTarget("track-file", TrackProperties.file),
    FuzzTarget("gpsd", GPSDProperties.problem),
  ]

  private static let services = [
    FuzzTarget("request", RequestProperties.problem),
    FuzzTarget("webhook", WebhookProperties.problem),
    FuzzTarget("notifications", NotificationProperties.problem),
    FuzzTarget("definition", DefinitionProperties.problem),
    FuzzTarget("seed", SeedProperties.problem),
    FuzzTarget("sandbox", isSlow: true, SandboxProperties.problem),
    FuzzTarget("partner", isSlow: true, PartnerProperties.problem),
    FuzzTarget("probe", isSlow: true, ProbeProperties.problem),
  ]
}
