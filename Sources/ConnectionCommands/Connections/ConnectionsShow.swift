import Changes
import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Plugins
import Session
import Store
import Text
import World

enum ConnectionsShow: Command {
  struct Options: OptionsWithUsers {
    var selection = ConnectionSelection()
    var credentials = CredentialOptions()
    var tracks = false
    var printsRaw = false
    var provider: ProviderName?
    var users = UsersOptions()
  }

  static let name = "show"
  static let summary = "Show connections in full"
  static var discussion: [String] {
    [
      """
      Fetches each connection and shows its services and features. With a user's credentials, it also shows that \
      user's status and configuration. With --track, the profile also tracks the connection: it then appears in \
      'connections list'.
      """,
      """
      With --json, one id prints an object, and several ids print an array. Every other command that accepts several \
      ids prints an array even for one id.
      """,
      """
      With --users, fetches the connections of each user in a file, with the service key or, with --as user, with the \
      user token that is stored under the user's id. Each row has a user_id. Nothing is cached or tracked.
      """,
      ConnectionSelection.naming,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted(ConnectionSelection.flags, into: \.selection) + [
      .toggle("track", into: \.tracks, help: "Track the shown connections"),
      .toggle("raw", into: \.printsRaw, help: "Print IFTTT's own JSON, byte for byte"),
      .value("provider", .providerName, into: \.provider, help: "Provider of the ids, as in NAME:ID"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials) + .lifted(UsersOptions.flags, into: \.users)
  }
  static var positionals: [Positional<Options>] {
    [.many(.connectionID, into: \.selection.ids, help: "The connections to show")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections show Kd7Rn2Qx", "show a connection"),
      ExampleSchema("connections show Kd7Rn2Qx --json --fields id,status", "print its id and status as JSON"),
      ExampleSchema("connections show --all -o jsonl", "print all tracked connections, one per line"),
      ExampleSchema("connections show Kd7Rn2Qx --users users.csv -o jsonl", "show it for each user in a file"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? { .connections.singleForOne }

  static func check(_ options: Options) throws(Conflict) {
    try options.selection.check()
    var others: [String] = []
    if options.printsRaw { others.append("raw") }
    if options.tracks { others.append("track") }
    // The status in the cache is that of the profile's own user.
    if !options.selection.statuses.isEmpty { others.append("status") }
    if case .plugin? = options.provider { others.append("provider") }
    try options.users.check(options.credentials, without: others)
    if options.printsRaw, options.selection.ids.count != 1 {
      throw Conflict("--raw accepts exactly one id", options: ["raw"])
    }
    if options.printsRaw, options.users.shards.choice != nil {
      throw Conflict("--shard cannot be combined with --raw", options: ["shard"])
    }
  }

  static func check(_ reports: [ReportFile], with options: Options) throws(Conflict) {
    if options.printsRaw { throw Conflict("--report cannot be combined with --raw", options: ["report"]) }
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    // A run over users may take hours, and a snapshot would keep other processes from emptying the database's log.
    if options.users.file == nil {
      try session.store.readSnapshots(ofCache: !options.tracks || session.network.isOffline)
    }
    if options.provider == nil { try session.resolve(&options.selection.ids, as: options.credentials) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if options.users.file != nil { return try runForUsers(options, in: session) }
    try session.storage.trackSandboxOnce()
    let groups = try ProviderGroups(options.selection, options.provider, in: session)
    let selection = try groups.select(options.credentials).limited(to: session.shard)
    let offer = TrackingOffer()
    let request = ShowRequest(credentials: options.credentials, tracks: options.tracks, offer: offer)
    let fetches = try groups.fetches(selection.ids, request)
    if session.options.isDryRun { return try dryRun(fetches, selection.ids, options, in: session) }
    if options.printsRaw, let fetch = fetches.first { return Output.bytes(try fetch.raw()) }
    var batch = BatchRun(selection.ids, in: session)
    batch.faults = selection.faults
    var output = batch.output(as: selection.isSingle ? .connection : .connections) { report in
      let loop = FetchLoop(in: session)
      for fetch in fetches { try fetch.fetch(in: loop, report) }
      try loop.run()
    }
    output.verdict = { [verdict = output.verdict] in
      offer.present(in: session)
      try verdict()
    }
    return output
  }

  private static func dryRun(
    _ fetches: [any ConnectionFetch], _ ids: [QualifiedConnectionID], _ options: Options, in session: Session
  ) throws -> Output {
    let own = options.tracks ? ids.filter { $0.provider == nil } : []
    let new = try own.filter { try !session.storage.isTracked($0.id) }
    return session.dryRun(
      try fetches.flatMap { try $0.requests },
      change: new.isEmpty ? nil : "Would track \(new.map(\.description).joined(separator: ", ")).")
  }

  private static func runForUsers(_ options: Options, in session: Session) throws -> Output {
    try session.storage.trackSandboxOnce()
    let selection = try options.selection.resolve(nil, in: session)
    // A run over users does not report invalid lines of stdin, so reject them here.
    if let fault = selection.faults.first { throw fault.problem }
    return try UserConnections(
      ids: selection.ids, credentials: options.credentials, users: options.users, session: session
    ).output()
  }
}

/// The connections of many users: `connections show` and `connections list` with `--users`.
///
/// Nothing is written to the cache, which belongs to the profile's own user.
struct UserConnections {
  let ids: [ConnectionID]
  /// Only connections with one of these statuses; all connections if it is empty.
  var statuses: [Connection.Status] = []
  let credentials: CredentialOptions
  let users: UsersOptions
  let session: Session

  func output() throws -> Output {
    try rejectOffline()
    let clients = try ConnectClients(readingUsers: credentials, in: session)
    var run = try UserRun(users, in: session)
    run.stop = clients.readOnlyStop
    let tracked = try Dictionary(
      uniqueKeysWithValues: Set(ids).map {
        ($0, try session.store.isTracked($0.description, profile: session.profile.name))
      })
    let unneeded = unneededParts
    let shared = Dictionary(uniqueKeysWithValues: Set(ids).map { ($0, SharedParts()) })
    return try run.output(as: .connections.withUsers) { user in
      let client: ConnectClient
      switch try clients.reader(user.userID) {
      case .success(let found): client = found
      case .failure(let problem): return [.failed(problem)]
      }
      return ids.map { id in
        UserItem(ids.count == 1 ? nil : id.description) { report in
          client.show(id, without: unneeded, sharing: shared[id] ?? SharedParts()).chain { result in
            switch result {
            case .success(let fetched):
              try report(.done(row(fetched, of: user, isTracked: tracked[id] == true)))
            case .failure(let error): try report(.failed(Problem(error, subject: "connection '\(id)'")))
            }
            return .end
          }
        }
      }
    }
  }

  private func rejectOffline() throws {
    guard try session.network.isOffline else { return }
    throw Problem(
      .network, "--users needs IFTTT", reason: "the cache has the connections of one user only",
      hint: "Run the command without --offline.")
  }

  /// The parts of a connection that none of the requested fields shows.
  private var unneededParts: ConnectionParts {
    // A search or an order may need fields that are not printed.
    guard let fields = session.options.fields, !session.rowSelection.readsFields else { return [] }
    return ConnectionParts.all.subtracting(fields.reduce(into: []) { $0.formUnion(ConnectionParts(of: $1.text)) })
  }

  /// The row of a connection; empty if its status was not requested.
  private func row(_ fetched: SharedConnection, of user: UserEntry, isTracked: Bool) -> [[UInt8]] {
    let connection = fetched.connection
    guard statuses.isEmpty || statuses.contains(connection.status) else { return [] }
    // The profile's record of pending connections is about the profile's own user.
    let document = fetched.document(pending: connection.showsNothingConfigured)
    let row = ConnectionRow.complete(
      document, tracked: isTracked, stale: false, fetchedAt: session.world.clock.now())
    return [user.adding(to: row)]
  }
}

extension ConnectionParts {
  /// The parts that a field of the output is made from.
  fileprivate init(of field: String) {
    self =
      switch field.prefix(while: { $0 != "." }) {
      case "services", "primary_service": .services
      case "features": .features
      case "configuration": .configuration
      case "pending": [.features, .configuration]
      case "cover_images": .images
      default: []
      }
  }
}
