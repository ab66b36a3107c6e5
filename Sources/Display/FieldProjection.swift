import JSON

/// Picks selected fields out of the bytes of rows, and stops reading a row once it has found them.
struct FieldProjection {
  private let paths: [FieldPath]
  /// The distinct first names, and the index of the one each path begins with.
  private let keys: JSONKeys
  private let keyOfPath: [Int]
  /// The ranges of the members with those names in the current row; empty for a missing member.
  private var found: [Range<Int>]

  init(_ paths: [FieldPath]) {
    self.paths = paths
    var names: [[UInt8]] = []
    keyOfPath = paths.map { path in
      let name = path.steps.first?.name ?? []
      if let known = names.firstIndex(of: name) { return known }
      names.append(name)
      return names.count - 1
    }
    keys = JSONKeys(names)
    found = Array(repeating: 0..<0, count: names.count)
  }

  /// Finds the fields of a row. The same row must be passed to the methods that return its values. If a key is
  /// repeated, the first one counts.
  mutating func read(_ row: UnsafeRawBufferPointer) throws(JSONError) {
    var scanner = JSONScanner(row)
    guard scanner.next == UInt8(ascii: "{") else { throw JSONError(problem: "a row is not an object", offset: 0) }
    try scanner.find(keys, in: &found)
  }

  /// The field's bytes in the row, empty if it is missing; nil if the path has more than one name.
  @inline(__always)
  func slice(_ path: Int, of row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard paths[path].steps.count == 1 else { return nil }
    return UnsafeRawBufferPointer(rebasing: row[found[keyOfPath[path]]])
  }

  /// Appends a field as JSON, `null` if the row has none.
  func appendJSON(_ path: Int, of row: UnsafeRawBufferPointer, to json: inout [UInt8]) throws(JSONError) {
    let value = UnsafeRawBufferPointer(rebasing: row[found[keyOfPath[path]]])
    if value.isEmpty { return json.append("null") }
    try Self.append(paths[path].steps, from: 1, in: value, depth: 0, to: &json)
  }

  private static func append(
    _ steps: [FieldPath.Step], from first: Int, in value: UnsafeRawBufferPointer, depth: Int, to json: inout [UInt8]
  ) throws(JSONError) {
    guard first < steps.count else { return json.append(contentsOf: value) }
    guard depth < JSONValue.maximumDepth else { throw JSONError(problem: "nested too deeply", offset: 0) }
    var scanner = JSONScanner(value)
    switch scanner.next {
    case UInt8(ascii: "{"):
      guard let member = try scanner.value(of: steps[first].name) else { return json.append("null") }
      try append(steps, from: first + 1, in: scanner.slice(member), depth: depth + 1, to: &json)
    case UInt8(ascii: "["):
      if let index = steps[first].index {
        var place = 0
        while try scanner.nextElement() {
          let element = try scanner.skipValue()
          if place == index {
            return try append(steps, from: first + 1, in: scanner.slice(element), depth: depth + 1, to: &json)
          }
          place += 1
        }
        return json.append("null")
      }
      json.append("[")
      var isFirst = true
      while try scanner.nextElement() {
        if !isFirst { json.append(",") }
        isFirst = false
        try append(steps, from: first, in: scanner.slice(try scanner.skipValue()), depth: depth + 1, to: &json)
      }
      json.append("]")
    default: json.append("null")
    }
  }
}
