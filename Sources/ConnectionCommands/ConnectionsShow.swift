import API
import Arguments
import Batch
import CommandContext
import Connect
import Display
import HTTP
import Hints
import JSON
import PluginHost
import Store
import World

enum ConnectionsShow: Command {
  struct Options: Sendable {
    var selection = ConnectionSelection()
    var report: ReportFile?
    var credentials = CredentialOptions()
    var tracks = true
    var printsRaw = false
    var provider: ProviderName?
  }

  static let name = "show"
  static let summary = "Show connections in full, and track them"
  static var discussion: [String] {
    [
      """
      Fetches each connection and shows its services and features. With a user's credentials, it also shows that \
      user's status and configuration. The profile then tracks the connection, unless --no-track is given.
      """,
      """
      With --json, one id prints an object, and several ids print an array. Every other command that accepts several \
      ids prints an array even for one id.
      """,
      ConnectionSelection.naming,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted(ConnectionSelection.flags, into: \.selection) + [
      .toggle("track", negatable: true, into: \.tracks, defaultText: "on", help: "Track the shown connections"),
      .toggle("raw", into: \.printsRaw, help: "Print IFTTT's own JSON, byte for byte"),
      ReportFile.flag(into: \.report),
      .value("provider", .providerName, into: \.provider, help: "Provider of the ids, as in NAME:ID"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.many(.connectionID, into: \.selection.ids, help: "The connections to show")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections show Kd7Rn2Qx", "show a connection"),
      ExampleSchema("connections show Kd7Rn2Qx --json --fields id,status", "print its id and status as JSON"),
      ExampleSchema("connections show --all -o jsonl", "print all tracked connections, one per line"),
    ]
  }
  static var shape: OutputSchema? { .connections.singleForOne }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    try options.selection.check()
    if options.printsRaw, options.selection.ids.count != 1 {
      throw Conflict("--raw accepts exactly one id", options: ["raw"])
    }
    if options.printsRaw, options.report != nil {
      throw Conflict("--report cannot be combined with --raw", options: ["report"])
    }
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    if options.provider == nil { try session.resolve(&options.selection.ids, as: options.credentials) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.storage.trackSandboxOnce()
    let report = try session.openReport(options.report)
    let groups = try ProviderGroups(options.selection, options.provider, in: session)
    let selection = try groups.select(options.credentials)
    let request = ShowRequest(credentials: options.credentials, tracks: options.tracks)
    let fetches = try groups.fetches(selection.ids, request)
    if session.options.isDryRun { return session.dryRun(try fetches.flatMap { try $0.requests }) }
    if options.printsRaw, let fetch = fetches.first { return Output(body: .bytes(try fetch.raw())) }
    var batch = BatchRun(selection.ids, in: session)
    (batch.faults, batch.report) = (selection.faults, report)
    return batch.output(as: selection.isSingle ? .connection : .connections) { report in
      let loop = FetchLoop(in: session)
      for fetch in fetches { try fetch.fetch(in: loop, report) }
      try loop.run()
    }
  }
}
