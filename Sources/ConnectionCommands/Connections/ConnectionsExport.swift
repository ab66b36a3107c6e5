import Changes
import CommandLine
import HTTP
import IFTTT
import JSON
package import Session
import Text
import World

enum ConnectionsExport: Command {
  struct Options: OptionsWithUsers {
    var selection = ConnectionSelection()
    var credentials = CredentialOptions()
    var users = UsersOptions()
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
    .lifted(ConnectionSelection.flags, into: \.selection)
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

  static let reportFormats = ReportFile.Format.common

  static func check(_ options: Options) throws(Conflict) {
    try options.selection.check()
    try options.users.check(options.credentials, without: options.selection.statuses.isEmpty ? [] : ["status"])
  }

  static func check(_ reports: [ReportFile], with options: Options) throws(Conflict) {
    if options.users.file == nil { throw Conflict("--report needs --users", options: ["report"]) }
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.selection.ids, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if options.users.file != nil { return try runForUsers(options, in: session) }
    let connections = try ConnectSubjects(
      options.credentials, isStatusOnly: false, isOverUsers: false, in: session)
    let selection = try options.selection.resolve(connections.readerOptions, in: session)
      .limited(to: session.shard)
    if session.options.isDryRun { return session.dryRun(try connections.requests(reading: selection.ids)) }
    // The text of an entry takes much less memory than its connection.
    var text: [UInt8] = []
    var entries: [(id: String, text: Range<Int>)] = []
    var problems: [Int: Problem] = [:]
    let source = ChangeSource(
      count: selection.ids.count, subject: { Subject(id: selection.ids[$0].description) }
    ) { .reading(selection.ids[$0]) }
    try SubjectReader(at: ChangeProviders { _ in connections }, in: session).read(source) { index, found in
      guard case .ended(let result) = found else { return }
      if let problem = result.problem { problems[index] = problem }
      guard let entry = result.latest?.exported else { return }
      let start = text.count
      text += entry.json.indented(at: 4)
      entries.append((entry.id.description, start..<text.count))
    }
    try rejectGaps(selection, problems)
    let texts = entries.sorted(by: \.id).lazy.map { [text] in Array(text[$0.text]) }
    // The document is a file to edit, so it is indented in a pipe too. The terminal's layout also escapes control
    // characters.
    guard session.world.terminal.outputIsTerminal else {
      return Output(body: .bytes { part in try ConnectionsFile.write(texts, to: part) })
    }
    var document: [UInt8] = []
    ConnectionsFile.write(texts) { document += $0 }
    return Output(body: .document(document))
  }

  private static func runForUsers(_ options: Options, in session: Session) throws -> Output {
    try session.storage.trackSandboxOnce()
    let selection = try options.selection.resolve(nil, in: session)
    if let fault = selection.faults.first { throw fault.problem }
    return try UserExport(ids: selection.ids, session: session)
      .output(options.users, options.credentials)
  }

  /// Throws if a connection could not be read, because a file without it would look complete.
  private static func rejectGaps(_ selection: BatchSelection<ConnectionID>, _ problems: [Int: Problem]) throws {
    let faults = selection.faults.map { ($0.name, $0.problem) }
    let failed = faults + problems.inOrder.map { (selection.ids[$0.key].description, $0.value) }
    guard let first = failed.first else { return }
    throw Problem(
      .partial, "\(failed.count) of \(selection.ids.count + faults.count) connections could not be read",
      reason: "a file without them would look complete", hint: first.1.hint,
      details: failed.prefix(BatchFailures.limit).map { Problem.Detail(parameter: $0.0, message: $0.1.summary) })
  }
}

extension SubjectState {
  /// The entry of an exported file; nil if the state has no connection of IFTTT.
  var exported: DesiredConnection? {
    connection.map { DesiredConnection($0, isPending: $0.status == .enabled && isPending) }
  }
}

extension OutputSchema {
  /// The lines of an export of many users.
  package static var usersExports: OutputSchema { .many(UserRow<UserExport.Line>.self) }
}

/// The connections of many users: `connections export --users` prints one line per user.
struct UserExport {
  let ids: [ConnectionID]
  let session: Session

  /// One user's connections as a file.
  struct Line: OutputRecord {
    let file: ConnectionsFile

    static let fields: Fields = [
      Field("version", "The version of the file format") { _ in ConnectionsFile.version },
      Field("connections", "The connections, as in the file of 'connections export'") {
        $0.file.json["connections"] ?? []
      },
    ]
  }

  func output(_ users: UsersOptions, _ credentials: CredentialOptions) throws -> Output {
    let connections = try ConnectSubjects(
      credentials, isStatusOnly: false, isOverUsers: true, in: session)
    var run = try UserRun(users, in: session)
    run.stop = connections.readOnlyStop
    var output = try run.output(as: .usersExports) { user in
      [UserItem { report in try read(ids[...], of: user, connections, report) }]
    }
    // JSON Lines by default, since a table cannot show files.
    if case .rows(let rows, let schema) = output.body { output.body = .events(rows, schema) }
    return output
  }

  /// Fetches a user's connections one after the other. If one fails, no line is printed for the user.
  private func read(
    _ rest: ArraySlice<ConnectionID>, of user: UserEntry, _ connections: ConnectSubjects,
    _ report: @escaping (UserResult) throws -> Void, _ entries: [DesiredConnection] = []
  ) throws -> RequestChain {
    guard let id = rest.first else {
      try report(.done([UserRow(Line(file: ConnectionsFile(connections: entries)), of: user.userID).bytes]))
      return .end
    }
    return try connections.read(Subject(id: id.description, userID: user.userID), isFresh: false) { result in
      switch result {
      case .failure(let problem):
        try report(.failed(problem))
        return .end
      case .success(let state):
        let entry = [state.exported].compactMap(\.self)
        return try read(rest.dropFirst(), of: user, connections, report, entries + entry)
      }
    }
  }
}
