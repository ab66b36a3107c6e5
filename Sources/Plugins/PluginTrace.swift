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
