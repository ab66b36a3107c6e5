/// The name of a plugin: the name after `ifttt` on a command line, and the end of the executable's file name.
public struct PluginName: Sendable, Hashable, CustomStringConvertible {
  /// The name as text.
  public let description: String

  /// Parses a name; nil unless it is a lowercase letter followed by at most 31 lowercase letters, digits and hyphens.
  public init?(parsing text: String) {
    let messages = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = text.utf8.first, messages.contains(first), text.utf8.count <= 32,
      text.utf8.allSatisfy({ messages.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") })
    else { return nil }
    description = text
  }
}

extension PluginName: Comparable {
  /// Compares names byte by byte.
  public static func < (one: PluginName, other: PluginName) -> Bool { one.description < other.description }
}
