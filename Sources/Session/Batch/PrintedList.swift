/// A list that this program printed as a table, CSV or TSV, whose first column is the id.
struct PrintedList {
  private enum Separator { case blank, comma, tab }
  private let separator: Separator
  /// Whether a value of the previous row continues: in CSV, a quoted value may contain line breaks.
  private var isInQuotes = false

  /// Nil for a line that is not such a header.
  package init?(heading line: ArraySlice<UInt8>) {
    let text = String(decoding: line, as: UTF8.self)
    if text == "id" || text.hasPrefix("id\t") {
      separator = .tab
    } else if text.hasPrefix("id,") {
      separator = .comma
    } else if text == "ID" || text.hasPrefix("ID "),
      text.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == 0x20 || $0 == 0x5f || $0 == 0x2e })
    {
      separator = .blank
    } else {
      return nil
    }
  }

  /// The value of the first column; nil inside a value that started in a previous row.
  package mutating func id(ofRow line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let quote = UInt8(ascii: "\"")
    switch separator {
    case .blank: return line.prefix { $0 != 0x20 }
    case .tab: return line.prefix { $0 != 0x09 }
    case .comma:
      let isContinuation = isInQuotes
      if line.count(where: { $0 == quote }) % 2 == 1 { isInQuotes.toggle() }
      guard !isContinuation else { return nil }
      guard line.first == quote else { return line.prefix { $0 != UInt8(ascii: ",") } }
      return line.dropFirst().prefix { $0 != quote }
    }
  }
}
