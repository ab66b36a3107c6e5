import Changes
import CommandLine
import IFTTT
import Output
import Plugins
import Session
import Store
import Text
import World

enum ConnectionsList: Command {
  struct Options: OptionsWithUsers {
    var credentials = CredentialOptions()
    var statuses: [Connection.Status] = []
    var refreshes = false
    var provider: ProviderName?
    var users = UsersOptions()
  }

  static let name = "list"
  static let summary = "List the connections this profile tracks"
  static var discussion: [String] {
    [
      """
      IFTTT has no endpoint that lists connections, so this command lists the ones that you added to this profile with \
      'connections add' or 'connections show --track'. It first refreshes entries older than --max-age, in parallel.
      """,
      """
      A connection that could not be fetched is shown from the cache, with "stale": true in JSON and one note. With \
      --max-age 0 or --refresh, this is an error.
      """,
      """
      It also lists the connections of providers: plugins that need no credential or have one in this profile. They \
      are fetched in parallel and sorted by name, then id. With JSON Lines, the connections of a provider are printed \
      as soon as its list is complete. If a provider fails, its cached connections are shown, or it is skipped, with a \
      note.
      """,
      """
      With --users, fetches the tracked connections of IFTTT for each user in a file, as 'connections show' does. Each \
      row has a user_id.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeatedList(
        "status", .status, into: \.statuses, help: "Only connections with one of these statuses"),
      .toggle("refresh", into: \.refreshes, help: "Fetch all connections again, regardless of age"),
      .value("provider", .providerName, into: \.provider, help: "Only the connections of this provider"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials) + .lifted(UsersOptions.flags, into: \.users)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections list --status enabled --json", "list enabled connections as JSON"),
      ExampleSchema("connections list --fields id,name -o tsv", "print ids and names, for cut and awk"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? { .connections }

  static func check(_ options: Options) throws(Conflict) {
    var others: [String] = []
    if case .plugin? = options.provider { others.append("provider") }
    try options.users.check(options.credentials, without: others)
  }

  static func check(_ reports: [ReportFile], with options: Options) throws(Conflict) {
    if !options.refreshes, options.users.file == nil {
      throw Conflict("--report needs --refresh", options: ["report"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if options.users.file != nil { return try runForUsers(options, in: session) }
    let request = ListRequest(
      statuses: options.statuses, credentials: options.credentials, isRefresh: options.refreshes,
      maxAge: options.refreshes ? .zero : session.options.maxAge)
    try session.store.readSnapshots()
    let list = try CombinedList(of: options.provider, request, in: session)
    return try session.options.isDryRun ? session.dryRun(list.requests) : list.output()
  }

  private static func runForUsers(_ options: Options, in session: Session) throws -> Output {
    try session.storage.trackSandboxOnce()
    let tracked = try session.store.tracked(withStatus: [], profile: session.profile.name)
    if tracked.isEmpty { session.console.note(.nothingTracked) }
    return try UserConnections(
      ids: tracked.compactMap(ConnectionID.init(parsing:)), statuses: options.statuses,
      credentials: options.credentials, users: options.users, session: session
    ).output()
  }
}
