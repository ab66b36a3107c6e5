import IFTTT
import JSON
import Output

/// The table of `connections watch` on a terminal: every connection, and its last change.
struct WatchTable {
  fileprivate struct Row {
    var id: ConnectionID
    var name: String
    /// `gone` if there is no status.
    var status: String
    var isPending: Bool
    var change: (words: String, at: Duration)?
  }

  private var rows: [ConnectionID: Row] = [:]
  /// The line below the table.
  var footer = ""
  /// Shown instead of the footer while requests fail.
  var trouble: String?
  private let color: Bool

  /// How long a change stays highlighted.
  static let fresh = Duration.seconds(60)

  init(color: Bool) { self.color = color }

  /// - Parameter now: monotonic time.
  mutating func receive(_ event: ConnectionEvent, at now: Duration) {
    let words = event.words
    rows[event.id] = Row(
      id: event.id, name: event.name, status: event.after?.status.rawValue ?? "gone",
      isPending: event.after?.isPending == true,
      change: words.isEmpty ? nil : (words, now))
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
    return table.dropLast().map(String.init) + more + [trouble.map { styled($0, .red) } ?? styled(footer, .dim)]
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
      "mark": JSONValue(change.map { now - $0.at < WatchTable.fresh } == true ? "*" : ""),
      "id": JSONValue(id.description), "name": JSONValue(name), "status": JSONValue(status),
      "pending": .bool(isPending),
      "change": JSONValue(change.map { "\($0.words), \((now - $0.at).roughly) ago" } ?? ""),
    ]
    return row.bytes
  }
}

extension ConnectionEvent {
  /// The change, shown next to the status; empty if nothing changed.
  fileprivate var words: String {
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
