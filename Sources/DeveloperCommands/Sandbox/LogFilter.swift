import HTTP
import JSON
import Output
import Sandbox
import Session
import Text

/// A part of the log: the requests, the steps of connections, or both. A poll is both.
enum LogView: String {
  case requests, activity
  /// All entries, for the inspector. Its lists have no bodies.
  case entries

  func shows(_ entry: LogEntry) -> Bool {
    switch self {
    case .requests: entry.exchange != nil
    case .activity: entry.activity != nil
    case .entries: true
    }
  }

  func row(_ shown: ShownEntry) -> JSONValue {
    switch self {
    case .requests: RequestRow(shown: shown).json
    case .activity: ActivityRow(shown: shown).json
    case .entries: EntryRow(shown: shown).json
    }
  }
}

/// A filter of the log of a running server.
struct LogFilter: Sendable, Equatable {
  var method: String?
  /// A path in which `*` matches any text.
  var path: String?
  var status: Int?
  var direction: LoggedExchange.Direction?
  var connection: String?
  var user: String?
  var step: ActivityRecord.Step?
  /// Selects only the last entries.
  var last: Int?
  /// Selects only entries with a higher number.
  var after: Int?
  /// Selects only entries with this number or a lower one.
  var through: Int?

  init() {}

  /// - Parameter query: The query as it appears in a URL.
  init(_ query: String) throws(ControlError) {
    let request = Request(receivedMethod: "GET", target: "/?\(query)", headers: [], body: [])
    for item in request?.url.query ?? [] {
      switch item.name {
      case "method": method = item.value
      case "path": path = item.value
      case "connection": connection = item.value
      case "user": user = item.value
      case "status": status = try Self.number(item)
      case "last": last = try Self.number(item)
      case "after": after = try Self.number(item)
      case "through": through = try Self.number(item)
      case "direction": direction = try Self.choice(item)
      case "step": step = try Self.choice(item)
      default:
        throw ControlError(
          400,
          "Unknown parameter; use method, path, status, direction, connection, user, step, last, after or through")
      }
    }
  }

  private static func number(_ item: QueryItem) throws(ControlError) -> Int {
    guard let number = Int(item.value), number >= 0 else {
      throw ControlError(400, "\(item.name) is not a number")
    }
    return number
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ item: QueryItem
  ) throws(ControlError) -> Choice {
    guard let choice = Choice(rawValue: item.value) else {
      throw ControlError(400, "\(item.name) is unknown")
    }
    return choice
  }

  var query: [QueryItem] {
    let numbers = [("status", status), ("last", last), ("after", after), ("through", through)]
    let texts = [
      ("method", method), ("path", path), ("direction", direction?.rawValue), ("connection", connection),
      ("user", user), ("step", step?.rawValue),
    ]
    return (texts + numbers.map { ($0, $1.map(String.init)) }).compactMap { name, value in
      value.map { QueryItem(name, $0) }
    }
  }

  /// Whether an entry meets the conditions, except for the numbers.
  func matches(_ entry: LogEntry) -> Bool {
    let (exchange, activity) = (entry.exchange, entry.activity)
    return (method == nil || method == exchange?.method) && (direction == nil || direction == exchange?.direction)
      && (status == nil || status == exchange?.status ?? activity?.status)
      && (connection == nil || connection == activity?.connection) && (user == nil || user == activity?.user)
      && (step == nil || step == activity?.step)
      && (path == nil || exchange.map { PathPattern(path ?? "").matches($0.path) } == true)
  }
}

/// The responses of the control endpoint about the log.
struct LogPage {
  private let view: LogView
  private let log: EmulatorLog
  /// The credentials of the partner's server, which are masked.
  private let secrets: [Secret]

  /// The maximum number of entries in one response, and their size in bytes, so that other clients need not wait long.
  private static let (limit, sizeLimit) = (1000, 4 << 20)

  init(_ view: LogView, of emulator: Emulator) {
    (self.view, log, secrets) = (view, emulator.log, emulator.runtime?.secrets ?? [])
  }

  func reply(to number: Int) throws(ControlError) -> Reply {
    guard let entry = log[number], view.shows(entry) else { throw .noEntry }
    return reply(to: entry)
  }

  /// One entry.
  func reply(to entry: LogEntry) -> Reply { .json(row(entry, effects: log.effects(of: entry))) }

  /// The selected entries as an array, from oldest to newest. If they are too many for one response, a `Link` header has
  /// the URL of the rest (RFC 8288).
  func list(_ filter: LogFilter) -> Reply {
    let through = min(filter.through ?? .max, log.lastNumber)
    var selected: [LogEntry] = []
    var entries = log.entries(after: filter.after ?? 0)
    // From the newest, so that `last` needs no search of the whole log.
    while let entry = entries.popLast(), selected.count < filter.last ?? .max {
      if entry.number <= through, view.shows(entry), filter.matches(entry) { selected.append(entry) }
    }
    var effects: [Int: [Int]] = [:]
    if view != .entries {
      for entry in log.all { if let cause = log.cause(of: entry) { effects[cause, default: []].append(entry.number) } }
    }
    var (rows, size, lastShown): ([JSONValue], Int, Int) = ([], 0, 0)
    for entry in selected.reversed() {
      if rows.count >= Self.limit || size >= Self.sizeLimit { break }
      rows.append(view == .entries ? summary(entry) : row(entry, effects: effects[entry.number] ?? []))
      size +=
        view == .entries ? 0 : (entry.exchange?.request.body.count ?? 0) + (entry.exchange?.response?.body.count ?? 0)
      lastShown = entry.number
    }
    var reply = Reply.json(.array(rows))
    if rows.count < selected.count {
      var rest = filter
      (rest.last, rest.after, rest.through) = (nil, lastShown, through)
      let query = rest.query.map { "\($0.name)=\(Percent.encode($0.value))" }.joined(separator: "&")
      let target = "\(SandboxControl.path)/\(view.rawValue)?\(query)"
      reply.fields.append(HeaderField("Link", "<\(target)>; rel=\"next\""))
    }
    return reply
  }

  /// An entry without headers, bodies and effects.
  func summary(_ entry: LogEntry) -> JSONValue {
    SummaryRow(shown: ShownEntry(summaryOf: entry, cause: log.cause(of: entry), hiding: secrets)).json
  }

  private func row(_ entry: LogEntry, effects: [Int]) -> JSONValue {
    view.row(ShownEntry(entry, cause: log.cause(of: entry), effects: effects, hiding: secrets))
  }
}
