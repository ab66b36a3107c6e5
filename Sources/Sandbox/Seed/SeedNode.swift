import JSON

/// An error in a seed file with its location, such as `connections[2].features[0].title is not a string`.
package struct SeedError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let predicate: String
  package var description: String { path.isEmpty ? "it \(predicate)" : "\(path) \(predicate)" }
}

/// A value in a seed file, with its location.
struct SeedNode {
  let path: String
  let value: JSONValue

  func problem(_ predicate: String) -> SeedError { SeedError(path: path, predicate: predicate) }

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

  var optional: SeedNode? { value.isNull ? nil : self }

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

  /// A name from a partner's service, such as the id of a user: any text but an empty one.
  func name() throws(SeedError) -> String {
    let text = try text()
    guard !text.isEmpty else { throw problem("is empty") }
    return text
  }

  /// A token or an email address, which is not part of a path: not empty, and without spaces and control characters.
  func token() throws(SeedError) -> String {
    let text = try text()
    guard Self.isToken(text) else { throw problem("is empty or contains a space or a control character") }
    return text
  }

  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
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
    for (index, element) in elements.enumerated() {
      found.append(try read(SeedNode(path: "\(path)[\(index)]", value: element)))
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

extension SeedNode {
  /// A value for a field of this type: a text, an option, a list of options or a location.
  func value(for type: SandboxFixtures.FieldType) throws(SeedError) -> SandboxFixtures.Value {
    switch type {
    case .textField, .textArea: return .text(try text())
    case .collectionSelect, .doubleCollectionSelect:
      let node = try object("value", "label", "group")
      return .option(
        try node["value"].text(), label: try node["label"].text(), group: try node["group"].optional?.text())
    case .checkboxMulti:
      guard value.array != nil else {
        throw problem("is not an array, as required by a field of type \(type.rawValue)")
      }
      return .options(
        try list { item throws(SeedError) in
          let item = try item.object("value", "label")
          return (value: try item["value"].text(), label: try item["label"].text())
        })
    case .locationPoint, .locationRadius, .locationEnter, .locationExit, .locationEnterOrExit:
      let node = try object("lat", "lng", "radius", "address", "description", "zoom")
      return .location(
        try node["lat"].degrees(), try node["lng"].degrees(), radius: try node["radius"].optional?.degrees(),
        address: try node["address"].optional?.text() ?? "",
        description: try node["description"].optional?.text() ?? "",
        zoom: try node["zoom"].optional?.count())
    }
  }

  /// The options of a field; empty if it has none.
  func options() throws(SeedError) -> [SandboxFixtures.Option] {
    try list { item throws(SeedError) in
      let item = try item.object("value", "label", "group")
      return SandboxFixtures.Option(
        try item["value"].text(), try item["label"].text(), group: try item["group"].optional?.text())
    }
  }

  /// The rows that a query returns when it is performed.
  func queryRows() throws(SeedError) -> SandboxFixtures.QueryRows {
    let rows = try self["rows"].list { item throws(SeedError) in
      guard let row = item.value.object else { throw item.problem("is not an object") }
      for (key, value) in row.members where value["type"] != nil {
        guard value["type"] == "query", value["fields"]?.object != nil, value["data"]?.array != nil else {
          throw item[key].problem("is not a query with \"fields\" and \"data\"")
        }
      }
      return row
    }
    let pageSize = try self["page_size"].optional?.count() ?? SandboxFixtures.QueryRows.standardPageSize
    guard SandboxFixtures.QueryRows.limits.contains(pageSize) else {
      throw self["page_size"].problem("is not from 1 to \(SandboxFixtures.QueryRows.limits.upperBound)")
    }
    return SandboxFixtures.QueryRows(rows, pageSize: pageSize)
  }
}
