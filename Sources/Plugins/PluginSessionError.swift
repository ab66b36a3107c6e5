package import PluginProtocol
import Text
package import World

/// The reason why a plugin's request failed.
package enum PluginSessionError: Error, Sendable, Equatable {
  case notStarted(SystemError)
  /// The plugin responded with an error.
  case refused(PluginError)
  /// The plugin reported a different name than its manifest.
  case wrongName(String)
  case wrongVersion(String)
  /// The plugin does not advertise the method, or its manifest does not name it.
  case notAnnounced(method: String)
  case timeUp(method: String, limit: Duration)
  /// The plugin wrote something to stdout that is not a message.
  case stray(StrayOutput)
  /// The plugin sent a message that is not a valid response to the request.
  case invalidMessage(String)
  case tooLong
  /// The plugin exceeded a limit on the amount of data.
  case flood(String)
  /// The plugin ended; the exit status, or 128 + the signal's number. Nil if it closed its output and may still be
  /// running.
  case died(status: Int32?)
  case cancelled
}

extension PluginSessionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notStarted(let error): "it cannot be started: \(SystemError.message(for: error.number))"
    case .refused(let error): error.message
    case .wrongName(let name): "it reports the name '\(name)'"
    case .wrongVersion(let version): "it selected protocol '\(version)', which was not offered"
    case .notAnnounced(let method): "it does not offer '\(method)'"
    case .timeUp(let method, let limit): "it did not respond to '\(method)' within \(limit.inSeconds)"
    case .stray(let output): output.description
    case .invalidMessage(let why): "it wrote an invalid message: \(why)"
    case .tooLong: "it wrote a message of more than \(Message.limit >> 20) MiB"
    case .flood(let what): "it sent too much: \(what)"
    case .died(let status?) where status > 128 && status < 160: "it was killed by signal \(status - 128)"
    case .died(let status?): "it exited with status \(status) before it responded"
    case .died(nil): "it closed its stdout before it responded"
    case .cancelled: "it was canceled"
    }
  }
}

extension PluginSessionError {
  /// The error with the secrets masked in what it quotes.
  package func masked(_ mask: (String) -> String) -> PluginSessionError {
    if case .stray(let output) = self { .stray(output.masked(mask)) } else { self }
  }
}

extension Duration {
  /// The duration as text: `2 s`, `250 ms`.
  var inSeconds: String {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}

/// A line on a plugin's stdout that is not a message, such as one that it printed by mistake. Errors quote its beginning.
package struct StrayOutput: Sendable, Equatable, CustomStringConvertible {
  /// The number of characters that an error quotes.
  package static let limit = 200
  /// The number of bytes that are retained, so that a secret at the limit is masked as a whole.
  private static let retainedBytes = 4096

  /// The reason why the line is not a message.
  private let reason: String
  /// The beginning of the line; empty if it must not be shown.
  private var text: String

  package init(_ line: [UInt8], _ error: MessageError) {
    reason = "\(error)"
    let text = PlainText.withoutEscapes(String(decoding: line.prefix(Self.retainedBytes), as: UTF8.self))
    // A damaged request to save credentials has them in plain text, before they are known to this program.
    self.text = text.includes(HostService.saveCredentials.rawValue) ? "" : text
  }

  /// The line with the secrets in it masked.
  package func masked(_ mask: (String) -> String) -> StrayOutput {
    var copy = self
    copy.text = mask(text)
    return copy
  }

  package var description: String {
    let isCut = text.count > Self.limit
    let quote = text.isEmpty ? "a line" : "'\(text.prefix(Self.limit))\(isCut ? "…" : "")'"
    return "it wrote \(quote) to stdout, which belongs to the protocol: \(reason)"
  }
}

/// The amount of data that a plugin has sent for one request. A plugin that exceeds a limit floods the program.
struct RequestQuota {
  static let itemLimit = 1_000_000
  /// The limit on items held in memory until the response, in bytes.
  static let heldLimit = 64 << 20
  /// The limit on messages that are neither items nor responses.
  static let otherLimit = 100_000

  /// Whether items are held in memory.
  var isHolding = false
  private var items = 0
  private var held = 0
  private var others = 0

  init(isHolding: Bool = false) { self.isHolding = isHolding }

  /// - Returns: the limit that was exceeded; nil if none was.
  mutating func count(_ method: String, size: Int) -> String? {
    guard method == "item" else {
      others += 1
      return others > Self.otherLimit ? "more than \(Self.otherLimit) messages for one request" : nil
    }
    items += 1
    held += isHolding ? size : 0
    if items > Self.itemLimit { return "more than \(Self.itemLimit) items for one request" }
    return held > Self.heldLimit ? "more than \(Self.heldLimit >> 20) MiB of items" : nil
  }
}
