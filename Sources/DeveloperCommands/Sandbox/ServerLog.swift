import CommandLine
import HTTP
import JSON
import Output
import Sandbox
import Session
import Text
import World

/// The options of `sandbox requests` and `sandbox activity`.
struct LogOptions: CommandOptions {
  /// The only entry to show, whole.
  var number: Int?
  var filter = LogFilter()
  var follows = false
  var server = ServerChoice()
}

/// `sandbox requests` and `sandbox activity`.
protocol LogCommand: Command where Options == LogOptions {
  static var view: LogView { get }
  /// The note if no entry matches.
  static var emptyNote: Hint { get }
}

extension LogCommand {
  static var positionals: [Positional<Options>] {
    [
      .optional(
        .integer(in: 1...Int.max, placeholder: "N"), into: \.number, help: "The number of an entry, to show it whole")
    ]
  }
  static var shape: OutputSchema? { ServerLog.shape(of: view) }
  static func isEndless(_ options: Options) -> Bool { options.follows }

  static func check(_ options: Options) throws(Conflict) {
    guard options.number != nil else { return }
    let names = options.filter.query.map(\.name) + (options.follows ? ["follow"] : [])
    if let first = names.first { throw Conflict("an entry's number needs no filter", options: [first]) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if let number = options.number { session.noteRowCount(number, is: "entry", option: "last") }
    return try ServerLog(view, try ServerControl(options.server, in: session), in: session).output(
      options.number, options.filter, follows: options.follows, emptyNote: emptyNote)
  }
}

/// A view of the log of a running server, for `sandbox requests` and `sandbox activity`.
final class ServerLog {
  private let view: LogView
  private let control: ServerControl
  private let session: Session

  init(_ view: LogView, _ control: ServerControl, in session: Session) {
    (self.view, self.control, self.session) = (view, control, session)
  }

  /// The rows of a view, or one of them shown whole.
  static func shape(of view: LogView) -> OutputSchema {
    var shape = rows(of: view)
    shape.alternative = { entry(of: view) }
    return shape
  }

  private static func rows(of view: LogView) -> OutputSchema {
    view == .requests ? .many(RequestRow.self) : .many(ActivityRow.self)
  }

  static func entry(of view: LogView) -> OutputSchema {
    var shape = rows(of: view).single
    shape.card = Card.init(ofEntry:)
    return shape
  }

  /// - Parameters:
  ///   - number: The only entry to show, whole.
  ///   - follows: Whether to continue with new entries until Ctrl-C.
  ///   - emptyNote: The note if no entry matches.
  func output(_ number: Int?, _ filter: LogFilter, follows: Bool, emptyNote: Hint) throws -> Output {
    if let number { return .rows([try control.entry(number, in: view).bytes], as: Self.entry(of: view)) }
    guard follows else {
      var found: [[UInt8]] = []
      try control.forEach(of: "/\(view.rawValue)", query: filter.query) { found.append($0.bytes) }
      if found.isEmpty { session.console.noteEmpty(emptyNote) }
      return .rows(found, as: Self.rows(of: view))
    }
    // Request the entries so far now, so that a missing server is reported before anything is printed.
    var first: [JSONValue] = []
    try control.forEach(of: "/\(view.rawValue)", query: filter.query) { first.append($0) }
    return Output(body: .events(Rows(isReiterable: false) { try self.follow(first, filter, $0) }, Self.rows(of: view)))
  }

  private func follow(
    _ first: [JSONValue], _ filter: LogFilter, _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var filter = filter
    filter.last = nil
    func show(_ row: JSONValue) throws {
      filter.after = row["number"]?.int ?? filter.after
      try row.bytes.withUnsafeBytes(write)
    }
    for row in first { try show(row) }
    while true {
      try session.world.pauseWhileFollowing(for: .milliseconds(300))
      let query = filter.query
      try control.forEach(of: "/\(view.rawValue)", query: query, show)
    }
  }
}

extension Card {
  /// An entry of the log, laid out for reading. The server's own words about an error are first.
  init(ofEntry entry: JSONValue) {
    func text(_ key: String) -> String { entry[key]?.string ?? entry[key]?.int.map(String.init) ?? "" }
    func line(_ label: String, _ value: String, _ tone: Tone = .plain) -> Item {
      .line(label: label, value: value, tone: tone)
    }
    let words = [text("method"), text("url")].filter { !$0.isEmpty }
    let what = words.isEmpty ? [text("step"), text("endpoint")].filter { !$0.isEmpty } : words
    let duration = entry["duration_ms"]?.int.map { "\($0) ms" }
    let attempt = entry["attempt"]?.int.flatMap { $0 > 1 ? "attempt \($0)" : nil }
    let status = [text("status"), duration ?? "", attempt ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    let fields = (entry["fields"]?.object?.members ?? []).map { "\($0.key): \($0.value.string ?? $0.value.text)" }
    var items = [
      line("MESSAGE", text("message"), .red), line("STATUS", status), line("AT", text("at")),
      line("STEP", text("step")), line("ENDPOINT", words.isEmpty ? "" : text("endpoint")),
      line("CONNECTION", text("connection_id")), line("USER", text("user_id")), line("EVENT", text("event_id")),
      line("DETAIL", text("detail") == text("message") ? "" : text("detail")),
      line("FIELDS", fields.joined(separator: "\n")), line("FAULT", text("fault")),
      line("REQUEST ID", text("request_id")), line("CAUSED BY", text("caused_by")),
      line("EFFECTS", (entry["effects"]?.array ?? []).compactMap { $0.int.map(String.init) }.joined(separator: ", ")),
    ]
    for (key, title) in [("request", "Request"), ("response", "Response")] {
      guard let message = entry[key], message.object != nil else { continue }
      items.append(.section(title: title, items: Self.items(of: message)))
    }
    self.init(title: "\(text("number"))  \(what.joined(separator: " "))", items: items)
  }

  private static func items(of message: JSONValue) -> [Item] {
    var items = (message["headers"]?.object?.members ?? []).map { name, value in
      Item.line(label: name, value: value.string ?? "")
    }
    guard let body = message["body"]?.string else { return items }
    let json = try? JSONValue(parsing: Array(body.utf8))
    let shown = json.map { String(decoding: $0.indented, as: UTF8.self) } ?? body
    items += shown.split(separator: "\n").map { .text(String($0)) }
    if message["body_truncated"]?.bool == true {
      items.append(.text("… \(message["body_size"]?.int ?? 0) bytes in total", tone: .dim))
    }
    return items
  }
}
