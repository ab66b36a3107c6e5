import JSON
import Session

/// Ids on stdin are read the same however the bytes are split, one per line or element, and are the same when they are
/// written as JSON Lines or as a JSON array and read again.
enum IdentifierProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let whole = read(bytes, pieces: .max)
    for pieces in [1, 7] where read(bytes, pieces: pieces) != whole {
      return "pieces of \(pieces) bytes are read differently"
    }
    guard whole.count <= bytes.count + 1 else { return "more elements than bytes" }
    var ids: [String] = []
    var last = 1
    let lineCount = bytes.count { $0 == 0x0a } + 1
    for element in whole {
      let line: Int
      switch element {
      case .id(let number, let id):
        line = number
        ids.append(id)
      case .badLine(let number, let reason):
        line = number
        guard !reason.isEmpty, !reason.hasControls() else { return "a report without a reason, or with text" }
      }
      guard line >= last, line <= lineCount else { return "a wrong line" }
      last = line
    }
    let values = ids.map(JSONValue.string)
    let lines: [UInt8] = values.flatMap { $0.bytes + [0x0a] }
    for text in [lines, JSONValue.array(values).bytes] where Self.ids(in: text) != ids {
      return "ids that change when they are written again"
    }
    return nil
  }

  private static func read(_ bytes: [UInt8], pieces: Int) -> [IdentifierReader.Element] {
    var (reader, elements, rest) = (IdentifierReader(), [IdentifierReader.Element](), bytes[...])
    do {
      while !rest.isEmpty {
        try reader.read(Array(rest.prefix(pieces))) { elements.append($0) }
        rest = rest.dropFirst(pieces)
      }
      try reader.end { elements.append($0) }
    } catch {
      // A text in another encoding ends the reading, before its first element.
    }
    return elements
  }

  private static func ids(in bytes: [UInt8]) -> [String]? {
    var ids: [String] = []
    for element in read(bytes, pieces: .max) {
      guard case .id(_, let id) = element else { return nil }
      ids.append(id)
    }
    return ids
  }
}
