package import IFTTT
import JSON
import Session
import Text
import World

/// Reads notifications from text that arrives in chunks: one per line, as a JSON object with `user_id` or
/// `trigger_identity`, as a JSON string, or as a bare trigger identity.
///
/// Blank lines and lines that start with `#` are ignored. Memory is bounded by the longest accepted line.
package struct NotificationReader {
  package typealias Line = Result<RealtimeNotification, Fault>

  /// A line that is not a notification.
  package struct Fault: Error, Equatable {
    /// The number of the line, starting at 1.
    package let line: Int
    package let reason: String
  }

  /// The maximum length of a line, in bytes.
  private static let limit = 1 << 20

  private var start = TextStart()
  private var lines = LineSplitter(limit: limit)

  package init() {}

  /// - Parameter report: Receives each notification and each fault, in order.
  /// - Throws: ``ForeignEncoding``, and any error of `report`.
  package mutating func read(_ bytes: [UInt8], _ report: (Line) throws -> Void) throws {
    try read(text: start.receive(bytes), report)
  }

  private mutating func read(text bytes: [UInt8], _ report: (Line) throws -> Void) throws {
    try bytes.withUnsafeBytes { bytes in
      try lines.read(bytes) { line, number in try Self.report(line, number, report) }
    }
  }

  /// Handles the end of the text.
  package mutating func end(_ report: (Line) throws -> Void) throws {
    try read(text: start.end(), report)
    try lines.finish { line, number in try Self.report(line, number, report) }
  }

  /// - Parameter line: nil if it is too long.
  private static func report(
    _ line: UnsafeRawBufferPointer?, _ number: Int, _ report: (Line) throws -> Void
  ) throws {
    guard let line else {
      return try report(.failure(Fault(line: number, reason: "it is longer than \(limit) bytes")))
    }
    let text = trimmed(Array(line))
    guard let first = text.first, first != UInt8(ascii: "#") else { return }
    let notification = Result { () throws(Unreadable) in try Self.notification(text) }
    try report(notification.mapError { Fault(line: number, reason: $0.reason) })
  }

  private struct Unreadable: Error { let reason: String }

  private static func notification(_ text: ArraySlice<UInt8>) throws(Unreadable) -> RealtimeNotification {
    guard let first = text.first, "{[\"".utf8.contains(first) else {
      guard !text.contains(where: isSpace) else { throw Unreadable(reason: "it is not a single trigger identity") }
      guard let identity = String(validating: text, as: UTF8.self) else { throw Unreadable(reason: "it is not UTF-8") }
      return .triggerIdentity(identity)
    }
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: Array(text)) } catch {
      throw Unreadable(reason: "it is not JSON: \(error)")
    }
    if let identity = json.string { return .triggerIdentity(try nonEmpty(identity, "the trigger identity")) }
    guard json.object != nil else { throw Unreadable(reason: "it is neither an object nor a string") }
    switch (json["user_id"], json["trigger_identity"]) {
    case (let user?, nil): return .user(try value(user, "user_id"))
    case (nil, let identity?): return .triggerIdentity(try value(identity, "trigger_identity"))
    case (nil, nil): throw Unreadable(reason: "it has neither \"user_id\" nor \"trigger_identity\"")
    case (.some, .some): throw Unreadable(reason: "it has both \"user_id\" and \"trigger_identity\"; use two lines")
    }
  }

  /// A string, or a whole number: services with numeric ids often print them without quotes.
  private static func value(_ json: JSONValue, _ key: String) throws(Unreadable) -> String {
    if let number = json.int { return String(number) }
    guard let text = json.string else { throw Unreadable(reason: "\"\(key)\" is not a string") }
    return try nonEmpty(text, "\"\(key)\"")
  }

  private static func nonEmpty(_ text: String, _ name: String) throws(Unreadable) -> String {
    guard !text.isEmpty else { throw Unreadable(reason: "\(name) is empty") }
    return text
  }

  private static func trimmed(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var text = line[...]
    while let first = text.first, isSpace(first) { text.removeFirst() }
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
}

extension NotificationReader {
  /// The maximum number of notifications on stdin. It limits the memory that they need.
  private static var countLimit: Int { 1_000_000 }

  /// Reads the notifications on stdin, all of them before anything is sent. A repeated one is returned once.
  /// - Throws: `usage` if a line is not a notification, or if there is none.
  static func all(from console: Console) throws -> [RealtimeNotification] {
    var reader = NotificationReader()
    var notifications = OrderedNotifications()
    var faults: [NotificationReader.Fault] = []
    var faultCount = 0
    func receive(_ line: NotificationReader.Line) throws {
      switch line {
      case .success(let notification): notifications.add(notification)
      case .failure(let fault):
        faultCount += 1
        if faults.count < Problem.detailLimit { faults.append(fault) }
      }
      guard notifications.all.count <= Self.countLimit else {
        throw Problem(
          .usage, "stdin contains more than \(Self.countLimit) notifications",
          hint: "Split the input, for example with 'split -l \(Self.countLimit)'.")
      }
    }
    try console.readInput(
      for: "--stdin", hint: .notificationForm, { try reader.read($0, receive) }, atEnd: { try reader.end(receive) })
    guard faultCount == 0 else { throw Problem.unreadable(faults, of: faultCount) }
    guard !notifications.all.isEmpty else {
      throw Problem(.usage, "stdin contains no notifications", hint: .notificationForm)
    }
    return notifications.all
  }
}

/// Notifications without repetitions, in the order in which they were added.
struct OrderedNotifications {
  private(set) var all: [RealtimeNotification] = []
  private var seen: Set<RealtimeNotification> = []

  mutating func add(_ notification: RealtimeNotification) {
    if seen.insert(notification).inserted { all.append(notification) }
  }
}

extension Problem {
  fileprivate static var detailLimit: Int { 20 }

  /// - Parameter count: the number of faults, of which only the first are passed.
  fileprivate static func unreadable(_ faults: [NotificationReader.Fault], of count: Int) -> Problem {
    var details = faults.map { Detail(parameter: "line \($0.line)", message: $0.reason) }
    if count > faults.count { details.append(Detail(parameter: nil, message: "and \(count - faults.count) more")) }
    return Problem(
      .usage, "\(count.counted("line")) of stdin cannot be read; nothing was sent",
      hint: .notificationForm, details: details)
  }
}

extension Hint {
  fileprivate static var notificationForm: Hint {
    #"Pass one trigger identity per line, or JSON Lines such as {"user_id":"u-5521"}."#
  }
}
