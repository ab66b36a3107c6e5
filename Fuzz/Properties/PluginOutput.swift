import PluginProtocol

/// Something that a plugin writes to its stdout: a message of the protocol, well-formed or not, or any bytes.
enum PluginOutput {
  case greeting(name: String, version: String)
  /// A response to the program's last request, or to another one.
  case response(offset: Int, Value)
  case failure(offset: Int, PluginError)
  case item(offset: Int, Value)
  case notification(method: String, Value)
  case request(id: MessageID, method: String, Value)
  case bytes([UInt8])

  static let capabilities = [
    "connections/list", "connections/show", "connections/enable", "connections/disable", "command/run", "complete",
    "credential/status", "connections/activate",
  ]
  private static let methods = [
    "credential/get", "credential/list", "credential/put", "credential/delete", "lock/acquire", "lock/release",
    "redirect/bind", "redirect/open", "redirect/finish", "browser/open", "input/read", "wait", "prompt", "confirm",
    "initialize", "",
  ]
  private static let names = ["shelf_token", "other_token", "shelf_", "", "a/b", "\u{1b}[2J", "ö"]
  private static let urls = [
    "https://shelf.test/login", "http://127.0.0.1:0/callback", "http://[::1]:4/x", "file:///etc/passwd",
    "javascript:alert(1)", "https://a@b.test/", "http://127.0.0.1.other.test/", "http://shelf.test/", "shelf:back",
    "https:\u{5c}\u{5c}x",
  ]

  init(_ choices: inout InputChoices) {
    switch choices.number(below: 12) {
    case 0:
      self = .greeting(
        name: choices.one(of: ["shelf", "shelf", "other", ""]), version: choices.one(of: ["1", "1", "2", ""]))
    case 1, 2: self = .response(offset: choices.number(below: 2), Self.value(&choices))
    case 3: self = .failure(offset: choices.number(below: 2), Self.error(&choices))
    case 4, 5: self = .item(offset: choices.number(below: 2), Self.value(&choices))
    case 6:
      self = .notification(
        method: choices.one(of: ["log", "progress", "item", "$/cancel", ""]), Self.value(&choices))
    case 7, 8, 9:
      self = .request(id: Self.id(&choices), method: choices.one(of: Self.methods), Self.parameters(&choices))
    default: self = .bytes(choices.piece())
    }
  }

  /// The bytes that are written.
  /// - Parameter last: the id of the program's last request.
  func bytes(last: Int) -> [UInt8] {
    switch self {
    case .greeting(let name, let version):
      let capabilities = Value(Self.capabilities.map { Value($0) })
      let greeting: Value = ["name": Value(name), "protocol": Value(version), "capabilities": capabilities]
      return Message.response(id: .number(last), result: greeting).line
    case .response(let offset, let value): return Message.response(id: .number(last + offset), result: value).line
    case .failure(let offset, let error): return Message.failure(id: .number(last + offset), error: error).line
    case .item(let offset, let value):
      return Message.notification(method: "item", params: ["id": Value(last + offset), "item": value]).line
    case .notification(let method, let value):
      return Message.notification(method: method, params: value.with("id", Value(last))).line
    case .request(let id, let method, let value): return Message.request(id: id, method: method, params: value).line
    case .bytes(let bytes): return bytes
    }
  }

  private static func id(_ choices: inout InputChoices) -> MessageID {
    let number = choices.number(below: 6)
    return number < 4 ? .number(number) : .text(["a", "\u{1b}"][number - 4])
  }

  private static func error(_ choices: inout InputChoices) -> PluginError {
    var error = PluginError(choices.one(of: ["not_found", "unauthorized", "interrupted", "x", ""]), choices.text())
    if choices.flag() { error.reason = choices.text() }
    if choices.flag() { error.hint = choices.text() }
    error.retryAfter = Int(Int8(bitPattern: choices.byte()))
    return error
  }

  /// A connection, nearly one, or any JSON.
  private static func value(_ choices: inout InputChoices) -> Value {
    if choices.flag() { return (try? Value(parsing: choices.piece())) ?? .emptyObject }
    var value: Value = [
      "id": Value(choices.one(of: ["a", "b", "", "a/b", "x y"])), "name": Value(choices.text()),
      "status": Value(choices.one(of: ["enabled", "disabled", "never_enabled", "unknown", "on"])),
    ]
    if choices.flag() { value = value.with("private", true) }
    if choices.flag() { value = value.with("description", Value(choices.text())) }
    if choices.flag() { value = ["connection": value, "text": Value(choices.text()), "changed": true] }
    if choices.flag() { value = value.with("message", Value(choices.text())).with("done", Value(Int(choices.byte()))) }
    return value
  }

  private static func parameters(_ choices: inout InputChoices) -> Value {
    let name = choices.one(of: names)
    var value: Value = ["name": Value(name), "message": Value(choices.text())]
    if choices.flag() { value = value.with("value", Value(choices.text())) }
    if choices.flag() { value = value.with("values", Value(members: [(name: name, value: Value(choices.text()))])) }
    if choices.flag() { value = value.with("delete", [Value(choices.one(of: names))]) }
    if choices.flag() { value = value.with("url", Value(choices.one(of: urls))) }
    if choices.flag() { value = value.with("redirect_uri", Value(choices.one(of: urls))).with("state", "s") }
    if choices.flag() { value = value.with("timeout_ms", Value(Int(choices.byte()) * 100)) }
    if choices.flag() { value = value.with("secret", true).with("take", true) }
    return value
  }
}
