import JSON

extension UserConnection {
  /// The JSON of the configuration in a connection's document.
  package var document: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Writes `{"features":[{"id","feature_id","enabled","fields":{},"triggers":[],"queries":[],"actions":[]}]}`. Each
  /// trigger, query and action is `{"id","step_id","fields":{}}`, where `step_id` is the `id` of the feature's step.
  /// `fields` maps field ids to values.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.members("features", features) { feature, writer in
      writer.beginObject()
      writer.member("id", feature.id)
      writer.member("feature_id", feature.featureID)
      writer.member("enabled", feature.isEnabled)
      writer.fieldValues(feature.fields)
      writer.members("triggers", feature.triggers) { $1.userStep($0) }
      writer.members("queries", feature.queries) { $1.userStep($0) }
      writer.members("actions", feature.actions) { $1.userStep($0) }
      writer.endObject()
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes the value of a field: text as a string, an option as its object, checkboxes as an array of options, a
  /// location with its short names and numbers, and an unknown type as received.
  mutating func fieldValue(_ json: JSONValue) {
    switch FieldValue(json) {
    case nil: null()
    case .text(let text): string(text)
    case .option(let option): self.option(option)
    case .options(let options):
      beginArray()
      for option in options { self.option(option) }
      endArray()
    case .location(let location): self.location(location)
    case .other(let json): value(json)
    }
  }

  fileprivate mutating func userStep(_ step: UserStep) {
    beginObject()
    member("id", step.id)
    member("step_id", step.stepID)
    fieldValues(step.fields)
    endObject()
  }

  fileprivate mutating func fieldValues(_ fields: [UserField]) {
    key("fields")
    beginObject()
    for field in fields {
      key(field.id)
      fieldValue(field.value)
    }
    endObject()
  }

  private mutating func option(_ option: FieldValue.Option) {
    beginObject()
    member("group", option.group)
    member("label", option.label)
    member("value", option.value)
    endObject()
  }

  private mutating func location(_ location: FieldValue.Location) {
    beginObject()
    number("lat", location.latitude)
    number("lng", location.longitude)
    number("radius", location.radius)
    member("address", location.address)
    member("description", location.details)
    number("zoom", location.zoom)
    endObject()
  }

  private mutating func number(_ key: String, _ number: JSONNumber?) {
    self.key(key)
    value(number.map(JSONValue.number) ?? .null)
  }
}
