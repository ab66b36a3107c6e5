import CommandLine
import IFTTT
import JSON
import Output
import Session
import Text

enum ConnectionsQuery: Command {
  struct Options: CommandOptions {
    var use = StepOptions()
    var includes: [String] = []
    var pageSize: Int?
    var isAll = false
  }

  static let name = "query"
  static let summary = "Run a query of a connection"
  static let group: String? = "Steps"
  static var discussion: [String] {
    [
      """
      Prints the query's rows for the user, one column per ingredient, using the stored field values or those given \
      with --field. IFTTT returns the rows in pages: --all fetches every page, and stops if a page repeats.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted([StepOptions.fieldFlag], into: \.use) + [
      .toggle("all", into: \.isAll, help: "Fetch all pages, not only the first"),
      .repeatedList(
        "include", .nonEmpty("INGREDIENT"), into: \.includes, help: "Resolve this ingredient inline"),
      .value("page-size", .integer(in: 1...Int.max), into: \.pageSize, help: "Number of rows per page"),
    ] + .lifted(StepOptions.flags, into: \.use)
  }
  static var positionals: [Positional<Options>] {
    [
      .required(.ownConnectionID, into: \.use.id, help: "The connection"),
      .required(
        .nonEmpty("SERVICE.QUERY", completion: .dynamic("query")), into: \.use.step,
        help: "The query; the part before the dot is optional if the rest is unique"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections query Kd7Rn2Qx tidebook.list_tides --all -o jsonl", "print all rows as they arrive"),
      ExampleSchema(
        "connections query Kd7Rn2Qx list_tides --page-size 2 --dry-run", "show the request without sending it"),
    ]
  }
  static var shape: OutputSchema? { .freeForm("a query") }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.use.id.value, as: options.use.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var prepared = try PreparedStep(.perform, options.use, in: session)
    (prepared.use.includes, prepared.use.limit) = (options.includes, options.pageSize)
    if session.options.isDryRun { return session.dryRun([prepared.endpoint.request]) }
    let pages = QueryPages(prepared)
    let first = try pages.next()
    var shape = OutputSchema.freeForm("a query")
    let rows: Rows
    var failure: (any Error)?
    let needsColumns = session.options.fields == nil && ![.json, .jsonl].contains(session.options.format)
    if needsColumns {
      // A later page may have ingredients that the first page lacks, and columns must be known before the first row.
      var all = first
      do {
        while options.isAll, pages.hasMore { all += try pages.next() }
      } catch {
        failure = error
      }
      let columns = [Column](keysOf: all)
      shape = shape.changingColumns { $0 = columns }
      rows = Rows(all.filter { !$0.members.isEmpty }.map { JSONValue.object($0).bytes })
    } else {
      rows = Rows(isReiterable: false) { body in
        var page = first
        while true {
          for row in page where !row.members.isEmpty { try JSONValue.object(row).bytes.withUnsafeBytes(body) }
          guard options.isAll, pages.hasMore else { break }
          page = try pages.next()
        }
      }
    }
    var output = Output(body: .rows(rows, shape))
    output.verdict = {
      if let failure { throw failure }
      if let cursor = pages.repeated {
        throw Problem(
          .badResponse, "the pages repeat", reason: "cursor '\(cursor)' was returned twice",
          hint: "The rows before it are printed; narrow the query with --field or --page-size.")
      }
      if !options.isAll, pages.hasMore { session.console.note("There are more rows; --all fetches every page.") }
    }
    return output
  }
}

/// The pages of a query, in order.
final class QueryPages {
  private var use: PreparedStep
  private var isOver = false
  private var cursors: Set<String> = []

  init(_ use: PreparedStep) { self.use = use }

  /// Whether the last page has a cursor for another.
  var hasMore: Bool { !isOver && !cursors.isEmpty }

  func next() throws -> [JSONObject] {
    let page: QueryPage
    do throws(APIError) { page = try use.access.client.perform(use.use, of: use.access.id).send() } catch {
      throw use.problem(error)
    }
    if page.skipped > 0 { use.access.session.console.note("\(page.skipped) rows cannot be read and are skipped.") }
    guard let next = page.next else {
      isOver = true
      return page.rows
    }
    // A cursor that was used before would repeat forever.
    guard cursors.insert(next.cursor).inserted else {
      isOver = true
      repeated = next.cursor
      return page.rows
    }
    use.use.cursor = next.cursor
    if let fields = next.fields { use.use.fields = fields.members.map { ($0.key, $0.value) } }
    return page.rows
  }

  /// The cursor that was returned twice.
  private(set) var repeated: String?
}
