import IFTTT
import Session
import Text
import World

extension Session {
  /// The maximum number of notifications on stdin, which limits the memory that they take.
  private static var mostNotifications: Int { 1_000_000 }

  /// Reads the notifications on stdin, all of them before anything is sent. A repeated one is returned once.
  /// - Throws: `usage` if a line is not a notification, or if there is none.
  func notificationsFromInput() throws -> [RealtimeNotification] {
    var reader = NotificationReader()
    var found = OrderedNotifications()
    var faults: [NotificationReader.Fault] = []
    var faultCount = 0
    func receive(_ line: NotificationReader.Line) throws {
      switch line {
      case .success(let notification): found.add(notification)
      case .failure(let fault):
        faultCount += 1
        if faults.count < Problem.mostDetails { faults.append(fault) }
      }
      guard found.all.count <= Self.mostNotifications else {
        throw Problem(
          .usage, "stdin contains more than \(Self.mostNotifications) notifications",
          hint: "Split the input, for example with 'split -l \(Self.mostNotifications)'.")
      }
    }
    try console.readInput(
      for: "--stdin", hint: .notificationForm, { try reader.read($0, receive) }, atEnd: { try reader.end(receive) })
    guard faultCount == 0 else { throw Problem.unreadable(faults, of: faultCount) }
    guard !found.all.isEmpty else {
      throw Problem(.usage, "stdin contains no notifications", hint: .notificationForm)
    }
    return found.all
  }
}

/// Notifications without repetitions, in the order given.
struct OrderedNotifications {
  private(set) var all: [RealtimeNotification] = []
  private var seen: Set<RealtimeNotification> = []

  mutating func add(_ notification: RealtimeNotification) {
    if seen.insert(notification).inserted { all.append(notification) }
  }
}

extension Problem {
  fileprivate static var mostDetails: Int { 20 }

  /// - Parameter count: the number of faults, of which only the first are passed.
  fileprivate static func unreadable(_ faults: [NotificationReader.Fault], of count: Int) -> Problem {
    var details = faults.map { Detail(parameter: "line \($0.line)", message: $0.reason) }
    if count > faults.count { details.append(Detail(parameter: nil, message: "and \(count - faults.count) more")) }
    return Problem(
      .usage, "\(count) \(count == 1 ? "line" : "lines") of stdin cannot be read; nothing was sent",
      hint: .notificationForm, details: details)
  }
}

extension Hint {
  fileprivate static var notificationForm: Hint {
    #"Pass one trigger identity per line, or JSON Lines such as {"user_id":"u-5521"}."#
  }
}
