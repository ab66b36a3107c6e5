extension FieldValueError {
  /// The reason, for the user who gave the value.
  package var words: String {
    switch cause {
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

  /// A longer list is of no use in an error.
  private static let listedAtMost = 20

  package static func list(_ options: [FieldValue.Option]) -> String {
    let shown = options.prefix(listedAtMost).map { "\($0.path) (\($0.value))" }.joined(separator: ", ")
    let rest = options.count - listedAtMost
    return "available: \(shown)\(rest > 0 ? " and \(rest) more" : "")"
  }
}
