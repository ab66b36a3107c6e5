import JSON
package import PluginProtocol
package import Text
package import World

/// A record of the messages between the program and its plugins, for their authors: one JSON object per line, with
/// secrets masked.
package final class PluginTrace {
  /// The sender of a message.
  package enum Direction: String { case host, plugin }

  private let now: () -> Timestamp
  private let secrets: [Secret]
  private let write: (_ line: String) -> Void

  /// - Parameters:
  ///   - secrets: the secrets that are known from the start, such as those in the environment.
  ///   - write: receives each line, without a line feed.
  package init(masking secrets: [Secret], now: @escaping () -> Timestamp, write: @escaping (_ line: String) -> Void) {
    (self.secrets, self.now, self.write) = (secrets, now, write)
  }

  /// A trace of one process of a plugin.
  package func process(of plugin: PluginName) -> TracedProcess {
    TracedProcess(of: plugin, masking: secrets) { [self] direction, content in
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("time", Self.time(now()))
      writer.member("plugin", plugin.description)
      writer.member("direction", direction.rawValue)
      switch content {
      case .message(let value):
        writer.key("message")
        writer.value(value)
      case .text(let text): writer.member("text", text)
      }
      writer.endObject()
      write(String(decoding: writer.bytes, as: UTF8.self))
    }
  }

  /// The time in RFC 3339 form, with milliseconds.
  private static func time(_ moment: Timestamp) -> String {
    let fraction = String(moment.milliseconds % 1000 + 1000).dropFirst()
    return "\(moment.rfc3339.dropLast()).\(fraction)Z"
  }
}

/// The trace of one process of a plugin. The plugin's output is split into lines for it.
package final class TracedProcess {
  /// A line: a JSON object, or any other text.
  enum Content {
    case message(JSONValue)
    case text(String)
  }

  private let plugin: PluginName
  private let write: (PluginTrace.Direction, Content) -> Void
  private var mask: TraceMask
  private var framing = MessageFraming()
  private var isTooLong = false

  init(
    of plugin: PluginName, masking secrets: [Secret], write: @escaping (PluginTrace.Direction, Content) -> Void
  ) {
    (self.plugin, self.write) = (plugin, write)
    mask = TraceMask(secrets)
  }

  /// Records bytes that are sent to the plugin: one or more whole lines, or a part of one.
  package func sent(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) { record(Array(line), from: .host) }
  }

  /// Records bytes that the plugin wrote.
  package func received(_ bytes: [UInt8]) {
    guard !isTooLong else { return }
    framing.append(bytes)
    do throws(MessageError) {
      while let line = try framing.next() { record(line, from: .plugin) }
    } catch {
      // The end of the line is unknown, so no later message can be recorded.
      isTooLong = true
      write(.plugin, .text("(\(error))"))
    }
  }

  /// Records the plugin's output after its last line feed.
  package func end() {
    guard !isTooLong, framing.waiting > 0 else { return }
    received([UInt8(ascii: "\n")])
  }

  private func record(_ line: [UInt8], from sender: PluginTrace.Direction) {
    if line.count <= Message.limit, let value = try? Value(parsing: line), value.members != nil {
      write(sender, .message(mask.masked(value.json, from: sender)))
    } else {
      write(sender, .text(mask.masked(String(decoding: line, as: UTF8.self))))
    }
  }
}

/// Masks the secrets in the messages of one process: secrets that are known in advance, values that the two sides
/// exchange as secrets, and later repetitions of these values.
struct TraceMask {
  static let mask = "…"
  /// The maximum length of a string, in bytes. Longer strings are truncated, because a message may be large.
  static let lengthLimit = 4096
  /// A shorter secret would match other text by chance. It is masked only in its own member.
  private static let minimumLength = 6

  private var redactor: Redactor
  /// The plugin's pending requests whose responses will contain a secret, by the JSON text of the id.
  private var pending: [String: HostService] = [:]

  init(_ secrets: [Secret]) { redactor = Redactor(secrets) }

