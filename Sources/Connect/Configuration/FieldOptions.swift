package import API
package import HTTP
import JSON

/// What the fields of one step accept, for one user (reference: connect-api.md, section 7.8).
package struct FieldOptions: Sendable, Equatable {
  /// By field; one without options is absent. In the order for display.
  package var options: [String: [FieldValue.Option]]
  /// In the order received.
  package var fields: [String]

  package init(_ options: KeyValuePairs<String, [FieldValue.Option]> = [:]) {
    self.options = Dictionary(options.map { ($0.key, $0.value) }) { $1 }
    fields = options.map(\.key)
  }

  /// - Throws: ``APIError``; unreadable where there are no options in it.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard let all = object.object("options") else { throw response.unreadable("there are no options in it") }
    self.init()
    for (field, value) in all.members {
      guard let elements = value.array else { continue }
      if options[field] == nil { fields.append(field) }
      options[field] = elements.compactMap { $0.object.flatMap(FieldValue.Option.init(reading:)) }
    }
  }

  /// What was kept of an earlier answer; nil where it is something else.
  package init?(kept body: [UInt8]) {
    guard let options = try? FieldOptions(Response(status: 200, body: body)) else { return nil }
    self = options
  }
}

extension FieldValue.Option {
  /// As a person names it where labels repeat: `Shared > Boat`.
  package var path: String {
    let name = label ?? value
    return group.map { "\($0) > \(name)" } ?? name
  }

  var json: JSONValue { ["group": JSONValue(group), "label": JSONValue(label), "value": .string(value)] }
}

extension [FieldValue.Option] {
  /// The option that a word names: its value, else its label, else its group and label.
  /// - Returns: several where labels repeat, none where nothing fits.
  package func named(_ word: String) -> [FieldValue.Option] {
    for name in [{ $0.value }, { $0.label ?? $0.value }, { $0.path }] as [(FieldValue.Option) -> String] {
      let found = filter { name($0) == word }
      // The same option under two headings is one.
      if !found.isEmpty { return Set(found.map(\.value)).count == 1 ? [found[0]] : found }
    }
    return []
  }
}

extension ConnectAssumptions {
  /// The options of a step whose connection gives no address of its own for them. Newer answers put the feature before the
  /// step; this is the documented form (C25).
  static func optionsPath(_ step: ConfigurationStep, of id: ConnectionID) -> [String] {
    ["v2", "connections", id.description, step.kind.plural, step.typeID, "field_options"]
  }
}
