package import HTTP
import JSON

/// The values that the fields of one step accept, for one user (reference: connect-api.md, section 7.8).
package struct FieldOptions: Sendable, Equatable {
  /// By field, in display order. A field without options is absent.
  package var options: [String: [FieldValue.Option]]
  /// In the order received.
  package var fields: [String]

  package init(_ options: KeyValuePairs<String, [FieldValue.Option]> = [:]) {
    self.options = Dictionary(options.map { ($0.key, $0.value) }) { $1 }
    fields = options.map(\.key)
  }

  /// - Throws: ``APIError``; unreadable if the response contains no options.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard let all = object.object("options") else { throw response.unreadable("it contains no options") }
    self.init()
    for (field, value) in all.members {
      guard let elements = value.array else { continue }
      if options[field] == nil { fields.append(field) }
      options[field] = elements.compactMap { $0.object.flatMap(FieldValue.Option.init(reading:)) }
    }
  }

  /// The options from a cached response; nil if it is invalid.
  package init?(kept body: [UInt8]) {
    guard let options = try? FieldOptions(Response(status: 200, body: body)) else { return nil }
    self = options
  }
}

extension FieldValue.Option {
  /// The unambiguous name of an option if labels repeat: `Shared > Boat`.
  package var path: String {
    let name = label ?? value
    return group.map { "\($0) > \(name)" } ?? name
  }

  var json: JSONValue { ["group": JSONValue(group), "label": JSONValue(label), "value": .string(value)] }
}

extension [FieldValue.Option] {
  /// The options with the given value, otherwise the given label, otherwise the given group and label.
  /// - Returns: several options if labels repeat, none if there is no match.
  package func named(_ word: String) -> [FieldValue.Option] {
    for name in [{ $0.value }, { $0.label ?? $0.value }, { $0.path }] as [(FieldValue.Option) -> String] {
      let found = filter { name($0) == word }
      // The same option under two headings counts once.
      if !found.isEmpty { return Set(found.map(\.value)).count == 1 ? [found[0]] : found }
    }
    return []
  }
}

extension ConnectAssumptions {
  /// The options path of a step for which the connection contains no URL. Newer responses put the feature before the
  /// step; this is the documented form (C25).
  static func optionsPath(_ step: ConfigurationStep, of id: ConnectionID) -> [String] {
    ["v2", "connections", id.description, step.kind.plural, step.typeID, "field_options"]
  }
}
