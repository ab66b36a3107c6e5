import CommandLine
import HTTP
import IFTTT
import Output
package import Session
import Store
import Text
import World

extension OutputSchema {
  package static var applets: OutputSchema {
    OutputSchema(
      one: AppletSchema.rows.one, list: AppletSchema.rows.list,
      columns: [
        Column("ID", "id", overflow: .keep), Column("NAME", "name"),
        Column("STATUS", "status", style: .status, overflow: .keep),
        Column("ENABLED", "enabled_count", style: .number, overflow: .keep),
        Column("PUBLISHED", "published_at", style: .dim),
      ])
  }
}

enum AppletsFetch: Command {
  struct Options: CommandOptions {
    var ids: [AppletID] = []
    var order: AppletsClient.Order?
    var platform: AppletsClient.Platform?
    var service: String?
    var credentials = CredentialOptions()
    var printsRaw = false
  }

  static let name = "fetch"
  static let aliases = [["applets", "list"]]
  static let summary = "Fetch a service's Applets"
  static var discussion: [String] {
    [
      """
      Without ids, it fetches all Applets of the service, in IFTTT's order unless --order is given. Applets that use \
      services of iOS or Android are omitted, unless --platform names that platform. With ids, it fetches only those \
      Applets.
      """,
      "With --offline, it shows the last fetched list of all Applets.",
      "With --json, it prints an array, even for one id.",
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("order", .oneOf(AppletsClient.Order.self, placeholder: "ORDER"), into: \.order, help: "Order of the list"),
      .value(
        "platform", .oneOf(AppletsClient.Platform.self, placeholder: "PLATFORM"), into: \.platform,
        help: "Include Applets that use services of this platform"),
      .service(into: \.service),
      .toggle("raw", into: \.printsRaw, help: "Print IFTTT's own JSON, byte for byte"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.many(.appletID, into: \.ids, help: "The Applets to fetch; default: all")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("applets fetch --service lampost --order enabled_count_desc", "list the most used Applets first"),
      ExampleSchema("applets fetch --service lampost --platform ios --json", "list the Applets for iPhones as JSON"),
    ]
  }
  static var shape: OutputSchema? { .applets }

  static func check(_ options: Options) throws(Conflict) {
    if !options.ids.isEmpty, options.order != nil || options.platform != nil {
      throw Conflict("--order and --platform cannot be combined with ids", options: ["order", "platform"])
    }
    if options.printsRaw, options.ids.count > 1 {
      throw Conflict("--raw accepts at most one id", options: ["raw"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let source = try AppletSource(options, in: session)
    if try session.network.isOffline { return try source.cached() }
    if session.options.isDryRun { return session.dryRun(try source.requests()) }
    return options.ids.isEmpty ? try source.list() : try source.named()
  }
}

/// The source of Applets: IFTTT or, with `--offline`, the last fetched list.
struct AppletSource {
  let options: AppletsFetch.Options
  let session: Session
  let slug: ServiceSlug
  let profile: String

  init(_ options: AppletsFetch.Options, in session: Session) throws {
    self.options = options
    self.session = session
    profile = try session.profile.name
    slug = try session.credentials.service(options.service)
  }

  private func client() throws -> AppletsClient {
    AppletsClient(
      caller: try session.network.caller(.api, session.credentials.locate(options.credentials)), service: slug)
  }

  /// The requests that `list` or `named` would send.
  func requests() throws -> [Request] {
    let client = try client()
    guard !options.ids.isEmpty else { return [client.list(order: options.order, platform: options.platform).request] }
    return options.ids.map { client.show($0).request }
  }

  func list() throws -> Output {
    let list = try fetchedList()
    if options.printsRaw { return Output.bytes(list.raw) }
    switch list.skipped.count {
    case 0: break
    case 1: session.console.note("1 part of the response could not be read and is skipped.")
    case let count: session.console.note("\(count) parts of the response could not be read and are skipped.")
    }
    if list.applets.isEmpty { session.console.noteEmpty("The service '\(slug)' has no Applets to show.") }
    let now = session.world.clock.now()
    let documents = list.applets.map { $0.document() }
    try cache(list, documents, at: now)
    return .rows(documents.map { appletRow($0, isStale: false, fetchedAt: now) }, as: .applets)
  }

  private func fetchedList() throws -> AppletList {
    let client = try client()
    do throws(APIError) {
      return try client.list(order: options.order, platform: options.platform).send()
    } catch {
      throw Problem(error, subject: "service '\(slug)'")
    }
  }

  func named() throws -> Output {
    let client = try client()
    let run = BatchRun(options.ids, in: session)
    if options.printsRaw, let id = run.ids.first {
      var raw: [UInt8] = []
      try client.http.send([id], to: client.show) { _, result in raw = try fetched(id, result).raw }
      return Output.bytes(raw)
    }
    return run.output(as: session.shape(.applets, of: run.ids.count)) { report in
      try client.http.send(run.ids, to: client.show) { id, result in
        switch Result(catching: { try fetched(id, result) }) {
        case .success(let fetched):
          let row = appletRow(fetched.applet.document(), isStale: false, fetchedAt: session.world.clock.now())
          try report(id, .done(row))
        case .failure(let error): try report(id, .failed(Problem.from(error)))
        }
      }
    }
  }

  private func fetched(_ id: AppletID, _ result: Result<FetchedApplet, APIError>) throws -> FetchedApplet {
    do throws(APIError) { return try result.get() } catch { throw Problem(error, subject: "Applet '\(id)'") }
  }

  private func key() throws -> AppletListKey {
    AppletListKey(
      profile: profile, service: slug.description,
      userID: try session.credentials.userID(options.credentials.userID) ?? "")
  }

  private func cache(_ list: AppletList, _ documents: [[UInt8]], at now: Timestamp) throws {
    let applets = zip(list.applets, documents).map { applet, document in
      CachedApplet(id: applet.id.description, document: document, fetchedAt: now)
    }
    try AppletCache(session.store, try key()).replace(applets, fetchedAt: now)
  }

  func cached() throws -> Output {
    let key = try key()
    guard try AppletCache(session.store, key).fetchedAt() != nil else {
      throw Problem(
        .notFound, "the Applets of '\(slug)' were never fetched", hint: "Run the command without --offline.")
    }
    var rows: [(id: String, bytes: [UInt8])] = []
    try AppletCache(session.store, key).forEach { cached in
      rows.append((cached.id, appletRow(Array(cached.document), isStale: true, fetchedAt: cached.fetchedAt)))
    }
    guard !options.ids.isEmpty else { return .rows(rows.map(\.bytes), as: .applets) }
    let known = Dictionary(rows.map { ($0.id, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    let run = BatchRun(options.ids, in: session)
    return run.output(as: session.shape(.applets, of: run.ids.count)) { report in
      for id in run.ids {
        let problem = Problem(.notFound, "Applet '\(id)' was never fetched", hint: "Run the command without --offline.")
        try report(id, known[id.description].map { .done($0) } ?? .failed(problem))
      }
    }
  }
}

/// Completes an Applet's document, which has no closing brace yet, with the members that depend on the fetch.
private func appletRow(_ document: [UInt8], isStale: Bool, fetchedAt: Timestamp) -> [UInt8] {
  document + Array(#","fetched_at":"\#(fetchedAt.rfc3339)","stale":\#(isStale)}"#.utf8)
}
