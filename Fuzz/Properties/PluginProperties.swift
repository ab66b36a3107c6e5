import PluginProtocol
import Plugins

/// Whatever a plugin writes, however it is cut apart, leads to the same actions; only objects come out as items; once it broke a
/// rule nothing it says counts; and every message that is read is written back as it was meant.
enum PluginProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard var whole = listing(), var pieces = listing() else { return "the greeting is not understood" }
    let actions = whole.receive(bytes, at: .zero)
    var others: [PluginSession.Action] = []
    for byte in bytes { others += pieces.receive([byte], at: .zero) }
    guard actions == others else { return "in pieces it means something else" }
    guard whole.failure == pieces.failure else { return "in pieces it fails otherwise" }
    if let end = actions.firstIndex(of: .end), end != actions.count - 1 { return "something follows its end" }
    guard actions.contains(.end) == (whole.failure != nil) else {
      return "it failed and goes on, or the other way round"
    }
    if whole.failure != nil, whole.receive(item, at: .zero) != [] { return "it is listened to after its end" }
    for action in actions {
      if case .item(let value) = action, value.members == nil { return "an item is no object" }
      if case .serve(_, _, let params) = action, params.members == nil { return "parameters are no object" }
    }
    return messageProblem(in: bytes)
  }

  private static func messageProblem(in bytes: [UInt8]) -> String? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let message = try? Message(parsing: Array(line)) else { continue }
      let written = message.line
      guard written.last == UInt8(ascii: "\n"), !written.dropLast().contains(UInt8(ascii: "\n")) else {
        return "a message is no line"
      }
      // An error's data is read as far as it is known, so the second reading is the first whole one.
      guard let again = try? Message(parsing: written.dropLast()), again == message else {
        return "a message is written otherwise than it was read"
      }
    }
    return nil
  }

  private static let item = Message.notification(method: "item", params: ["id": 2, "item": [:]]).line

  /// A conversation in which a list was asked for.
  private static func listing() -> PluginSession? {
    guard let name = PluginName(parsing: "shelf") else { return nil }
    var talk = PluginSession(with: name, Greeting(), capabilities: ["connections/list"])
    _ = talk.begin(at: .zero)
    let greeting: Value = ["name": "shelf", "protocol": "1", "capabilities": ["connections/list"]]
    guard talk.receive(Message.response(id: .number(1), result: greeting).line, at: .zero) == [.ready] else {
      return nil
    }
    _ = talk.call("connections/list", [:], limit: .seconds(1), holding: true, at: .zero)
    return talk
  }
}

extension Message {
  fileprivate init(parsing line: ArraySlice<UInt8>) throws { try self.init(parsing: Array(line)) }
}
