package import JSON
import Text

/// The reason a value is invalid for a field, for the user who supplied it.
package enum FieldValueError: Error, Equatable, Sendable {
  case needsValue
  /// The argument, and the available options.
  case noOption(String, [FieldValue.Option])
  /// The argument, and its possible meanings.
  case severalOptions(String, [FieldValue.Option])
  case noLocation(String)
  case needsRadius
  case takesNoRadius
  case noNumber(String)
  /// The name of the number, and its bounds.
  case outOfBounds(String, ClosedRange<Double>)
  case noJSON(String)
}

extension FieldKind {
  package var takesOptions: Bool { self == .select || self == .groupedSelect || self == .checkboxes }

  package var isLocation: Bool {
    switch self {
    case .locationPoint, .locationArea, .locationEnter, .locationExit, .locationEnterOrExit: true
    case .text, .textArea, .select, .groupedSelect, .checkboxes, .other: false
    }
  }

  /// Whether a location of this kind is an area.
  package var needsRadius: Bool { isLocation && self != .locationPoint }

  /// The values that `--set` accepts, for people.
  package var accepted: String {
    switch self {
    case .text: "text"
    case .textArea: "multi-line text"
    case .select, .groupedSelect: "an option"
    case .checkboxes: "options"
    case .locationPoint: "lat,lng"
    case .locationArea, .locationEnter, .locationExit, .locationEnterOrExit: "lat,lng,radius"
    case .other(let name): "\(name), as JSON"
    }
  }

  /// Checks a stored location. Values of other kinds are accepted as they are.
  /// - Throws: ``FieldValueError`` if the location is invalid.
  func check(_ value: JSONValue) throws(FieldValueError) {
    switch self {
    case .locationPoint, .locationArea, .locationEnter, .locationExit, .locationEnterOrExit:
      guard case .location(let location)? = FieldValue(value) else { throw .noLocation(value.text) }
      _ = try location.checked(for: self)
    case .text, .textArea, .select, .groupedSelect, .checkboxes, .other: break
    }
  }
}

extension Field {
  /// The value that arguments stand for in this field: plain text, an option by its value or label, several options
  /// separated by commas, or a location as `lat,lng[,[radius][,address]]`. JSON covers everything else.
  ///
  /// - Parameters:
  ///   - arguments: as typed, one per occurrence of the option; only checkboxes use more than the last.
  ///   - options: the options of this field; empty if there are none.
  /// - Returns: nil if the arguments stand for no value.
  /// - Throws: ``FieldValueError``.
  package func value(of arguments: [String], _ options: [FieldValue.Option]) throws(FieldValueError) -> JSONValue? {
    let text = arguments.last ?? ""
    let kind = kind ?? .text
    switch kind {
    case .text, .textArea: return .string(text)
    case .select, .groupedSelect:
      guard !text.isEmpty else { return nil }
      return try option(text, options).json
    case .checkboxes:
      var chosen: [FieldValue.Option] = []
      for word in arguments where !word.isEmpty {
        for option in try several(word, options) where !chosen.contains(where: { $0.value == option.value }) {
          chosen.append(option)
        }
      }
      guard !chosen.isEmpty else { return nil }
      return .array(chosen.map(\.json))
    case .locationPoint, .locationArea, .locationEnter, .locationExit, .locationEnterOrExit:
      guard !text.isEmpty else { return nil }
      let location =
        if text.utf8.first == UInt8(ascii: "{") { try location(json(text)) } else { try location(text) }
      return try location.checked(for: kind).json
    case .other:
      // An unknown kind accepts any JSON. Other arguments are text, or one of the options.
      if let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return try json(text) }
      if text.isEmpty { return nil }
      return options.isEmpty ? .string(text) : try option(text, options).json
    }
  }

  /// The value from a file: JSON in the form in which it is shown, or the same text as an argument.
  package func value(of json: JSONValue, _ options: [FieldValue.Option]) throws(FieldValueError) -> JSONValue? {
    let kind = kind ?? .text
    if let text = json.string { return try value(of: [text], options) }
    switch (kind, json) {
    case (_, .null): return nil
    case (.select, .object), (.groupedSelect, .object): return try option(in: json, options)
    case (.checkboxes, .array(let elements)):
      var chosen: [JSONValue] = []
      for element in elements { chosen.append(try option(in: element, options)) }
      return .array(chosen)
    case (_, .object) where kind.isLocation: return try location(json).checked(for: kind).json
    case (.other, _): return json
    case (.select, _), (.groupedSelect, _), (.checkboxes, _): throw .noOption(json.text, options)
    case (_, _) where kind.isLocation: throw .noLocation(json.text)
    default: throw .noJSON(json.text)
    }
  }

  // MARK: Options

  private func option(_ word: String, _ options: [FieldValue.Option]) throws(FieldValueError) -> FieldValue.Option {
    let matches = options.named(word)
    if matches.count > 1 { throw .severalOptions(word, matches) }
    guard let option = matches.first else { throw .noOption(word, options) }
    return option
  }

  private func option(in json: JSONValue, _ options: [FieldValue.Option]) throws(FieldValueError) -> JSONValue {
    if let word = json.string { return try option(word, options).json }
    guard case .option(let option)? = FieldValue(json) else { throw .noOption(json.text, options) }
    return try self.option(option.value, options).json
  }

  private func several(_ word: String, _ options: [FieldValue.Option]) throws(FieldValueError) -> [FieldValue.Option] {
    if word.utf8.first == UInt8(ascii: "["), case .array(let elements) = try json(word) {
      var chosen: [FieldValue.Option] = []
      for element in elements {
        if case .option(let option)? = FieldValue(try option(in: element, options)) { chosen.append(option) }
      }
      return chosen
    }
    // A value may contain a comma itself.
    if options.named(word).count == 1 || !word.utf8.contains(UInt8(ascii: ",")) { return [try option(word, options)] }
    var chosen: [FieldValue.Option] = []
    for part in word.split(separator: ",") { chosen.append(try option(part.trimmed, options)) }
    return chosen
  }

  private func json(_ text: String) throws(FieldValueError) -> JSONValue {
    do throws(JSONError) { return try JSONValue(document: Array(text.utf8)) } catch {
      throw .noJSON(error.description)
    }
  }

  // MARK: Locations

  private func location(_ json: JSONValue) throws(FieldValueError) -> FieldValue.Location {
    guard case .location(let location)? = FieldValue(json) else { throw .noLocation(json.text) }
    return location
  }

  private func location(_ text: String) throws(FieldValueError) -> FieldValue.Location {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { throw .noLocation(text) }
    var location = FieldValue.Location(
      latitude: try number(parts[0]), longitude: try number(parts[1]), radius: nil, address: nil, details: nil,
      zoom: nil)
    var rest = parts.dropFirst(2)
    if let first = rest.first?.trimmed {
      location.radius = JSONNumber(plain: first)
      // An empty radius prevents a house number from being parsed as the radius.
      if first.isEmpty || location.radius != nil { rest = rest.dropFirst() }
    }
    let address = rest.joined(separator: ",")[...].trimmed
    if !address.isEmpty { location.address = address }
    return location
  }

  private func number(_ text: Substring) throws(FieldValueError) -> JSONNumber {
    guard let number = JSONNumber(plain: text.trimmed) else { throw .noNumber(text.trimmed) }
    return number
  }
}

