package import JSON

/// A field's value as a file shows it: an option by its value, checkboxes as a list of values, and everything else as
/// IFTTT sends it.
package struct FileValue: Sendable, Equatable {
  package let json: JSONValue

  /// Nil if there is no value.
  package init?(_ value: JSONValue) {
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
  package static func isSame(_ wanted: JSONValue, asStored stored: JSONValue) -> Bool {
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
