import CommandLine
import IFTTT
import JSON
import Output
import Session
import Text

enum ConnectionsQuery: Command {
  struct Options: CommandOptions {
    var stepOptions = StepOptions()
    var includes: [String] = []
    var pageSize: Int?
    var cursor: String?
    var isAll = false
  }

  static let name = "query"
  static let summary = "Run a query of a connection"
  static let group: String? = "Steps"
  static var discussion: [String] {
    [
      """
      Prints the query's rows for the user, one column per ingredient, using the stored field values or those given \
      with --field. IFTTT returns the rows in pages: --all fetches every page, and stops if a page repeats. With --limit \
      too, it stops after the page with the last row. A note has the cursor of the next page, for --cursor.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted([StepOptions.fieldFlag], into: \.stepOptions) + [
      .toggle("all", into: \.isAll, help: "Fetch all pages, not only the first"),
      .repeatedList(
        "include", .nonEmpty("INGREDIENT"), into: \.includes, help: "Resolve this ingredient inline"),
      .value("page-size", .integer(in: 1...Int.max), into: \.pageSize, help: "Number of rows per page"),
      .value("cursor", .nonEmpty("CURSOR"), into: \.cursor, help: "Begin with the page of this cursor"),
    ] + .lifted(StepOptions.flags, into: \.stepOptions)
  }
  static var positionals: [Positional<Options>] {
    [
      .required(.ownConnectionID, into: \.stepOptions.id, help: "The connection"),
      .required(
        .nonEmpty("SERVICE.QUERY", completion: .dynamic("query")), into: \.stepOptions.step,
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
    try session.resolve(&options.stepOptions.id.value, as: options.stepOptions.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var prepared = try PreparedStep(.perform, options.stepOptions, in: session)
    (prepared.invocation.includes, prepared.invocation.limit) = (options.includes, options.pageSize)
    prepared.invocation.cursor = options.cursor
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
      if let cursor = pages.repeatedCursor {
        throw Problem(
          .badResponse, "the pages repeat", reason: "cursor '\(cursor)' was returned twice",
          hint: "The rows before it are printed; narrow the query with --field or --page-size.")
      }
      if !options.isAll, let cursor = pages.nextCursor.flatMap(ShellWord.pastable) {
        session.console.note("There are more rows: --all fetches every page, and --cursor \(cursor) the next one.")
      }
    }
    return output
  }
}

/// The pages of a query, in order.
final class QueryPages {
  private var step: PreparedStep
  private var isComplete = false
  private var cursors: Set<String> = []
  /// The cursor that was returned twice.
  private(set) var repeatedCursor: String?

  init(_ step: PreparedStep) { self.step = step }

  /// The cursor of the page after the last fetched one; nil after the last page.
  var nextCursor: String? { isComplete || cursors.isEmpty ? nil : step.invocation.cursor }
  var hasMore: Bool { nextCursor != nil }

  func next() throws -> [JSONObject] {
    let page: QueryPage
    do throws(APIError) { page = try step.access.client.perform(step.invocation, of: step.access.id).send() } catch {
      throw step.problem(error)
    }
    if page.skipped > 0 {
      step.access.session.console.note("Skipped \(page.skipped.counted("row")) that cannot be read.")
    }
    guard let next = page.next else {
      isComplete = true
      return page.rows
    }
    // A cursor that was used before would repeat forever.
    guard cursors.insert(next.cursor).inserted else {
      isComplete = true
      repeatedCursor = next.cursor
      return page.rows
    }
    step.invocation.cursor = next.cursor
    if let fields = next.fields { step.invocation.fields = fields.members.map { ($0.key, $0.value) } }
    return page.rows
  }
}
