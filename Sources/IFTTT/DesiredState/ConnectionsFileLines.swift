import JSON
import Text

/// The line numbers of the entries and fields of a file of connections, for reports that show them.
package struct ConnectionsFileLines {
  private struct Feature {
    var id = ""
    let line: Int
    var enabledLine: Int?
    var fields: [String: Int] = [:]
  }

  private struct Entry {
    let line: Int
    var statusLine: Int?
    var features: [Feature] = []
  }

  private var entries: [String: Entry] = [:]

  /// - Parameter bytes: a valid file of connections.
  package init(of bytes: [UInt8]) {
    let start = (try? TextStart.markLength(of: bytes)) ?? 0
    bytes.withUnsafeBytes { buffer in
      var reader = Reader(buffer, at: start)
      _ = try? reader.members { (reader, key) throws(JSONError) in
        guard key == "connections" else { return false }
        return try reader.elements { reader throws(JSONError) in try entry(&reader) }
      }
    }
  }

  /// The line of a connection's entry; 1 if the file does not name it.
  package func line(of id: String) -> Int { entries[id]?.line ?? 1 }

  /// The line of the status or field that differs, or of the nearest object around it that is in the file.
  package func line(of difference: StateDifference) -> Int {
    guard let entry = entries[difference.id] else { return 1 }
    guard let address = difference.field else { return entry.statusLine ?? entry.line }
    var counts: [String: Int] = [:]
    var line = entry.line
    for feature in entry.features {
      let number = counts[feature.id, default: 0] + 1
      counts[feature.id] = number
      for token in number == 1 ? [feature.id, "\(feature.id)#1"] : ["\(feature.id)#\(number)"] {
        if address == token { return feature.enabledLine ?? feature.line }
        guard address.hasPrefix("\(token).") else { continue }
        // The id of a feature may contain a dot, so another one may have the field.
        if let found = feature.fields[String(address.dropFirst(token.count + 1))] { return found }
        line = feature.line
      }
    }
    return line
  }

  private mutating func entry(_ reader: inout Reader) throws(JSONError) {
    var (entry, id) = (Entry(line: reader.line), "")
    try reader.members { (reader, key) throws(JSONError) in
      switch key {
      case "id": id = try reader.text()
      case "status":
        entry.statusLine = reader.line
        return false
      case "features":
        return try reader.elements { reader throws(JSONError) in entry.features.append(try Self.feature(&reader)) }
      default: return false
      }
      return true
    }
    entries[id] = entry
  }

  private static func feature(_ reader: inout Reader) throws(JSONError) -> Feature {
    var feature = Feature(line: reader.line)
    try reader.members { (reader, key) throws(JSONError) in
      switch key {
      case "feature": feature.id = try reader.text()
      case "enabled":
        feature.enabledLine = reader.line
        return false
      case "fields":
        return try reader.members { (reader, name) throws(JSONError) in
          feature.fields[name] = reader.line
          return false
        }
      default: return false
      }
      return true
    }
    return feature
  }
}

/// A scanner that knows the line of its current position.
private struct Reader {
  private var scanner: JSONScanner
  private var lines: LineCount
  /// The line of the last key or element.
  private(set) var line = 1

  init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
    (scanner, lines) = (JSONScanner(bytes, at: start), LineCount(bytes))
  }

  /// Visits the members of the object at the current position.
  /// - Parameter body: called at each member's value with its key. Returns whether it has read the value.
  /// - Returns: false, without moving, at any other value than an object.
  @discardableResult
  mutating func members(
    _ body: (inout Reader, _ key: String) throws(JSONError) -> Bool
  ) throws(JSONError) -> Bool {
    guard scanner.next == UInt8(ascii: "{") else { return false }
    while let key = try scanner.nextKey() {
      line = lines.number(at: key.lowerBound)
      if try !body(&self, decoded(key)) { _ = try scanner.skipValue() }
    }
    return true
  }

  /// Visits the elements of the array at the current position. `body` reads each of them.
  /// - Returns: false, without moving, at any other value than an array.
  mutating func elements(_ body: (inout Reader) throws(JSONError) -> Void) throws(JSONError) -> Bool {
    guard scanner.next == UInt8(ascii: "[") else { return false }
    while try scanner.nextElement() {
      line = lines.number(at: scanner.position)
      try body(&self)
    }
    return true
  }

  /// Reads a string.
  mutating func text() throws(JSONError) -> String {
    let value = try scanner.skipValue()
    return decoded(value.lowerBound + 1..<max(value.lowerBound + 1, value.upperBound - 1))
  }

  private func decoded(_ contents: Range<Int>) -> String {
    var text: [UInt8] = []
    JSONScanner.appendText(of: scanner.slice(contents), to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
