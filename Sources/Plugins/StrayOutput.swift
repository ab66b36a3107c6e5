package import PluginProtocol

/// A line on a plugin's stdout that is not a message, such as one that it printed by mistake. Errors quote its beginning.
package struct StrayOutput: Sendable, Equatable, CustomStringConvertible {
  /// The number of characters that an error quotes.
  package static let limit = 200
  /// The bytes that are kept, so that a secret at the limit is masked as a whole.
  private static let kept = 4096

  /// Why the line is not a message.
  private let reason: String
  /// The beginning of the line; empty if it must not be shown.
  private var text: String

  package init(_ line: [UInt8], _ error: MessageError) {
    reason = "\(error)"
    let text = PlainText.withoutEscapes(String(decoding: line.prefix(Self.kept), as: UTF8.self))
    // A damaged request to save credentials has them in plain text, before they are known to this program.
    self.text = text.holds("credential/put") ? "" : text
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
