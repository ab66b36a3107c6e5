import JSON
import Text

/// A path in a row's object: names joined by dots, such as `services.name`.
///
/// In an array, the path continues in each element. A number picks one element, counted from 0.
package struct FieldPath: Sendable, Hashable, CustomStringConvertible {
  package let names: [String]
  /// The path as it was typed.
  package let text: String
  let steps: [Step]

  struct Step: Sendable, Hashable {
    let name: [UInt8]
    /// The array index if the name is a number.
    let index: Int?
  }

  /// - Throws: ``FieldsError/malformed(_:)`` if a name is empty.
  package init(parsing text: String) throws(FieldsError) {
    let names = Self.names(in: text)
    guard names.allSatisfy({ !$0.isEmpty }) else { throw .malformed(text) }
    self.init(names: names, text: text)
  }

  /// Creates a path from text that is known to be well-formed.
  package init(unchecked text: String) {
    self.init(names: Self.names(in: text), text: text)
  }

  private static func names(in text: String) -> [String] {
    // Most columns are a single name.
    guard text.utf8.contains(UInt8(ascii: ".")) else { return [text] }
    return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  private init(names: [String], text: String) {
    (self.names, self.text) = (names, text)
    steps = names.map { name in
      Step(name: Array(name.utf8), index: name.utf8.allSatisfy(\.isDigit) ? Int(name) : nil)
    }
  }

  /// The paths of `--fields`, separated by commas, with optional spaces around them. Duplicates are removed.
  /// - Throws: ``FieldsError/malformed(_:)``.
  package static func list(parsing text: String) throws(FieldsError) -> [FieldPath] {
    var paths: [FieldPath] = []
    var seen: Set<FieldPath> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let path = try FieldPath(parsing: String(part.trimmed))
      if seen.insert(path).inserted { paths.append(path) }
    }
    return paths
  }

  package var description: String { text }
}

extension FieldPath: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self.init(unchecked: value) }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// The reason a list of fields is rejected.
package enum FieldsError: Error, Equatable, CustomStringConvertible {
  /// An empty path, or a path with an empty name.
  case malformed(String)
  /// The output does not have this field.
  case unknown(String, valid: [String])

  package var description: String {
    switch self {
    case .malformed(""): "a field's name is empty"
    case .malformed(let text): "“\(text)” is not a valid field: one of its names is empty"
    case .unknown(let text, _): "unknown field “\(text)”"
    }
  }
}

/// The possible fields of an output. `--fields` is checked against them, not against the actual rows.
package struct FieldCatalog: Sendable {
  /// Dotted paths; `*` stands for any name in a free-form object.
  package let paths: [String]

  package init(_ paths: [String]) { self.paths = paths }

  /// - Throws: ``FieldsError/unknown(_:valid:)`` for the first path that the output does not have.
  package func check(_ fields: [FieldPath]) throws(FieldsError) {
    for field in fields where !has(field) {
      throw .unknown(field.text, valid: paths)
    }
  }

  private func has(_ field: FieldPath) -> Bool {
    // Only numbers and `*` need the paths to be split.
    paths.contains(field.text)
      || field.names.count <= Self.depthLimit
        && paths.contains { Self.covers($0.split(separator: ".")[...], field.names[...]) }
  }

  /// A number of names above the depth of any output. A longer path is rejected without a search.
  private static let depthLimit = 64

  /// Whether `path` leads to `valid` or one of its ancestors. Numbers may pick array elements. Any path is valid
  /// below a final `*`.
  private static func covers(_ valid: ArraySlice<Substring>, _ path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return true }
    guard let expected = valid.first else { return isIndex(name) && covers(valid, path.dropFirst()) }
    if expected == "*" || expected == name {
      if expected == "*", valid.count == 1 { return true }
      if covers(valid.dropFirst(), path.dropFirst()) { return true }
    }
    return path.startIndex > 0 && isIndex(name) && covers(valid, path.dropFirst())
  }

  private static func isIndex(_ name: String) -> Bool { name.utf8.allSatisfy(\.isDigit) }
}

/// Picks selected fields out of the bytes of rows, and stops reading a row once it has found them.
struct FieldProjection {
  private let paths: [FieldPath]
  /// The distinct first names, and for each path the index of its first name.
  private let keys: JSONKeys
  private let keyOfPath: [Int]
  /// For each first name, its path if that has further names and no other path begins with the same name.
  private let deepPaths: [Int?]
  /// The ranges of the members with those names in the current row; empty for a missing member.
  private var found: [Range<Int>]
  /// The JSON of the current row's fields with deep paths, by first name. They are copied while the row is scanned,
  /// because they would otherwise be scanned twice.
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
