import JSON

/// Picks selected fields out of the bytes of rows, and stops reading a row once it has found them.
struct FieldProjection {
  private let paths: [FieldPath]
  /// The distinct first names, and the index of the one each path begins with.
  private let keys: JSONKeys
  private let keyOfPath: [Int]
  /// The path of each first name, if it has more than one name and no other path begins like it.
  private let deepPaths: [Int?]
  /// The ranges of the members with those names in the current row; empty for a missing member.
  private var found: [Range<Int>]
  /// The JSON of the current row's fields with deep paths, by first name. They are read on the way, because they would
  /// otherwise be read twice.
  private var read: [[UInt8]]

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
    deepPaths = names.indices.map { [keyOfPath] name in
      let users = paths.indices.filter { keyOfPath[$0] == name }
      return users.count == 1 && paths[users[0]].steps.count > 1 ? users[0] : nil
    }
    found = Array(repeating: 0..<0, count: names.count)
    read = Array(repeating: [], count: names.count)
  }

  /// Finds the fields of a row. The same row must be passed to the methods that return its values. If a key is
  /// repeated, the first one counts.
  mutating func read(_ row: UnsafeRawBufferPointer) throws(JSONError) {
    var scanner = JSONScanner(row)
    guard scanner.next == UInt8(ascii: "{") else { throw JSONError(problem: "a row is not an object", offset: 0) }
    for name in found.indices { found[name] = 0..<0 }
    var missing = keys.count
    while missing > 0, let key = try scanner.nextKey() {
      guard let name = scanner.index(of: key, in: keys), found[name].isEmpty else {
        _ = try scanner.skipValue()
        continue
      }
      if let path = deepPaths[name] {
        read[name].removeAll(keepingCapacity: true)
        let start = scanner.position
        try Self.append(paths[path].steps, from: 1, with: &scanner, depth: 0, to: &read[name])
        found[name] = start..<scanner.position
      } else {
        found[name] = try scanner.skipValue()
      }
      missing -= 1
    }
  }

  /// The field's bytes in the row, empty if it is missing; nil if the path has more than one name.
  @inline(__always)
  func slice(_ path: Int, of row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard paths[path].steps.count == 1 else { return nil }
    return UnsafeRawBufferPointer(rebasing: row[found[keyOfPath[path]]])
  }

  /// Appends a field as JSON, `null` if the row has none.
  func appendJSON(_ path: Int, of row: UnsafeRawBufferPointer, to json: inout [UInt8]) throws(JSONError) {
    let name = keyOfPath[path]
    if found[name].isEmpty { return json.append("null") }
    if deepPaths[name] != nil { return json.append(contentsOf: read[name]) }
    var scanner = JSONScanner(row, at: found[name].lowerBound)
    try Self.append(paths[path].steps, from: 1, with: &scanner, depth: 0, to: &json)
  }

  /// Appends the part of the next value that the steps lead to, and moves past the value.
  private static func append(
    _ steps: [FieldPath.Step], from first: Int, with scanner: inout JSONScanner, depth: Int, to json: inout [UInt8]
  ) throws(JSONError) {
    guard first < steps.count else { return json.append(contentsOf: scanner.slice(try scanner.skipValue())) }
    guard depth < JSONValue.maximumDepth else { throw JSONError(problem: "nested too deeply", offset: 0) }
    switch scanner.next {
    case UInt8(ascii: "{"):
      while let key = try scanner.nextKey() {
        guard scanner.isKey(key, steps[first].name) else {
          _ = try scanner.skipValue()
          continue
        }
        try append(steps, from: first + 1, with: &scanner, depth: depth + 1, to: &json)
        return try scanner.skipRest()
      }
      json.append("null")
    case UInt8(ascii: "["):
      if let index = steps[first].index {
        var elementIndex = 0
        while try scanner.nextElement() {
          if elementIndex == index {
            try append(steps, from: first + 1, with: &scanner, depth: depth + 1, to: &json)
            return try scanner.skipRest()
          }
          _ = try scanner.skipValue()
          elementIndex += 1
        }
        return json.append("null")
      }
      json.append("[")
      var isFirst = true
      while try scanner.nextElement() {
        if !isFirst { json.append(",") }
        isFirst = false
        try append(steps, from: first, with: &scanner, depth: depth + 1, to: &json)
      }
      json.append("]")
    default:
      _ = try scanner.skipValue()
      json.append("null")
    }
  }
}
