package import JSON

extension ConnectionsFile {
  /// The maximum size of a file, in bytes.
  package static let sizeLimit = 64 << 20

  /// - Throws: ``DocumentError``.
  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    var entries = DesiredConnections()
    let (reader, list) = try StrictObject.reading(bytes, list: "connections") {
      reader throws(DocumentError) in entries.append(try DesiredConnection(reader))
    }
    try reader.allow(["version", "connections"])
    try reader.checkVersion(Self.version)
    try list.get()
    connections = entries
    try connections.checkUnique()
  }
}

extension DesiredConnections {
  /// - Throws: ``DocumentError`` if two entries are for the same connection.
  func checkUnique() throws(DocumentError) {
    var seen: Set<ConnectionID> = []
    for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
      let first = ids.firstIndex(of: id) ?? index
      throw DocumentError("\(self[index].path).id", "\(self[first].path) has the same id")
    }
  }
}

extension DesiredConnection {
  /// Reads one entry.
  /// - Parameter path: its path in the file, for errors.
  /// - Throws: ``DocumentError``.
  package init(document: JSONValue, at path: String) throws(DocumentError) {
    try self.init(try StrictObject(document, at: path))
  }

  fileprivate init(_ reader: StrictObject) throws(DocumentError) {
    try reader.allow(["id", "name", "status", "pending", "features"])
    guard let text = try reader.text("id") else { throw reader.error("it is missing", at: "id") }
    guard let id = ConnectionID(parsing: text) else { throw reader.error("it is not a connection's id", at: "id") }
    self.init(
      id: id, name: try reader.text("name"), isPending: try reader.flag("pending") ?? false,
      features: try reader.objects("features") { reader throws(DocumentError) in try DesiredFeature(reader) },
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
  fileprivate init(_ reader: StrictObject) throws(DocumentError) {
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
