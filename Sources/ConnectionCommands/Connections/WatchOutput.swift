import IFTTT
import JSON
import Output
import Session
import Text
import World

/// The destination of a watch's events, which also does work while the watch waits.
protocol WatchOutput: AnyObject {
  var session: Session { get }
  /// The longest pause until ``idle()`` is called again.
  var idleInterval: Duration { get }
  /// Receives an event while other requests may still be in flight. The events of a round are in the order of the ids.
  func receive(_ event: ConnectionEvent) throws
  func report(_ notice: ConnectionWatch.Notice) throws
  /// Called at the end of a round, when no request is in flight.
  func flush() throws
  func idle() throws
}

extension WatchOutput {
  func report(_ notice: ConnectionWatch.Notice) throws { session.console.note(Hint(notice.description)) }

  func idle() throws {
    if session.world.output.isAbandoned { throw BrokenPipe() }
  }
}

extension ConnectionWatch.Notice {
  var description: String {
    switch self {
    case .failing(let problem): "Polling failed; retrying: \(problem.summary)"
    case .recovered: "IFTTT responds again."
    }
  }
}

/// Prints each change as a row.
final class WatchLines: WatchOutput {
  // How often to check whether the pipe still has a reader.
  let idleInterval = Duration.seconds(1)
  let session: Session
  private let showsPresent: Bool
  private let body: (UnsafeRawBufferPointer) throws -> Void

  /// - Parameter showsPresent: whether to print the initial state of each connection too.
  init(_ session: Session, showsPresent: Bool, body: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    (self.session, self.showsPresent, self.body) = (session, showsPresent, body)
  }

  func receive(_ event: ConnectionEvent) throws {
    guard showsPresent || event.kind != .present else { return }
    try event.row(at: session.world.clock.now()).withUnsafeBytes(body)
  }

  func flush() {}
}

/// Runs a command for each change, one at a time, and prints its output.
final class WatchCommand: WatchOutput {
  let idleInterval = Duration.seconds(1)
  let session: Session
  private let commandLine: [String]
  private let showsPresent: Bool
  private let write: ([UInt8]) throws -> Void
  private var queue: [(event: ConnectionEvent, row: [UInt8])] = []

  init(_ session: Session, _ commandLine: [String], showsPresent: Bool, write: @escaping ([UInt8]) throws -> Void) {
    (self.session, self.commandLine, self.showsPresent, self.write) = (session, commandLine, showsPresent, write)
  }

  func receive(_ event: ConnectionEvent) {
    guard showsPresent || event.kind != .present else { return }
    queue.append((event, event.row(at: session.world.clock.now())))
  }

  /// Runs the commands only now, because requests in flight would have to wait for them.
  func flush() throws {
    let events = queue
    queue = []
    for (event, row) in events { try run(event, row) }
  }

  private func run(_ event: ConnectionEvent, _ row: [UInt8]) throws {
    let result: ProcessResult
    do throws(SystemError) {
      // The user's own command may run this program again, so it receives every variable, as a Git hook does.
      result = try session.world.processes.run(
        commandLine, input: row + [UInt8(ascii: "\n")], limit: .longest, seeing: .all)
    } catch {
      try session.world.checkInterruption()
      return session.console.note("\(commandLine[0]) for connection '\(event.id)' (\(event.kind.rawValue)): \(error)")
    }
    if !result.output.isEmpty { try write(result.output) }
    guard result.status != 0 else { return }
    session.console.note(
      "\(commandLine[0]) for connection '\(event.id)' (\(event.kind.rawValue)) exited with status \(result.status)")
  }
}

extension Duration {
  /// An effectively unlimited timeout that is still short enough to be added to a time.
  fileprivate static var longest: Duration { .seconds(100 * 365 * 86_400) }
}

/// Shows a watch as a table on the terminal.
final class WatchScreen: WatchOutput {
  // How soon the table adapts to a new terminal size.
  let idleInterval = Duration.milliseconds(250)
  let session: Session
  private let write: ([UInt8]) throws -> Void
  private var table: WatchTable
  private var redraw = Redraw()

  init(_ session: Session, footer: String, write: @escaping ([UInt8]) throws -> Void) {
    (self.session, self.write) = (session, write)
    let color = useColor(session.options.color, environment: session.world.environment, isTerminal: true)
    table = WatchTable(color: color)
    table.footer = footer
  }

  func receive(_ event: ConnectionEvent) {
    table.receive(event, at: session.world.clock.monotonic())
  }

  func report(_ notice: ConnectionWatch.Notice) throws {
    if case .failing = notice { table.failureNote = notice.description } else { table.failureNote = nil }
    try draw()
  }

