/// A path in a row's object: names joined by dots, such as `services.name`.
///
/// In an array, the path continues in each element. A number picks one element, counted from 0.
package struct FieldPath: Sendable, Hashable, CustomStringConvertible {
  package let names: [String]
  /// As it was typed.
  package let text: String
  let steps: [Step]

  struct Step: Sendable, Hashable {
    let name: [UInt8]
    /// The array index that the name stands for, if any.
    let index: Int?
  }

  /// - Throws: ``FieldsError/malformed(_:)`` if a name is empty.
  package init(parsing text: String) throws(FieldsError) {
    let names = Self.names(in: text)
    guard names.allSatisfy({ !$0.isEmpty }) else { throw .malformed(text) }
    self.init(names: names, text: text)
  }

  /// A path that is known to be well-formed.
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
      Step(name: Array(name.utf8), index: name.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(name) : nil)
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
  /// No output has such a field.
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

  /// - Throws: ``FieldsError/unknown(_:valid:)`` for the first path that no output has.
  package func check(_ fields: [FieldPath]) throws(FieldsError) {
    for field in fields where !has(field) {
      throw .unknown(field.text, valid: paths)
    }
  }

  private func has(_ field: FieldPath) -> Bool {
    // Splitting all paths takes longer than comparing them, and is needed only for numbers and `*`.
    paths.contains(field.text)
      || field.names.count <= Self.depthLimit
        && paths.contains { Self.covers($0.split(separator: ".")[...], field.names[...]) }
  }

  /// More names than the depth of any output; a longer path is rejected without a search.
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

  private static func isIndex(_ name: String) -> Bool { name.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
}
