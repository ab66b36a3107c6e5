import PluginProtocol
import Plugins

/// The output of a plugin leads to the same actions however it is split. Only objects are emitted as items. After a
/// protocol violation, all further output is ignored. Every message that is read round-trips.
enum PluginProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard var whole = listing(), var pieces = listing() else { return "the greeting is rejected" }
    let actions = whole.receive(bytes, at: .zero)
    var others: [PluginSession.Action] = []
    for byte in bytes { others += pieces.receive([byte], at: .zero) }
    guard actions == others else { return "split input leads to different actions" }
    guard whole.failure == pieces.failure else { return "split input fails differently" }
    if let end = actions.firstIndex(of: .end), end != actions.count - 1 { return "an action follows the end" }
    guard actions.contains(.end) == (whole.failure != nil) else {
      return "it failed without ending, or ended without failing"
    }
    if whole.failure != nil, whole.receive(item, at: .zero) != [] { return "input is processed after the end" }
    for action in actions {
      if case .item(let value) = action, value.members == nil { return "an item is not an object" }
      if case .serve(_, _, let params) = action, params.members == nil { return "parameters are not an object" }
    }
    return messageProblem(in: bytes)
  }

  private static func messageProblem(in bytes: [UInt8]) -> String? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let message = try? Message(parsing: Array(line)) else { continue }
      let written = message.line
      guard written.last == UInt8(ascii: "\n"), !written.dropLast().contains(UInt8(ascii: "\n")) else {
        return "a message is not a single line"
      }
      // An error's data is only read as far as it is known, so the second reading is the first complete one.
      guard let again = try? Message(parsing: written.dropLast()), again == message else {
        return "a message does not round-trip"
      }
    }
    return nil
  }

  private static let item = Message.notification(method: "item", params: ["id": 2, "item": [:]]).line

  /// A session in which a list was requested.
  private static func listing() -> PluginSession? {
    guard let name = PluginName(parsing: "shelf") else { return nil }
    var session = PluginSession(with: name, Greeting(), capabilities: ["connections/list"])
    _ = session.begin(at: .zero)
    let greeting: Value = ["name": "shelf", "protocol": "1", "capabilities": ["connections/list"]]
    guard session.receive(Message.response(id: .number(1), result: greeting).line, at: .zero) == [.ready] else {
      return nil
    }
    _ = session.call("connections/list", [:], limit: .seconds(1), holding: true, at: .zero)
    return session
  }
}

extension Message {
  fileprivate init(parsing line: ArraySlice<UInt8>) throws { try self.init(parsing: Array(line)) }
}
