import DeveloperCommands
import HTTP
import IFTTT
import JSON
import Text
import World

/// Notifications on stdin are read the same however the bytes are split, and each becomes one object of the request to
/// the Realtime API, from which it is read again as the same.
enum NotificationProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let whole = read(bytes, pieces: .max)
    for pieces in [1, 7] where read(bytes, pieces: pieces) != whole {
      return "pieces of \(pieces) bytes are read differently"
    }
    var found: [RealtimeNotification] = []
    let lines = bytes.count { $0 == 0x0a } + 1
    for line in whole {
      switch line {
      case .success(let notification): found.append(notification)
      case .failure(let fault):
        guard (1...lines).contains(fault.line), !fault.reason.isEmpty, !fault.reason.hasControls() else {
          return "a report with a wrong line, without a reason, or with text"
        }
      }
    }
    return requestProblem(of: found)
  }

  private static func read(_ bytes: [UInt8], pieces: Int) -> [NotificationReader.Line] {
    var (reader, found, rest) = (NotificationReader(), [NotificationReader.Line](), bytes[...])
    do {
      while !rest.isEmpty {
        try reader.read(Array(rest.prefix(pieces))) { found.append($0) }
        rest = rest.dropFirst(pieces)
      }
      try reader.end { found.append($0) }
    } catch {
      // A text in another encoding ends the reading, before its first notification.
    }
    return found
  }

  private static func requestProblem(of notifications: [RealtimeNotification]) -> String? {
    guard let base = try? WebURL(parsing: "https://realtime.ifttt.com"), let key = Secret(parsing: "key-0123456789")
    else { return "the request cannot be made" }
    let request = RealtimeNotification.request(
      notifications, to: base, key: key, id: RequestID(World.fixed.random))
    guard let sent = (try? JSONValue(parsing: request.body ?? []))?["data"]?.array, sent.count == notifications.count
    else { return "the request has another number of notifications" }
    let again = read(sent.flatMap { $0.bytes + [0x0a] }, pieces: .max)
    return again == notifications.map { .success($0) } ? nil : "a notification that changes"
  }
}