extension FieldValue.Location {
  /// Checks that the location is valid for a kind of field.
  /// - Throws: ``FieldValueError`` if it is not a point on earth, or if it lacks a required radius or has an unexpected
  ///   one.
  package func checked(for kind: FieldKind) throws(FieldValueError) -> FieldValue.Location {
    func check(_ name: String, _ number: JSONNumber, _ bounds: ClosedRange<Double>) throws(FieldValueError) {
      guard let value = number.double, bounds.contains(value) else { throw .outOfBounds(name, bounds) }
    }
    try check("latitude", latitude, -90...90)
    try check("longitude", longitude, -180...180)
    if kind.needsRadius {
      guard let radius else { throw .needsRadius }
      // Half the circumference of the earth. IFTTT's own limit is not documented.
      try check("radius", radius, 0.001...20_037_508)
    } else if kind == .locationPoint, radius != nil {
      throw .takesNoRadius
    }
    return self
  }
}

extension JSONNumber {
  /// A decimal number as typed, with an optional sign; the spelling is preserved.
  package init?(plain text: String) {
    let digits = text.utf8.first == UInt8(ascii: "+") ? String(text.dropFirst()) : text
    guard let value = try? JSONValue(parsing: Array(digits.utf8)), case .number(let number) = value,
      digits.utf8.last?.isDigit == true
    else { return nil }
    self = number
  }
}

extension Substring {
  /// Without leading and trailing spaces.
  package var trimmed: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension FieldValueError {
  /// The reason, for the user who gave the value.
  package var description: String {
    switch self {
    case .needsValue: "it needs a value"
    case .noOption(let word, let options):
      options.isEmpty
        ? "'\(word)' is not an option: the field has none"
        : "'\(word)' is not an option; \(FieldValueError.list(options))"
    case .severalOptions(let word, let options):
      "'\(word)' matches several options; use one of: \(options.map { "\($0.value) (\($0.path))" }.joined(separator: ", "))"
    case .noLocation(let word): "'\(word)' is not a location: use lat,lng or lat,lng,radius"
    case .needsRadius: "it needs a radius in meters: lat,lng,radius"
    case .takesNoRadius: "it is a point and accepts no radius"
    case .noNumber(let word): "'\(word)' is not a number"
    case .outOfBounds(let name, let bounds): "the \(name) is not from \(bounds.lowerBound) to \(bounds.upperBound)"
    case .noJSON(let problem): "it is not a value for this field: \(problem)"
    }
  }

  /// The maximum number of options that an error lists.
  private static let listLimit = 20

  package static func list(_ options: [FieldValue.Option]) -> String {
    let shown = options.prefix(listLimit).map { "\($0.path) (\($0.value))" }.joined(separator: ", ")
    let rest = options.count - listLimit
    return "available: \(shown)\(rest > 0 ? " and \(rest) more" : "")"
  }
}
