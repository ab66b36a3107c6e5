package import JSON

extension ConnectionsFile {
  /// The text of a file, formatted for people, in parts. It is the same as that of ``json``.
  /// - Parameter entries: the text of each entry in the order of the ids: ``DesiredConnection/json``, indented at 4.
  package static func write(_ entries: some Sequence<[UInt8]>, to part: ([UInt8]) throws -> Void) rethrows {
    try part(Array("{\n  \"version\": \(version),\n  \"connections\": [".utf8))
    var isFirst = true
    for entry in entries {
      try part(Array((isFirst ? "\n    " : ",\n    ").utf8) + entry)
      isFirst = false
    }
    try part(Array((isFirst ? "]\n}\n" : "\n  ]\n}\n").utf8))
  }

  /// The file as JSON. The same state always gives the same bytes.
  package var json: JSONValue {
    [
      "version": JSONValue(Self.version),
      "connections": .array(connections.sorted { $0.id.description < $1.id.description }.map(\.json)),
    ]
  }
}

extension DesiredConnection {
  /// The state of a connection as fetched.
  /// - Parameter isPending: whether the connection was never configured, which IFTTT does not report
  ///   (docs/api/connect.md U4).
  package init(_ connection: Connection, isPending: Bool) {
    self.init(id: connection.id, name: connection.name, status: connection.status, isPending: isPending)
    guard connection.status == .enabled, let stored = connection.userConnection else { return }
    let form = ConfigurationForm(connection, stored)
    features = stored.features.indices.compactMap { DesiredFeature(at: $0, in: form) }
    // A sort of equal ids must keep IFTTT's order, by which their user features are matched.
    features = features.enumerated().sorted { ($0.element.feature, $0.offset) < ($1.element.feature, $1.offset) }
      .map(\.element)
  }

  package var json: JSONValue {
    var object: JSONObject = ["id": .string(id.description)]
    object["name"] = name.map(JSONValue.string)
    object["status"] = status.map { .string($0.rawValue) }
    if isPending { object["pending"] = true }
    // IFTTT sends no configuration for a connection that is not enabled.
    if status == .enabled || !features.isEmpty { object["features"] = .array(features.map(\.json)) }
    return .object(object)
  }
}

extension DesiredFeature {
  /// Nil for a user feature without a feature id, which nothing but its own id identifies.
  fileprivate init?(at index: Int, in form: ConfigurationForm) {
    let stored = form.configuration.features[index]
    guard let id = stored.featureID else { return nil }
    self.init(feature: id, title: form.connection.feature(id)?.title, isEnabled: stored.isEnabled)
    fields = form.entries.filter { $0.location.instance == index }.compactMap { entry in
      FileValue(entry.value).map { (name: entry.name, value: $0.json) }
    }.sorted { $0.name < $1.name }
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["feature": .string(feature)]
    object["title"] = title.map(JSONValue.string)
    object["enabled"] = isEnabled.map(JSONValue.bool)
    object["fields"] = .object(JSONObject(members: fields.map { (key: $0.name, value: $0.value) }))
    return .object(object)
  }
}

/// A field's value as a file shows it: an option by its value, checkboxes as a list of values, and everything else as
/// IFTTT sends it.
struct FileValue: Sendable, Equatable {
  let json: JSONValue

  /// Nil if there is no value.
  init?(_ value: JSONValue) {
    switch FieldValue(value) {
    case nil: return nil
    case .text(let text): json = .string(text)
    case .option(let option): json = .string(option.value)
    case .options(let options):
      // IFTTT may send them in any order.
      json = .array(options.map(\.value).sorted().map(JSONValue.string))
    case .location(let location): json = location.json
    case .other(let other): json = other
    }
  }

  /// Whether a value in a file means the same as a stored one. A dropdown's option may be given by its label, and
  /// checkboxes in any order.
  static func isSame(_ wanted: JSONValue, asStored stored: JSONValue) -> Bool {
    if FieldValue.isNothing(wanted) || FieldValue.isNothing(stored) {
      return FieldValue.isNothing(wanted) && FieldValue.isNothing(stored)
    }
    switch (FieldValue(stored), wanted) {
    case (.option(let option), .string(let word)): return word == option.value || word == option.label
    case (.options(let options), .array(let elements)):
      let named = elements.map { element in
        let word = element.string ?? element["value"]?.string
        return (options.first { $0.value == word } ?? options.first { $0.label == word })?.value
      }
      return Set(named) == Set(options.map(\.value))
    default: return FieldValue.isSame(wanted, stored)
    }
  }
}
