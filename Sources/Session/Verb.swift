import CommandLine
import HTTP
import Output
import Text
import World

/// A command in the tree. If its output is a list, it also has the options that select rows, and if it has results, an
/// option for reports. No command defines or applies these itself.
enum Verb<C: Command>: CommandDefinition {
  struct Options: CommandOptions {
    var own = C.Options()
    var selection = RowSelection()
    var reports: [ReportFile] = []
  }

  static var name: String { C.name }
  static var aliases: [[String]] { C.aliases }
  static var summary: String { C.summary }
  static var discussion: [String] { C.discussion }
  static var group: String? { C.group }
  static var examples: [ExampleSchema] { C.examples }

  static var flags: [Flag<Options>] {
    let own = C.flags
    let isList = C.shape?.isList == true
    let selection = isList ? RowSelection.flags { C.shape?.possibleFields(isDryRun: false) ?? [] } : []
    let lifted = own.map { flag in
      Flag<Options>(flag.schema) { (options: inout Options, given: ParsedValue) throws(ValueError) in
        try flag.apply(&options.own, given)
      }
    }
    // A command's own option, such as a `--limit` that is sent to the server, replaces the one for rows.
    let others = selection.filter { flag in !own.contains { $0.schema.name == flag.schema.name } }
    let report = C.reportFormats.isEmpty ? [] : [ReportFile.flag(C.reportFormats, into: \Options.reports)]
    return lifted + report
      + others.map { flag in
        Flag<Options>(flag.schema) { (options: inout Options, given: ParsedValue) throws(ValueError) in
          try flag.apply(&options.selection, given)
        }
      }
  }

  static var positionals: [Positional<Options>] {
    C.positionals.map { positional in
      positional.applied { (options: inout Options, given: ParsedValue) throws(ValueError) in
        try positional.apply(&options.own, given)
      }
    }
  }

  static func check(_ options: Options) throws(Conflict) {
    try C.check(options.own)
    if !options.reports.isEmpty { try C.check(options.reports, with: options.own) }
    if !options.selection.order.isEmpty, C.isEndless(options.own) {
      throw Conflict("--sort cannot be combined with --follow", options: ["sort", "follow"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    session.rowSelection = options.selection
    try session.openReport(options.reports)
    var own = options.own
    if let own = own as? any OptionsWithUsers { try session.apply(own.users) }
    try C.resolve(&own, in: session)
    return try C.run(own, in: session).selecting(options.selection, in: session)
  }
}

extension Session {
  /// Opens the reports of this run. Until the run ends, each file says that it did not finish. Writing this ensures
  /// that the file is writable before any request is sent.
  /// - Throws: `output_failed`, or `usage` if two reports have the same file.
  fileprivate func openReport(_ files: [ReportFile]) throws {
    guard !files.isEmpty, !options.isDryRun else { return }
    guard Set(files.map(\.path)).count == files.count else {
      throw Problem(.usage, "two reports cannot have the same file", hint: "Pass another file to one of them.")
    }
    let report = BatchReport(files: files, suite: (["ifttt"] + path).joined(separator: " "), world: world)
    try report.begin()
    self.report = report
  }

  /// Limits the rate of the requests, and the run to a shard.
  /// - Throws: `usage` if `--users` and `--user-id` were both passed.
  fileprivate func apply(_ users: UsersOptions) throws {
    if let rate = users.rate { try network.http.rate = rate }
    shard = try users.shards.shard(in: world.environment)
    if let shard { try report?.limit(to: shard) }
    guard users.file != nil else { return }
    // An id from the environment or the profile is only a default, which the file replaces.
    let isUserPassed = provenance.contains { value in
      if case .commandLine = value.source { value.option == "--user-id" } else { false }
    }
    if isUserPassed {
      throw Problem(
        .usage, "--users cannot be combined with --user-id", hint: "Put the user's id in the --users file.")
    }
  }
}

extension RowSelection {
  /// The options of every command that prints a list.
  /// - Parameter fields: returns the fields of the rows.
  fileprivate static func flags(fields: @escaping @Sendable () -> [String]) -> [Flag<RowSelection>] {
    [
      .list(
        "sort", .sortField(of: fields).named("FIELD,-FIELD"), into: \.order, isAdvanced: true,
        help: "Sort by these fields; a dash before a field reverses its order"),
      .value("limit", .integer(), into: \.limit, isAdvanced: true, help: "Print at most this many rows"),
      .value(
        "search", .nonEmpty("TEXT"), into: \.search, isAdvanced: true,
        help: "Print only rows with this text in any field, ignoring case"),
    ]
  }
}

extension ValueKind<SortField> {
  fileprivate static func sortField(of fields: @escaping @Sendable () -> [String]) -> ValueKind {
    ValueKind(ValueSchema(placeholder: "FIELD", completion: .dynamic("sort-field"))) {
      (text: String) throws(ValueError) in
      do throws(FieldsError) {
        let field = try SortField(parsing: text)
        try FieldCatalog(fields()).check([field.path])
        return field
      } catch {
        switch error {
        case .malformed: throw ValueError("expected a field such as 'id', or '-id' for descending order")
        case .unknown(let path, let valid):
          throw ValueError(
            "no such field", accepted: FieldNeighbors.likely(insteadOf: path, in: valid),
            bytes: text.utf8.count - path.utf8.count..<text.utf8.count)
        }
      }
    }
  }
}

extension Output {
  /// The output with the selected rows only. A dry run prints every request.
  fileprivate func selecting(_ selection: RowSelection, in session: Session) throws -> Output {
    guard !selection.isEverything, !isPlan else { return self }
    var output = self
    let counts = RowCounts()
    func selected(_ rows: Rows, _ shape: OutputSchema) throws -> Rows {
      try shape.require(selection.order.map(\.path))
      return selection.rows(of: rows, counts: counts)
    }
    switch body {
    case .nothing: return self
    case .rows(let rows, let shape): output.body = .rows(try selected(rows, shape), shape)
    case .events(let rows, let shape): output.body = .events(try selected(rows, shape), shape)
    case .text, .document, .bytes, .live:
      throw Problem(
        .usage, "this output is not a list", hint: "Omit --sort, --limit and --search, which select rows of a list.")
    }
    let (verdict, console) = (verdict, session.console)
    output.verdict = {
      if let total = counts.total, counts.shown < total, console.world.terminal.outputIsTerminal {
        console.note(Hint("Showing \(counts.shown) of \(total) rows."))
      }
      if selection.search != nil, counts.shown == 0, counts.total != 0, selection.limit != 0 {
        console.noteEmpty("No row contains the text of --search.")
      }
      try verdict()
    }
    return output
  }
}
