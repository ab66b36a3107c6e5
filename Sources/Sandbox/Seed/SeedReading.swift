import JSON

/// An error in a seed file with its location, such as `connections[2].features[0].title is not a string`.
package struct SeedError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let words: String
  package var description: String { path.isEmpty ? "it \(words)" : "\(path) \(words)" }
}

/// A value in a seed file, with its location.
struct SeedNode {
  let path: String
  let value: JSONValue

  func problem(_ words: String) -> SeedError { SeedError(path: path, words: words) }

  /// Throw an error if the object has an unknown key, which is usually a misspelled one.
  func object(_ keys: String...) throws(SeedError) -> SeedNode {
    guard let object = value.object else { throw problem("is not an object") }
    if let (key, _) = object.members.first(where: { !keys.contains($0.key) }) {
      throw self[key].problem("is not a known key; use one of: \(keys.joined(separator: ", "))")
    }
    return self
  }

  /// The member with this key, or null if there is none.
  subscript(key: String) -> SeedNode {
    SeedNode(path: path.isEmpty ? key : "\(path).\(key)", value: value[key] ?? .null)
  }

  var orNil: SeedNode? { value.isNull ? nil : self }

  func text() throws(SeedError) -> String {
    guard let text = value.string else { throw problem(value.isNull ? "is missing" : "is not a string") }
    return text
  }

  /// An id or credential: not empty, and without characters that are invalid in a URL or header.
  func word() throws(SeedError) -> String {
    let text = try text()
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }) else {
      throw problem("is empty or contains a space, a slash or a control character")
    }
    return text
  }

  func flag(orElse standard: Bool) throws(SeedError) -> Bool {
    if value.isNull { return standard }
    guard let flag = value.bool else { throw problem("is not true or false") }
    return flag
  }

  func count() throws(SeedError) -> Int {
    guard let number = value.int, 0...(1 << 53) ~= number else { throw problem("is not a whole number of at least 0") }
    return number
  }

  func degrees() throws(SeedError) -> Double {
    guard let number = value.double, number.isFinite else { throw problem("is not a number") }
    return number
  }

  /// The elements of an array; empty if it is missing.
  func list<T>(_ read: (SeedNode) throws(SeedError) -> T) throws(SeedError) -> [T] {
    if value.isNull { return [] }
    guard let elements = value.array else { throw problem("is not an array") }
    var found: [T] = []
    for (place, element) in elements.enumerated() {
      found.append(try read(SeedNode(path: "\(path)[\(place)]", value: element)))
    }
    return found
  }

  /// The members of an object whose keys are ids.
  func members<T>(_ read: (String, SeedNode) throws(SeedError) -> T) throws(SeedError) -> [String: T] {
    if value.isNull { return [:] }
    guard let object = value.object else { throw problem("is not an object") }
    var found: [String: T] = [:]
    for (key, value) in object.members {
      let node = SeedNode(path: "\(path).\(key)", value: value)
      guard found[key] == nil else { throw node.problem("appears twice") }
      found[key] = try read(key, node)
    }
    return found
  }

  func choice<T: RawRepresentable & CaseIterable>(_ type: T.Type) throws(SeedError) -> T where T.RawValue == String {
    guard let found = value.string.flatMap(T.init(rawValue:)) else {
      throw problem("is not one of \(T.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return found
  }

  func time() throws(SeedError) -> OffsetTime {
    guard let time = value.string.flatMap(OffsetTime.init(parsing:)) else {
      throw problem("is not a time such as 2026-01-31T12:00:00+01:00, with whole hours from UTC")
    }
    return time
  }
}