  func flush() throws { try draw() }
  func idle() throws { try draw() }

  private func draw() throws {
    let size = session.world.screenSize(.output) ?? ScreenSize(columns: session.world.terminal.columns ?? 80, rows: 24)
    let lines = try table.lines(columns: size.columns, rows: size.rows, at: session.world.clock.monotonic())
    let drawing = redraw.drawing(of: lines, columns: size.columns, rows: size.rows)
    if !drawing.isEmpty { try write(Array(drawing.utf8)) }
  }
}

/// The table of `connections watch` on a terminal: every connection, and its last change.
struct WatchTable {
  fileprivate struct Row {
    var id: ConnectionID
    var name: String
    /// `gone` if there is no status.
    var status: String
    var isPending: Bool
    var change: (text: String, at: Duration)?
  }

  private var rows: [ConnectionID: Row] = [:]
  /// The line below the table.
  var footer = ""
  /// Shown instead of the footer while requests fail.
  var failureNote: String?
  private let color: Bool

  /// How long a change stays highlighted.
  static let highlightDuration = Duration.seconds(60)

  init(color: Bool) { self.color = color }

  /// - Parameter now: monotonic time.
  mutating func receive(_ event: ConnectionEvent, at now: Duration) {
    let text = event.changeText
    rows[event.id] = Row(
      id: event.id, name: event.name, status: event.after?.status.rawValue ?? "gone",
      isPending: event.after?.isPending == true,
      change: text.isEmpty ? nil : (text, now))
  }

  /// Returns the lines to draw, sorted by name. If not all connections fit, changed ones come first, the most recent
  /// on top.
  func lines(columns: Int, rows height: Int, at now: Duration) throws -> [String] {
    // Reserve lines for the heading, the footer and the cursor.
    let room = max(height - 3, 1)
    var shown = rows.values.sorted {
      ($0.name.lowercased(), $0.id.description) < ($1.name.lowercased(), $1.id.description)
    }
    var more: [String] = []
    if shown.count > room {
      let changed = shown.filter { $0.change != nil }.sorted { $0.change?.at ?? .zero > $1.change?.at ?? .zero }
      let hidden = shown.count - max(room - 1, 1)
      shown = Array((changed + shown.filter { $0.change == nil }).prefix(max(room - 1, 1)))
      more = ["… and \(hidden) more"]
    }
    let presentation = Presentation(format: .table, color: color, width: columns, isTerminal: true)
    var text: [UInt8] = []
    try Renderer(presentation) { text += $0 }
      .render(Rows(shown.map { $0.json(at: now) }), columns: Self.columns)
    let table = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return table.dropLast().map(String.init) + more + [failureNote.map { styled($0, .red) } ?? styled(footer, .dim)]
  }

  private func styled(_ text: String, _ tone: Tone) -> String {
    let safe = TerminalText.escaped(text)
    return color ? tone.around(safe) : safe
  }

  private static var columns: [Column] {
    [
      Column("", "mark"), Column("ID", "id"), Column("NAME", "name"),
      Column("STATUS", "status", style: .status, notes: [Column.Note("pending", "pending")]),
      Column("CHANGE", "change"),
    ]
  }
}

extension WatchTable.Row {
  fileprivate func json(at now: Duration) -> [UInt8] {
    let row: JSONValue = [
      "mark": JSONValue(change.map { now - $0.at < WatchTable.highlightDuration } == true ? "*" : ""),
      "id": JSONValue(id.description), "name": JSONValue(name), "status": JSONValue(status),
      "pending": .bool(isPending),
      "change": JSONValue(change.map { "\($0.text), \((now - $0.at).roughly) ago" } ?? ""),
    ]
    return row.bytes
  }
}

extension ConnectionEvent {
  /// The change, shown next to the status; empty if nothing changed.
  fileprivate var changeText: String {
    switch kind {
    case .present: ""
    case .appeared: "appeared"
    case .gone, .status: "was \(before?.status.rawValue ?? "")"
    case .pending: after?.isPending == true ? "became pending" : "is no longer pending"
    case .configuration: "configuration changed"
    case .name: "was named '\(before?.name ?? "")'"
    }
  }
}

extension Duration {
  /// The duration in one unit: `12s`, `3m`, `2h`, `5d`.
  fileprivate var roughly: String {
    switch components.seconds {
    case let seconds where seconds < 60: "\(max(seconds, 0))s"
    case let seconds where seconds < 3600: "\(seconds / 60)m"
    case let seconds where seconds < 86_400: "\(seconds / 3600)h"
    case let seconds: "\(seconds / 86_400)d"
    }
  }
}
