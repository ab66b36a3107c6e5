/// A position in a text, for people. Both numbers start at 1, and a column is one byte wide.
struct TextPosition: Equatable, CustomStringConvertible {
  let line: Int
  let column: Int

  init(of offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
  }

  var description: String { "line \(line), column \(column)" }
}
