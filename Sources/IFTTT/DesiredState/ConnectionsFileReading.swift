package import JSON

// A file is read strictly: a misspelled key would otherwise leave something unset without notice.
extension ConnectionsFile {
  /// The maximum size of a file, in bytes.
  package static let sizeLimit = 64 << 20

  /// - Throws: ``ConnectionsFileError``.
  package init(parsing bytes: [UInt8]) throws(ConnectionsFileError) {
    var entries = DesiredConnections()
    let (reader, list) = try StrictObject.reading(bytes, list: "connections") {
      reader throws(ConnectionsFileError) in entries.append(try DesiredConnection(reader))
    }
    try reader.allow(["version", "connections"])
    try reader.checkVersion(Self.version)
    try list.get()
    connections = entries
    try connections.checkUnique()
  }
}

extension DesiredConnections {
  /// - Throws: ``ConnectionsFileError`` if two entries are for the same connection.
  func checkUnique() throws(ConnectionsFileError) {
    var seen: Set<ConnectionID> = []
    for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
      let first = ids.firstIndex(of: id) ?? index
      throw ConnectionsFileError("\(self[index].path).id", "\(self[first].path) has the same id")
    }
  }
}

extension DesiredConnection {
  /// Reads one entry.
  /// - Parameter path: its path in the file, for errors.
  /// - Throws: ``ConnectionsFileError``.
  package init(document: JSONValue, at path: String) throws(ConnectionsFileError) {
    try self.init(try StrictObject(document, at: path))
  }

  fileprivate init(_ reader: StrictObject) throws(ConnectionsFileError) {
    try reader.allow(["id", "name", "status", "pending", "features"])
    guard let text = try reader.text("id") else { throw reader.error("it is missing", at: "id") }
    guard let id = ConnectionID(parsing: text) else { throw reader.error("it is not a connection's id", at: "id") }
    self.init(
      id: id, name: try reader.text("name"), isPending: try reader.flag("pending") ?? false,
      features: try reader.objects("features") { reader throws(ConnectionsFileError) in try DesiredFeature(reader) },
      path: reader.path)
    guard let word = try reader.text("status") else { return }
    status = UserStatus(rawValue: word)
    guard status != nil else {
      throw reader.error(
        "it is not one of \(UserStatus.allCases.map(\.rawValue).joined(separator: ", "))", at: "status")
    }
  }
}

extension DesiredFeature {
  fileprivate init(_ reader: StrictObject) throws(ConnectionsFileError) {
    try reader.allow(["feature", "title", "enabled", "fields"])
    guard let feature = try reader.text("feature") else { throw reader.error("it is missing", at: "feature") }
    self.init(feature: feature, title: try reader.text("title"), isEnabled: try reader.flag("enabled"))
    guard let value = reader["fields"] else { return }
    let fields = try StrictObject(value, at: "\(reader.path).fields")
    self.fields = fields.object.members.map { (name: $0.key, value: $0.value) }
    for (name, value) in self.fields {
      if value.containsNUL { throw fields.error("it contains the character U+0000", at: name) }
      if let key = value.repeatedKey { throw fields.error("the key \"\(key)\" is repeated", at: name) }
    }
  }
}

extension JSONValue {
  /// The first key that an object in the value has more than once.
  fileprivate var repeatedKey: String? {
    switch self {
    case .null, .bool, .number, .string: return nil
    case .array(let elements): return elements.lazy.compactMap(\.repeatedKey).first
    case .object(let object): return object.repeatedKey ?? object.members.lazy.compactMap(\.value.repeatedKey).first
    }
  }

  fileprivate var containsNUL: Bool {
    switch self {
    case .null, .bool, .number: false
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains(where: \.containsNUL)
    case .object(let object): object.members.contains { $0.key.utf8.contains(0) || $0.value.containsNUL }
    }
  }
}

extension JSONObject {
  /// The first key that occurs again.
  var repeatedKey: String? {
    // Most objects are small, and a set takes longer than a few comparisons.
    guard members.count > 8 else {
      return members.indices.first { index in members[..<index].contains { $0.key == members[index].key } }
        .map { members[$0].key }
    }
    var seen: Set<String> = []
    return members.first { !seen.insert($0.key).inserted }?.key
  }
}

/// An object of the file, in which no key is repeated.
struct StrictObject {
  let object: JSONObject
  let path: String

  init(_ value: JSONValue, at path: String) throws(ConnectionsFileError) {
    guard case .object(let object) = value else { throw ConnectionsFileError(path, "it is not a JSON object") }
    (self.object, self.path) = (object, path)
    if let key = object.repeatedKey { throw error("the key is repeated", at: key) }
  }

  /// Reads a whole file that has a list of objects, which may be long.
  /// - Parameters:
  ///   - key: that of the list.
  ///   - read: reads one of its objects.
  /// - Returns: the file with an empty list, and the first error in the list.
  static func reading(
    _ bytes: [UInt8], list key: String, _ read: @escaping (StrictObject) throws(ConnectionsFileError) -> Void
  ) throws(ConnectionsFileError) -> (StrictObject, Result<Void, ConnectionsFileError>) {
    var count = 0
    var failure: ConnectionsFileError?
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(document: bytes, list: key) { value in
        guard failure == nil else { return }
        do throws(ConnectionsFileError) {
          try read(try StrictObject(value, at: "\(key)[\(count)]"))
          count += 1
        } catch { failure = error }
      }
    } catch { throw ConnectionsFileError(TextPosition(of: error.offset, in: bytes).description, error.problem) }
    let file = try StrictObject(document, at: "")
    switch file[key] {
    case nil: return (file, .failure(file.error("it is missing", at: key)))
    case .array?, .null?: return (file, failure.map(Result.failure) ?? .success(()))
    default: return (file, .failure(file.error("it is not an array", at: key)))
    }
  }

  subscript(key: String) -> JSONValue? { object[key] }

  func checkVersion(_ version: Int) throws(ConnectionsFileError) {
    guard self["version"]?.int == version else {
      throw error("it is not \(version), the only version that this program reads", at: "version")
    }
  }

  func error(_ message: String, at key: String) -> ConnectionsFileError {
    ConnectionsFileError(path.isEmpty ? key : "\(path).\(key)", message)
  }

  func allow(_ keys: [String]) throws(ConnectionsFileError) {
    for (key, _) in object.members where !keys.contains(key) {
      throw error("the key is not one of \(keys.joined(separator: ", "))", at: key)
    }
  }

  func text(_ key: String) throws(ConnectionsFileError) -> String? {
    guard let value = self[key], !value.isNull else { return nil }
    guard let text = value.string else { throw error("it is not a string", at: key) }
    return text
  }

  func flag(_ key: String) throws(ConnectionsFileError) -> Bool? {
    guard let value = self[key], !value.isNull else { return nil }
    guard let flag = value.bool else { throw error("it is neither true nor false", at: key) }
    return flag
  }

  func objects<Element>(
    _ key: String, _ read: (StrictObject) throws(ConnectionsFileError) -> Element
  ) throws(ConnectionsFileError) -> [Element] {
    guard let value = self[key], !value.isNull else { return [] }
    guard case .array(let values) = value else { throw error("it is not an array", at: key) }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      elements.append(try read(try StrictObject(value, at: (path.isEmpty ? key : "\(path).\(key)") + "[\(index)]")))
    }
    return elements
  }
}

/// A position in a text, for people. Both numbers start at 1, and a column is one byte wide.
struct TextPosition: Equatable, CustomStringConvertible {
  let line: Int
  let column: Int

  init(of offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
  }

  var description: String { "line \(line), column \(column)" }
}
