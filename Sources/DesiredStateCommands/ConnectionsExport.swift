import API
import Arguments
import Batch
import CommandContext
import Connect
import DesiredState
import Hints
import JSON
import Users
import World

enum ConnectionsExport: Command {
  struct Options: Sendable {
    var selection = ConnectionSelection()
    var credentials = CredentialOptions()
    var users = UsersOptions()
    var reports: [ReportFile] = []
  }

  static let name = "export"
  static let summary = "Write the state of connections to a file for version control"
  static let group: String? = "State in a file"
  static var discussion: [String] {
    [
      """
      Prints one JSON document with the status and settings of the connections, for 'connections diff'. It has no times \
      and no ids of the user's own features, and it is sorted: two exports of the same state are identical. \
      'schema connections-file' prints its schema.
      """,
      """
      If one connection cannot be read, nothing is printed. IFTTT sends no settings for a connection that is not enabled, \
      so only its status is exported. With --users, each user's connections are an object on a line of its own.
      """,
      ConnectionSelection.naming,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted(ConnectionSelection.flags, into: \.selection) + [ReportFile.flag(into: \.reports)]
      + .lifted(CredentialOptions.flags, into: \.credentials) + .lifted(UsersOptions.flags, into: \.users)
  }
  static var positionals: [Positional<Options>] {
    [.many(.connectionID, into: \.selection.ids, help: "The connections to export")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections export Kd7Rn2Qx", "export one connection"),
      ExampleSchema("connections export --all", "export all tracked connections"),
    ]
  }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    try options.selection.check()
    try options.users.check(options.credentials, without: options.selection.statuses.isEmpty ? [] : ["status"])
    if options.users.file == nil, !options.reports.isEmpty {
      throw Conflict("--report needs --users", options: ["report"])
    }
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.selection.ids, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try options.users.apply(to: session)
    if options.users.file != nil { return try runForUsers(options, in: session) }
    let state = try PresentState(options.credentials, for: "'connections export'", in: session)
    let selection = try options.selection.resolve(state.credentials, in: session)
      .limited(to: options.users.shards.shard(in: session))
    if session.options.isDryRun { return session.dryRun(try state.requests(selection.ids)) }
    let found = try state.connections(selection.ids)
    try refuseGaps(selection, found)
    let memory = try session.pendingConnections
    let file = ConnectionsFile(
      connections: selection.ids.compactMap { found.connections[$0] }.map {
        DesiredConnection($0, isPending: $0.status == .enabled && memory.isPending($0))
      })
    // The document is a file to edit, so it is indented in a pipe too. The terminal's layout also escapes control
    // characters.
    if session.world.terminal.outputIsTerminal { return Output(body: .document(file.json.bytes)) }
    return Output(body: .bytes(file.json.indented))
  }

  private static func runForUsers(_ options: Options, in session: Session) throws -> Output {
    try session.storage.trackSandboxOnce()
    let selection = try options.selection.resolve(nil, in: session)
    if let fault = selection.faults.first { throw fault.problem }
    return try UserExport(ids: selection.ids, session: session)
      .output(options.users, options.credentials, options.reports)
  }

  /// A file without a connection that could not be read would look complete.
  private static func refuseGaps(
    _ selection: BatchSelection<ConnectionID>, _ found: PresentState.Found
  ) throws {
    let faults = selection.faults.map { ($0.name, $0.problem) }
    let failed = faults + selection.ids.compactMap { id in found.problems[id].map { (id.description, $0) } }
    guard let first = failed.first else { return }
    throw Problem(
      .partial, "\(failed.count) of \(selection.ids.count + faults.count) connections could not be read",
      reason: "a file without them would look complete", hint: first.1.hint,
      details: failed.prefix(BatchFailures.limit).map { Problem.Detail(parameter: $0.0, message: $0.1.summary) })
  }
}
