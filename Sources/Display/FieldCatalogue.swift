/// Why a list of fields is refused.
package enum FieldsError: Error, Equatable, CustomStringConvertible {
  /// A path without a name, or with an empty one.
  case malformed(String)
  /// No output has such a field; `nearest` are at most three that resemble it.
  case unknown(String, nearest: [String], valid: [String])

  package var description: String {
    switch self {
    case .malformed(""): "a field's name is empty"
    case .malformed(let text): "“\(text)” is not a field: a name in it is empty"
    case .unknown(let text, _, _): "there is no field “\(text)”"
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

  /// - Throws: ``FieldsError/unknown(_:nearest:valid:)`` for the first path that is in no output.
  package func check(_ fields: [FieldPath]) throws(FieldsError) {
    for field in fields where !has(field) {
      throw .unknown(field.text, nearest: nearest(to: field.text), valid: paths)
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

  private func nearest(to text: String) -> [String] {
    let wanted = Array(text.lowercased().unicodeScalars)
    guard wanted.count <= 100 else { return [] }
    let scored = paths.compactMap { path -> (path: String, distance: Int)? in
      let last = path.split(separator: ".").last ?? ""
      let whole = editDistance(wanted, Array(path.unicodeScalars))
      // `name` is a fair guess at what a bare `nmae` or a `service.name` meant.
      let tail = editDistance(wanted, Array(last.unicodeScalars)) + 1
      let distance = min(whole, tail)
      return distance <= min(max(2, wanted.count / 3), wanted.count - 1) ? (path, distance) : nil
    }
    return scored.sorted { $0.distance < $1.distance }.prefix(3).map(\.path)
  }
}

/// How many insertions, removals, replacements and swaps of neighbours lead from one text to the other.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
      row.append(best)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
