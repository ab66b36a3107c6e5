import HTTP
import JSON
import Sandbox
import Text

/// The entries of the log as server-sent events, for the inspector.
///
/// A client that cannot keep up receives the newest entries and the number of those that it missed, so that neither
/// side has to store or draw them all.
struct LogStream {
  /// The time between two messages.
  static let pause = Duration.milliseconds(100)
  /// The maximum number of entries in a message.
  private static let limit = 100
  /// The number of pauses after which a comment shows that the connection still works.
  private static let quietLimit = 150

  /// The number of the last entry that was sent or skipped.
  private var position: Int
  private var quietCount = 0

  init(after position: Int) { self.position = position }

  /// The bytes to send now; empty if nothing happened.
  mutating func next(of emulator: Emulator) -> [UInt8] {
    let log = emulator.log
    let new = log.entries(after: position)
    guard !new.isEmpty else {
      quietCount += 1
      guard quietCount >= Self.quietLimit else { return [] }
      quietCount = 0
      return Self.comment
    }
    let shown = new.suffix(Self.limit)
    let page = LogPage(.entries, of: emulator)
    // Entries that the log has removed do not count, because they cannot be requested.
    let skipped = new.count - shown.count
    (position, quietCount) = (log.lastNumber, 0)
    let message: JSONValue = [
      "entries": .array(shown.map(page.summary)), "skipped": JSONValue(skipped), "last": JSONValue(position),
    ]
    return Array("event: entries\nid: \(position)\ndata: ".utf8) + message.bytes + Array("\n\n".utf8)
  }

  /// A line that clients ignore.
  static let comment = Array(":\n\n".utf8)
}
