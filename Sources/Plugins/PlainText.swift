/// A plugin's text without the sequences that a terminal would interpret (ECMA-48).
package enum PlainText {
  /// Removes complete escape sequences, and all control characters except the tab.
  package static func withoutEscapes(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar.value {
      case 0x1b: skipSequence(&scalars)
      case 0x9b: skipParameters(&scalars)
      case 0x90, 0x98, 0x9d, 0x9e, 0x9f: skipString(&scalars)
      case 0x09: result.append(scalar)
      case ..<0x20, 0x7f...0x9f: break
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func skipSequence(_ scalars: inout Substring.UnicodeScalarView) {
    guard let kind = scalars.first else { return }
    switch kind {
    case "[":
      scalars.removeFirst()
      skipParameters(&scalars)
    case "]", "P", "X", "^", "_":
      scalars.removeFirst()
      skipString(&scalars)
    default:
      while let next = scalars.first, 0x20...0x2f ~= next.value { scalars.removeFirst() }
      if let last = scalars.first, 0x30...0x7e ~= last.value { scalars.removeFirst() }
    }
  }

  private static func skipParameters(_ scalars: inout Substring.UnicodeScalarView) {
    while let next = scalars.first, 0x20...0x3f ~= next.value { scalars.removeFirst() }
    if let last = scalars.first, 0x40...0x7e ~= last.value { scalars.removeFirst() }
  }

  /// Skips to BEL or ST.
  private static func skipString(_ scalars: inout Substring.UnicodeScalarView) {
    while let next = scalars.popFirst() {
      if next.value == 0x07 || next.value == 0x9c { return }
      if next.value == 0x1b, scalars.first == "\\" {
        scalars.removeFirst()
        return
      }
    }
  }
}

/// A plugin's stderr, split into printable lines. The length of a line and the total size are limited.
package struct ErrorLines {
  /// The maximum total size, in bytes.
  package static let limit = 1 << 20
  /// The maximum length of a line, in bytes. The rest of a longer line becomes another line.
  package static let lineLimit = 4096

  private var unfinished: [UInt8] = []
  private var receivedCount = 0
  private var isTruncated = false

  package init() {}

  /// The lines that are now complete.
  package mutating func receive(_ bytes: [UInt8]) -> [String] {
    guard !isTruncated else { return [] }
    var lines: [String] = []
    for byte in bytes.prefix(Self.limit - receivedCount) {
      if byte == UInt8(ascii: "\n") {
        lines.append(line())
      } else {
        unfinished.append(byte)
        if unfinished.count >= Self.lineLimit { lines.append(line()) }
      }
    }
    receivedCount += bytes.count
    if receivedCount > Self.limit {
      isTruncated = true
      if !unfinished.isEmpty { lines.append(line()) }
      lines.append("(It writes more than 1 MiB to stderr; the rest is omitted.)")
    }
    return lines
  }

  /// The last line, if it does not end with a line feed.
  package mutating func end() -> [String] { unfinished.isEmpty ? [] : [line()] }

  private mutating func line() -> String {
    defer { unfinished.removeAll(keepingCapacity: true) }
    return PlainText.withoutEscapes(String(decoding: unfinished, as: UTF8.self))
  }
}
