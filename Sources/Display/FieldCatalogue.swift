/// Why a list of fields is refused.
package enum FieldsError: Error, Equatable, CustomStringConvertible {
  /// A path without a name, or with an empty one.
  case malformed(String)
  /// No output has such a field.
  case unknown(String, valid: [String])

  package var description: String {
    switch self {
    case .malformed(""): "a field's name is empty"
    case .malformed(let text): "“\(text)” is not a field: a name in it is empty"
    case .unknown(let text, _): "there is no field “\(text)”"
    }
  }
}

/// The fields that an output may have, by which `--fields` are judged, and never by the rows that happen to come.
package struct FieldCatalogue: Sendable {
  /// Dotted paths; `*` stands for any name where an object is a free map.
  package let paths: [String]
  private let names: [[Substring]]

  package init(_ paths: [String]) {
    self.paths = paths
    names = paths.map { $0.split(separator: ".") }
  }

  /// - Throws: ``FieldsError/unknown(_:valid:)`` for the first path that is in no output.
  package func check(_ fields: [FieldPath]) throws(FieldsError) {
    for field in fields where !has(field) {
      throw .unknown(field.text, valid: paths)
    }
  }

  private func has(_ field: FieldPath) -> Bool {
    field.names.count <= Self.deepest && names.contains { Self.covers($0[...], field.names[...]) }
  }

  /// More names than any output is deep; a longer path is not looked at.
  private static let deepest = 64

  /// Whether `path` leads to `valid` or to something above it, numbers picking elements on the way. Below a final `*`
  /// there may be anything.
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
