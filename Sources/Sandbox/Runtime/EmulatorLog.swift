package import World

/// A request that the emulator received or sent, or a step that IFTTT takes for a connection, often both: a poll is a
/// step with a request.
///
/// A class, because an entry is large and never changes: everything that refers to it shares it.
package final class LogEntry: Sendable {
  /// The number of the entry, counted from the start of the server in the order in which entries become complete; 0
  /// until it is in the log.
  package let number: Int
  /// The time at which it was complete.
  package let at: Timestamp
  /// The step for a connection; nil for a request that a client sent.
  package let activity: ActivityRecord?
  /// The request; nil for a step without one.
  package let exchange: LoggedExchange?
  /// Identifies the entry before it has a number, so that its effects can refer to it.
  let key: Int
  /// The key of the entry that caused this one.
  let causeKey: Int?
  /// The request to the partner's server, which can be sent again.
  let planned: ConnectionRuntime.PlannedRequest?

  init(
    _ activity: ActivityRecord?, _ exchange: LoggedExchange?, key: Int, cause: Int?, at now: Timestamp,
    planned: ConnectionRuntime.PlannedRequest? = nil, number: Int = 0
  ) {
    (self.activity, self.exchange, self.key, causeKey, at) = (activity, exchange, key, cause, now)
    (self.planned, self.number) = (planned, number)
  }

  /// Creates the entry of a request to the partner's server.
  convenience init(
    _ activity: ActivityRecord?, _ exchange: LoggedExchange?, _ planned: ConnectionRuntime.PlannedRequest,
    at now: Timestamp
  ) {
    self.init(activity, exchange, key: planned.id, cause: planned.causeKey, at: now, planned: planned)
  }

  fileprivate func numbered(_ number: Int) -> LogEntry {
    LogEntry(activity, exchange, key: key, cause: causeKey, at: at, planned: planned, number: number)
  }

  fileprivate var byteCount: Int { 256 + (exchange?.byteCount ?? 0) }
}

/// The most recent entries, limited in number and size.
package struct EmulatorLog: Sendable {
  /// The maximum number of entries.
  package static let limit = 10_000
  /// The maximum size of all entries in bytes.
  package static let byteLimit = 64 << 20

  /// The entries from `start` on; those before were removed.
  private var entries: [LogEntry] = []
  private var start = 0
  private var bytes = 0
  /// The number of each stored entry, by its key.
  private var numbers: [Int: Int] = [:]

  /// The number of the last entry, which is the number of all entries so far.
  package private(set) var lastNumber = 0

  package init() {}

  /// All stored entries, from oldest to newest.
  package var all: ArraySlice<LogEntry> { entries[start...] }

  /// The entry with this number; nil if it does not exist, or is no longer stored.
  package subscript(number: Int) -> LogEntry? {
    let first = lastNumber - all.count + 1
    return (first...max(first, lastNumber)).contains(number) && !all.isEmpty ? entries[start + number - first] : nil
  }

  /// The entries with higher numbers.
  package func entries(after number: Int) -> ArraySlice<LogEntry> {
    all.suffix(max(0, min(all.count, lastNumber - number)))
  }

  /// The number of the entry that caused another; nil without a cause, or if it is not complete yet or
  /// no longer stored.
  package func cause(of entry: LogEntry) -> Int? { entry.causeKey.flatMap { numbers[$0] } }

  /// The entry with this key; nil if it is not complete, or no longer stored.
  package func entry(of key: Int) -> LogEntry? { numbers[key].flatMap { self[$0] } }

  /// The numbers of the stored entries that an entry caused, in ascending order.
  package func effects(of entry: LogEntry) -> [Int] { all.filter { $0.causeKey == entry.key }.map(\.number) }

  mutating func add(_ entry: LogEntry) {
    lastNumber += 1
    numbers[entry.key] = lastNumber
    bytes += entry.byteCount
    entries.append(entry.numbered(lastNumber))
    while all.count > Self.limit || bytes > Self.byteLimit && all.count > 1 { removeOldest() }
  }

  private mutating func removeOldest() {
    let oldest = entries[start]
    numbers[oldest.key] = nil
    bytes -= oldest.byteCount
    // The rest of the array moves only once per `limit` removals. The entry itself may be large.
    entries[start] = LogEntry(nil, nil, key: oldest.key, cause: nil, at: oldest.at)
    start += 1
    guard start >= Self.limit else { return }
    entries.removeFirst(start)
    start = 0
  }

  /// An empty log that continues the numbers of this one, so that a number never names two entries.
  func emptied() -> EmulatorLog {
    var log = EmulatorLog()
    log.lastNumber = lastNumber
    return log
  }
}
