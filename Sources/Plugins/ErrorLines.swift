/// A plugin's stderr, split into printable lines of at most 4 KiB each and 1 MiB in total.
package struct ErrorLines {
  package static let limit = 1 << 20
  package static let lineLimit = 4096

  private var unfinished: [UInt8] = []
  private var taken = 0
  private var isCut = false

  package init() {}

  /// The lines that are now complete.
  package mutating func receive(_ bytes: [UInt8]) -> [String] {
    guard !isCut else { return [] }
    var lines: [String] = []
    for byte in bytes.prefix(Self.limit - taken) {
      if byte == UInt8(ascii: "\n") {
        lines.append(line())
      } else {
        unfinished.append(byte)
        if unfinished.count >= Self.lineLimit { lines.append(line()) }
      }
    }
    taken += bytes.count
    if taken > Self.limit {
      isCut = true
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
