import JSON

/// The reason a value is invalid for a field.
struct SandboxValueError: Error {
  let message: String
  /// The documented one of several possible responses to an unknown option.
  static let noOption = SandboxValueError(
    message: "Not a valid option for this field. Use the field options request to get valid options.")
}

extension SandboxFixtures.Field {
  /// The field's value from a request, or nil if the request leaves the field empty. Dropdowns accept an option's value
  /// alone or in an object; checkbox lists accept an array of either (docs/api/connect.md U15).
  func value(from json: JSONValue) throws(SandboxValueError) -> SandboxFixtures.Value? {
    if json.isNull { return nil }
    switch type {
    case .textField, .textArea:
      guard let text = json.string else { throw SandboxValueError(message: "Must be a string") }
      return .text(text)
    case .collectionSelect, .doubleCollectionSelect:
      let option = try option(from: json)
      return .option(option.value, label: option.label, group: option.group)
    case .checkboxMulti:
      guard let chosen = json.array else { throw SandboxValueError(message: "Must be an array") }
      return .options(
        try chosen.map { json throws(SandboxValueError) in
          let option = try option(from: json)
          return (value: option.value, label: option.label)
        })
    case .locationPoint, .locationRadius, .locationEnter, .locationExit, .locationEnterOrExit:
      return try location(from: json)
    }
  }

  private func option(from json: JSONValue) throws(SandboxValueError) -> SandboxFixtures.Option {
    guard let value = json.string ?? json["value"]?.string else {
      throw SandboxValueError(message: "Must be the value of an option, as a string")
    }
    guard let option = options.first(where: { $0.value == value }) else { throw .noOption }
    return option
  }

  /// The value of a location field. Numbers may be strings, as in older requests.
  private func location(from json: JSONValue) throws(SandboxValueError) -> SandboxFixtures.Value {
    guard json.object != nil else { throw SandboxValueError(message: "Must be an object with lat and lng") }
    func number(_ key: String, _ range: ClosedRange<Double>) throws(SandboxValueError) -> Double {
      guard let number = json[key]?.double ?? json[key]?.string.flatMap(Double.init), range.contains(number) else {
        throw SandboxValueError(message: "Must have a \(key) from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
      }
      return number
    }
    let radius = type == .locationPoint ? nil : try number("radius", 1...10_000_000)
    return .location(
      try number("lat", -90...90), try number("lng", -180...180), radius: radius,
      address: json["address"]?.string ?? "", description: json["description"]?.string ?? "", zoom: json["zoom"]?.int)
  }

  /// The same value with the current label of its option, if the option still exists.
  func relabeled(_ value: SandboxFixtures.Value) -> SandboxFixtures.Value {
    switch value {
    case .option(let chosen, _, _):
      guard let option = options.first(where: { $0.value == chosen }) else { return value }
      return .option(option.value, label: option.label, group: option.group)
    case .options(let chosen):
      return .options(
        chosen.map { choice in
          (value: choice.value, label: options.first { $0.value == choice.value }?.label ?? choice.label)
        })
    case .text, .location: return value
    }
  }
}
