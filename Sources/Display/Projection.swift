import JSON

/// Picks chosen fields out of rows by their bytes, and stops reading a row once it has them.
struct Projection {
  private let paths: [FieldPath]
  /// The distinct first names, and which of them each path begins with.
  private let names: [[UInt8]]
  private let nameOfPath: [Int]
  /// Where the members with those names stand in the row at hand; empty where it has none.
  private var found: [Range<Int>]

  init(_ paths: [FieldPath]) {
    self.paths = paths
    var names: [[UInt8]] = []
    nameOfPath = paths.map { path in
      let name = path.steps.first?.name ?? []
      if let known = names.firstIndex(of: name) { return known }
      names.append(name)
      return names.count - 1
    }
    self.names = names
    found = Array(repeating: 0..<0, count: names.count)
  }

  /// Finds the fields of a row, which the calls for its values are given again. Of a repeated key the first counts.
  mutating func read(_ row: UnsafeRawBufferPointer) throws(JSONError) {
    for place in found.indices { found[place] = 0..<0 }
    var missing = names.count
    var scanner = JSONScanner(row)
    guard scanner.next == UInt8(ascii: "{") else { throw JSONError(problem: "a row is no object", offset: 0) }
    while missing > 0, let key = try scanner.nextKey() {
      let value = try scanner.skipValue()
      guard let place = names.firstIndex(where: { Self.isSame(scanner.slice(key), $0) }) else { continue }
      guard found[place].isEmpty else { continue }
      found[place] = value
      missing -= 1
    }
  }

  /// The field as it stands in the row when the path is one name; empty when there is none, nil for a longer path.
  @inline(__always)
  func slice(_ path: Int, of row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard paths[path].steps.count == 1 else { return nil }
    return UnsafeRawBufferPointer(rebasing: row[found[nameOfPath[path]]])
  }

  /// Appends a field as JSON, `null` when the row has none.
  func appendJSON(_ path: Int, of row: UnsafeRawBufferPointer, to json: inout [UInt8]) throws(JSONError) {
    let value = UnsafeRawBufferPointer(rebasing: row[found[nameOfPath[path]]])
    if value.isEmpty { return json.append("null") }
    try Self.append(paths[path].steps.dropFirst(), in: value, depth: 0, to: &json)
  }

  private static func append(
    _ steps: ArraySlice<FieldPath.Step>, in value: UnsafeRawBufferPointer, depth: Int, to json: inout [UInt8]
  ) throws(JSONError) {
    guard let step = steps.first else { return json.append(contentsOf: value) }
    guard depth < JSONValue.maximumDepth else { throw JSONError(problem: "nested too deeply", offset: 0) }
    var scanner = JSONScanner(value)
    switch scanner.next {
    case UInt8(ascii: "{"):
      while let key = try scanner.nextKey() {
        let member = try scanner.skipValue()
        guard isSame(scanner.slice(key), step.name) else { continue }
        return try append(steps.dropFirst(), in: scanner.slice(member), depth: depth + 1, to: &json)
      }
      json.append("null")
    case UInt8(ascii: "["):
      if let index = step.index {
        var place = 0
        while try scanner.nextElement() {
          let element = try scanner.skipValue()
          if place == index {
            return try append(steps.dropFirst(), in: scanner.slice(element), depth: depth + 1, to: &json)
          }
          place += 1
        }
        json.append("null")
        return
      }
      json.append("[")
      var isFirst = true
      while try scanner.nextElement() {
        if !isFirst { json.append(",") }
        isFirst = false
        try append(steps, in: scanner.slice(try scanner.skipValue()), depth: depth + 1, to: &json)
      }
      json.append("]")
    default: json.append("null")
    }
  }

  @inline(__always)
  private static func isSame(_ key: UnsafeRawBufferPointer, _ name: [UInt8]) -> Bool {
    if key.count == name.count {
      for place in 0..<key.count where key[place] != name[place] { return false }
      return true
    }
    // Only an escape lets a key of another length mean the same.
    guard key.count > name.count, key.contains(UInt8(ascii: "\\")) else { return false }
    var text: [UInt8] = []
    JSONScanner.appendText(of: key, to: &text)
    return text == name
  }
}
