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
    // Every list has columns, and most are a single name. Searching bytes takes a tenth of searching characters.
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
