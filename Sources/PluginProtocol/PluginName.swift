/// What a plugin is called: the word behind `ifttt` on a command line, and the end of its executable's name.
public struct PluginName: Sendable, Hashable, CustomStringConvertible {
  /// As it is written.
  public let description: String

  /// Nil unless it is a lower-case letter followed by at most 31 lower-case letters, digits and hyphens.
  public init?(parsing text: String) {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = text.utf8.first, letters.contains(first), text.utf8.count <= 32,
      text.utf8.allSatisfy({ letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") })
    else { return nil }
    description = text
  }
}

extension PluginName: Comparable {
  /// By the bytes of their letters.
  public static func < (one: PluginName, other: PluginName) -> Bool { one.description < other.description }
}
