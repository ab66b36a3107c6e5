import CommandLine
import IFTTT
import Output
package import Session

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
  struct Options: Sendable {
    var ids: [AppletID] = []
    var order: AppletsClient.Order?
    var platform: AppletsClient.Platform?
    var service: String?
    var credentials = CredentialOptions()
    var printsRaw = false
  }

  static let name = "fetch"
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
  static func defaults() -> Options { Options() }

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
    if try session.network.isCutOff { return try source.remembered() }
    if session.options.isDryRun { return session.dryRun(try source.requests()) }
    return options.ids.isEmpty ? try source.list() : try source.some()
  }
}