  /// The text without known secrets.
  func masked(_ text: String) -> String { Self.truncated(redactor.redact(text)) }

  /// Remembers the secrets in a message.
  mutating func addSecrets(of message: Message, from sender: PluginTrace.Direction) {
    guard let json = try? JSONValue(parsing: Array(message.line.dropLast())) else { return }
    _ = masked(json, from: sender)
  }

  mutating func masked(_ message: JSONValue, from sender: PluginTrace.Direction) -> JSONValue {
    var message = message
    switch sender {
    case .plugin: maskRequest(&message)
    case .host: maskResponse(&message)
    }
    return redacted(message)
  }

  /// Masks the secrets in a plugin's request, and remembers the request if its response will contain a secret.
  private mutating func maskRequest(_ message: inout JSONValue) {
    guard let service = message["method"]?.string.flatMap(HostService.init(rawValue:)),
      var params = message["params"]?.object
    else { return }
    if let id = message["id"]?.text {
      switch service {
      case .getCredential, .readInput, .openRedirect: pending[id] = service
      case .prompt where params["secret"] == .bool(true): pending[id] = service
      default: break
      }
    }
    guard service == .saveCredentials else { return }
    if let value = params["value"] { params["value"] = addAndMask(value) }
    if let values = params["values"]?.object {
      params["values"] = .object(JSONObject(members: values.members.map { ($0.key, addAndMask($0.value)) }))
    }
    message.replace("params", with: .object(params))
  }

  private mutating func maskResponse(_ message: inout JSONValue) {
    guard let id = message["id"]?.text, let service = pending.removeValue(forKey: id),
      var result = message["result"]?.object
    else { return }
    switch service {
    case .getCredential, .prompt: if let value = result["value"] { result["value"] = addAndMask(value) }
    case .readInput: if let text = result["text"] { result["text"] = addAndMask(text) }
    default: if let query = result["query"]?.string { result["query"] = .string(masked(query: query)) }
    }
    message.replace("result", with: .object(result))
  }

  /// The query of a redirect with the values of its parameters masked, because one of them is a code.
  private mutating func masked(query: String) -> String {
    let parts = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { part in
      let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return String(Substring(part)) }
      addSecret(String(Substring(pair[1])))
      return "\(Substring(pair[0]))=\(Self.mask)"
    }
    return parts.joined(separator: "&")
  }

  /// Masks a secret, and remembers it for later messages.
  private mutating func addAndMask(_ value: JSONValue) -> JSONValue {
    guard let text = value.string else { return value }
    addSecret(text)
    // A credential may itself be JSON, and the plugin may use its parts separately.
    if let inner = try? JSONValue(parsing: Array(text.utf8)) { addParts(of: inner) }
    return .string(Self.mask)
  }

  private mutating func addParts(of value: JSONValue) {
    if let text = value.string, text.utf8.count >= 16, !text.hasPrefix("http") { addSecret(text) }
    for element in value.array ?? [] { addParts(of: element) }
    for member in value.object?.members ?? [] { addParts(of: member.value) }
  }

  private mutating func addSecret(_ text: String) {
    // A secret of several lines, such as a key in PEM, is found line by line.
    let lines = text.split(whereSeparator: \.isNewline).filter { $0.utf8.count >= Self.minimumLength }
    redactor.add(lines.compactMap { Secret(parsing: String($0)) })
  }

  private func redacted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(masked(text))
    case .array(let elements): .array(elements.map(redacted))
    case .object(let object):
      .object(JSONObject(members: object.members.map { (masked($0.key), redacted($0.value)) }))
    case .null, .bool, .number: value
    }
  }

  private static func truncated(_ text: String) -> String {
    let size = text.utf8.count
    guard size > lengthLimit else { return text }
    return String(decoding: text.utf8.prefix(lengthLimit), as: UTF8.self) + "… (\(size) bytes)"
  }
}

extension JSONValue {
  /// Replaces a member of an object.
  fileprivate mutating func replace(_ name: String, with value: JSONValue) {
    guard var object else { return }
    object[name] = value
    self = .object(object)
  }
}
