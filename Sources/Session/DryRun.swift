package import HTTP
import Output
import Text
import World

/// A request that `--dry-run` prints, with secrets masked.
package struct PlannedRequest: OutputRecord {
  fileprivate let request: Request

  package init(_ request: Request) { self.request = request }

  package static let fields: Fields = [
    Field("method", "The HTTP method", column: "METHOD", overflow: .keep) { $0.request.method.rawValue },
    Field("url", "The complete URL", column: "URL", overflow: .keep) { $0.request.url.redacted },
    Field("headers", "The headers, from name to value") { planned in
      OutputMap(planned.request.headers.map { ($0.name, $0.redacted) })
    },
    Field("body", "The body; null if it is empty") { $0.body },
  ]

  private var body: String? {
    guard let body = request.body, !body.isEmpty else { return nil }
    return Redactor(request.bodySecrets + request.url.pathSecrets).redact(String(decoding: body, as: UTF8.self))
  }
}

extension PlannedRequest {
  fileprivate static func has(_ fields: [FieldPath]) -> Bool {
    (try? OutputSchema.many(Self.self).check(fields)) != nil
  }
}

extension Session {
  /// The output of `--dry-run` for requests that are too many to hold in memory.
  /// - Parameter each: calls its argument with each request.
  package func dryRun(each: @escaping (_ print: (Request) throws -> Void) throws -> Void) -> Output {
    let rows = Rows(isReiterable: false) { body in
      try each { request in try PlannedRequest(request).bytes.withUnsafeBytes(body) }
    }
    var output = Output(body: .rows(rows, .many(PlannedRequest.self)))
    output.isPlan = true
    return output
  }

  /// The output of `--dry-run`: the requests that would be sent, with secrets masked.
  ///
  /// - Parameter change: a sentence about any other change on this machine; nil for none.
  package func dryRun(_ requests: [Request] = [], change: String? = nil) -> Output {
    var output = Output.rows(requests.map(PlannedRequest.init))
    output.isPlan = true
    let changes = change != nil || requests.contains { $0.method != .get && $0.method != .head }
    if options.usesExitCode, changes {
      output.verdict = { throw Problem(.differs, "something would change") }
    }
    // The printer rejects fields that requests do not have. Write no note before its error: the note would not be JSON.
    if let fields = options.fields, !PlannedRequest.has(fields) { return output }
    if !requests.isEmpty { noteSandbox() }
    if let change { console.note(Hint(change)) } else if requests.isEmpty { console.note("Nothing would be sent.") }
    return output
  }

  /// Notes that the number after `-n` names one item. In other programs, `-n 5` is the number of rows.
  package func noteRowCount(_ number: Int, is noun: String, option: String) {
    guard options.isDryRun else { return }
    console.note(
      Hint(
        "This is \(noun) \(number): -n is short for --dry-run. To limit the rows, pass --\(option) \(number)."))
  }

  /// Notes that the requests of a dry run would not leave this machine. Only at a terminal: people could mistake the
  /// printed URLs for IFTTT's.
  package func noteSandbox() {
    guard world.terminal.errorIsTerminal, (try? profileName.isSandbox) == true else { return }
    console.note(Hint(Network.sandboxNote))
  }
}

/// The result of a command that removes or selects an item by its name.
package struct ChangedItem: OutputRecord {
  let name: String
  let changed: Bool

  package init(_ name: String, changed: Bool = true) { (self.name, self.changed) = (name, changed) }

  package static let fields: Fields = [
    Field("name", "The name or id of the changed item", column: "NAME", overflow: .keep) { $0.name },
    Field("changed", "Whether anything changed", column: "CHANGED") { $0.changed },
  ]
}

extension Output {
  /// A changed item, for scripts. For people, the command writes a note instead.
  package static func changed(_ item: ChangedItem, in session: Session) -> Output {
    session.options.printsText ? .nothing : .one(item)
  }

  /// Changed items, for scripts. For people, the command writes a note instead.
  package static func changed(_ items: [ChangedItem], in session: Session) -> Output {
    session.options.printsText ? .nothing : .rows(items)
  }
}
