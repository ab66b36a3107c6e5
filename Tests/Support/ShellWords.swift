package import CommandLine

/// A command line splitter that works like a shell. It supports what examples and tests use: blanks, quotes and
/// backslashes, but no expansions.
package enum ShellWords {
  /// - Returns: The words, or nil if a quote is not closed or the line ends with a backslash.
  package static func split(_ line: String) -> [RawArgument]? {
    var words: [RawArgument] = []
    var current: [UInt8]?
    var quote: UInt8?
    var bytes = line.utf8.makeIterator()
    while let byte = bytes.next() {
      switch (byte, quote) {
      case (UInt8(ascii: "\\"), nil):
        guard let next = bytes.next() else { return nil }
        current = (current ?? []) + [next]
      case (UInt8(ascii: "\\"), UInt8(ascii: "\"")):
        guard let next = bytes.next() else { return nil }
        // Within double quotes, a backslash is literal except before a character it can escape there.
        current = (current ?? []) + ("\"\\$`".utf8.contains(next) ? [next] : [byte, next])
      case (UInt8(ascii: "'"), nil), (UInt8(ascii: "\""), nil):
        quote = byte
        current = current ?? []
      case (_, .some(let open)) where byte == open: quote = nil
      case (UInt8(ascii: " "), nil), (UInt8(ascii: "\t"), nil), (UInt8(ascii: "\n"), nil):
        if let word = current { words.append(RawArgument(bytes: word)) }
        current = nil
      default: current = (current ?? []) + [byte]
      }
    }
    if let word = current { words.append(RawArgument(bytes: word)) }
    return quote == nil ? words : nil
  }
}
