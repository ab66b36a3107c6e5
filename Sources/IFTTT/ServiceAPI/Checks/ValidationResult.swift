import JSON

/// A server's result for one value: whether it is valid, and if not, why.
struct ValidationResult {
  /// The place in the response, such as `data.lamp`.
  let place: String
  let value: JSONValue

  /// Whether the result is the expected one.
  func finding(expected: Bool) -> Finding {
    guard case .bool(let flag)? = value["valid"] else { return .failed("\(place).valid is neither true nor false") }
    return flag == expected ? .passed : .failed("\(place).valid is \(flag)")
  }

  /// Whether a value that is not valid has a message.
  var message: Finding {
    guard value["valid"] == .bool(false) else { return .skipped("the value was not rejected") }
    guard case .string(let text)? = value["message"], !text.isEmpty else {
      return .failed("\(place).message is missing, empty or not a text")
    }
    return .passed
  }
}
