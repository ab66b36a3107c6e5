package import JSON

/// The reason a text is not a valid configuration.
package struct ConfigurationError: Error, Equatable {
  /// The path in the text, such as `features[0].triggers[1]`; empty for the whole text.
  package var path: String
  package var message: String
  package init(_ path: String, _ message: String) { (self.path, self.message) = (path, message) }
}

extension UserConnection {
  /// Parses the `configuration` of a connection's document, or a document that is a configuration itself.
  ///
  /// Unlike a response from IFTTT, it is parsed strictly, because a misspelled key would otherwise mean a removal.
  /// - Throws: ``ConfigurationError``.
  package init(document json: JSONValue) throws(ConfigurationError) {
    guard var object = json.object else { throw ConfigurationError("", "it is not a JSON object") }
    if let inner = object["configuration"] {
      guard let configuration = inner.object else {
        throw ConfigurationError("configuration", "it is missing")
      }
      object = configuration
    }
    let reader = DocumentReader(object: object, path: "")
    try reader.allow(["features"])
    features = try reader.objects("features") { reader throws(ConfigurationError) in try UserFeature(reader) }
  }
}

extension UserFeature {
  fileprivate init(_ reader: DocumentReader) throws(ConfigurationError) {
    try reader.allow(["id", "feature_id", "enabled", "fields", "triggers", "queries", "actions"])
    self.init(
      id: try reader.text("id"), featureID: try reader.text("feature_id"), enabledOnWire: try reader.flag("enabled"),
      fields: try reader.fields())
    guard id != nil || featureID != nil else { throw reader.fault("it has neither 'feature_id' nor 'id'") }
    for kind in ConfigurationStep.Kind.allCases where kind != .feature {
      self[kind] = try reader.objects(kind.plural) { reader throws(ConfigurationError) in try UserStep(reader) }
    }
  }
}

extension UserStep {
  fileprivate init(_ reader: DocumentReader) throws(ConfigurationError) {
    try reader.allow(["id", "step_id", "fields"])
    self.init(id: try reader.text("id"), stepID: try reader.text("step_id"), fields: try reader.fields())
    guard id != nil || stepID != nil else { throw reader.fault("it has neither 'step_id' nor 'id'") }
  }
}

/// One object of a configuration that may have been written by hand.
private struct DocumentReader {
  let object: JSONObject
  let path: String

  func fault(_ message: String, at key: String? = nil) -> ConfigurationError {
    ConfigurationError([path, key ?? ""].filter { !$0.isEmpty }.joined(separator: "."), message)
  }

  func allow(_ keys: [String]) throws(ConfigurationError) {
    for (key, _) in object.members where !keys.contains(key) {
      throw fault("it is not one of \(keys.joined(separator: ", "))", at: key)
    }
  }

  func text(_ key: String) throws(ConfigurationError) -> String? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let text = value.string, !text.isEmpty else { throw fault("it is not a string, or it is empty", at: key) }
    return text
  }

  func flag(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let flag = value.bool else { throw fault("it is neither true nor false", at: key) }
    return flag
  }

  func objects<Member>(
    _ key: String, _ read: (DocumentReader) throws(ConfigurationError) -> Member
  ) throws(ConfigurationError) -> [Member] {
    guard let value = object[key] else {
      // A missing list would otherwise mean "remove all of it".
      throw fault("it is missing", at: key)
    }
    guard let elements = value.array else { throw fault("it is not an array", at: key) }
    var members: [Member] = []
    for (index, element) in elements.enumerated() {
      let inner = fault("it is not an object", at: "\(key)[\(index)]")
      guard let object = element.object else { throw inner }
      members.append(try read(DocumentReader(object: object, path: inner.path)))
    }
    return members
  }

  func fields() throws(ConfigurationError) -> [UserField] {
    guard let value = object["fields"] else { throw fault("it is missing", at: "fields") }
    guard let fields = value.object else { throw fault("it is not an object", at: "fields") }
    var found = JSONObject()
    for (key, value) in fields.members {
      guard !key.isEmpty, found[key] == nil else { throw fault("a field's name is empty or repeated", at: "fields") }
      found[key] = value
    }
    return found.members.map { UserField(id: $0.key, type: nil, value: $0.value) }
  }
}
