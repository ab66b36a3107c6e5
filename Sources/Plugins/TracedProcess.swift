import JSON
import PluginProtocol
import Text

/// The trace of one process of a plugin, which splits what it writes into lines again.
package final class TracedProcess {
  /// A line: a JSON object, or text that is not one.
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
      // Its end is unknown, so no later message can be recorded.
      isTooLong = true
      write(.plugin, .text("(\(error))"))
    }
  }

  /// Records what the plugin wrote after its last line feed.
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
