import JSON

/// A rendered connection or Applet with gaps for the three members that change, so that rendering one only copies
/// bytes.
struct Template {
  private let head: [UInt8]
  private let tail: [UInt8]

  /// - Parameters:
  ///   - head: The object's first members.
  ///   - tail: The object's last members, at least one.
  init(head: JSONObject, tail: JSONObject) {
    self.head = JSONValue.object(head).bytes.dropLast() + Array(#","enabled_count":"#.utf8)
    self.tail = [UInt8(ascii: ",")] + JSONValue.object(tail).bytes.dropFirst()
  }

  /// - Parameter status: The status, or nil without a user, which becomes null in the JSON.
  func filled(enabledCount: Int, status: SandboxUserStatus?, lastRunAt: OffsetTime?) -> [UInt8] {
    var bytes = head
    bytes.reserveCapacity(head.count + tail.count + 100)
    bytes += "\(enabledCount),\"user_status\":".utf8
    bytes += quoted(status?.rawValue)
    bytes += ",\"last_run_at\":".utf8
    bytes += quoted(lastRunAt?.text)
    bytes += tail
    return bytes
  }

  private func quoted(_ text: String?) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }
}
