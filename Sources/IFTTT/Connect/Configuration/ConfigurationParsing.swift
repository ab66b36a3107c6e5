package import JSON

extension UserConnection {
  /// Parses the `configuration` of a connection's document, or a document that is a configuration itself.
  ///
  /// Unlike a response from IFTTT, it is parsed strictly, because a misspelled key would otherwise mean a removal.
  /// - Throws: ``DocumentError``.
  package init(document json: JSONValue) throws(DocumentError) {
    guard var object = json.object else { throw DocumentError("", "it is not a JSON object") }
    if let inner = object["configuration"] {
      guard let configuration = inner.object else {
        throw DocumentError("configuration", "it is missing")
      }
      object = configuration
    }
    let reader = StrictObject(object, at: "")
    try reader.allow(["features"], subject: "it")
    features = try reader.requiredObjects("features") { reader throws(DocumentError) in try UserFeature(reader) }
  }
}

extension UserFeature {
  fileprivate init(_ reader: StrictObject) throws(DocumentError) {
    try reader.allow(["id", "feature_id", "enabled", "fields", "triggers", "queries", "actions"], subject: "it")
    self.init(
      id: try reader.nonEmptyText("id"), featureID: try reader.nonEmptyText("feature_id"),
      enabledOnWire: try reader.flag("enabled"),
      fields: try reader.fields())
    guard id != nil || featureID != nil else { throw reader.error("it has neither 'feature_id' nor 'id'") }
    for kind in ConfigurationStep.Kind.allCases where kind != .feature {
      self[kind] = try reader.requiredObjects(kind.plural) { reader throws(DocumentError) in try UserStep(reader) }
    }
  }
}

extension UserStep {
  fileprivate init(_ reader: StrictObject) throws(DocumentError) {
    try reader.allow(["id", "step_id", "fields"], subject: "it")
    self.init(
      id: try reader.nonEmptyText("id"), stepID: try reader.nonEmptyText("step_id"), fields: try reader.fields())
    guard id != nil || stepID != nil else { throw reader.error("it has neither 'step_id' nor 'id'") }
  }
}

extension StrictObject {
  fileprivate func nonEmptyText(_ key: String) throws(DocumentError) -> String? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let text = value.string, !text.isEmpty else { throw error("it is not a string, or it is empty", at: key) }
    return text
  }

  fileprivate func requiredObjects<Member>(
    _ key: String, _ read: (StrictObject) throws(DocumentError) -> Member
  ) throws(DocumentError) -> [Member] {
    // A missing list would otherwise mean "remove all of it".
    guard let value = object[key] else { throw error("it is missing", at: key) }
    guard let elements = value.array else { throw error("it is not an array", at: key) }
    var members: [Member] = []
    for (index, element) in elements.enumerated() {
      let inner = error("it is not an object", at: "\(key)[\(index)]")
      guard let object = element.object else { throw inner }
      members.append(try read(StrictObject(object, at: inner.path)))
    }
    return members
  }

  fileprivate func fields() throws(DocumentError) -> [UserField] {
    guard let value = object["fields"] else { throw error("it is missing", at: "fields") }
    guard let fields = value.object else { throw error("it is not an object", at: "fields") }
    var values = JSONObject()
    for (key, value) in fields.members {
      guard !key.isEmpty, values[key] == nil else { throw error("a field's name is empty or repeated", at: "fields") }
      values[key] = value
    }
    return values.members.map { UserField(id: $0.key, type: nil, value: $0.value) }
  }
}
