package import JSON

/// Lenient parsing of IFTTT's responses (reference: connect-api.md, section 10): a value of an unexpected type, or
/// null, counts as missing.
extension JSONObject {
  package func text(_ key: String) -> String? { self[key]?.string }
  package func identifier(_ key: String) -> String? { self[key]?.identifier }
  package func flag(_ key: String) -> Bool? { self[key]?.flag }
  package func integer(_ key: String) -> Int? { self[key]?.integer }
  package func object(_ key: String) -> JSONObject? { self[key]?.object }

  /// The usable members of an array; a missing array is empty. An element that is not an object, or for which `read`
  /// returns nil, is skipped on its own (rule 5).
  package func members<Member>(
    _ key: String, dropped: inout SkippedElements, read: (JSONObject, inout SkippedElements) -> Member?
  ) -> [Member] {
    guard let elements = self[key]?.array else { return [] }
    var members: [Member] = []
    members.reserveCapacity(elements.count)
    for (place, element) in elements.enumerated() {
      var inner = SkippedElements()
      if let object = element.object, let member = read(object, &inner) {
        members.append(member)
        dropped.add(inner, inside: "\(key)[\(place)]")
      } else {
        dropped.add("\(key)[\(place)]")
      }
    }
    return members
  }
}

extension JSONValue {
  /// A number, or a string that is spelled like one; never reformatted (rules 3 and 9).
  package var lenientNumber: JSONNumber? {
    switch self {
    case .number(let number): return number
    case .string(let text):
      guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
        let value = try? JSONValue(parsing: Array(text.utf8)), case .number(let number) = value
      else { return nil }
      return number
    default: return nil
    }
  }

  /// A whole number that fits into an `Int`.
  package var integer: Int? {
    lenientNumber.flatMap { number in number.int ?? number.double.flatMap(Int.init(exactly:)) }
  }
}
