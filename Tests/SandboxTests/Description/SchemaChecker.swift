import JSON

/// A validator for the JSON Schemas of a description, with the keywords that they use.
///
/// It is stricter than the standard in one rule: an object with `properties` may have no other members unless it has
/// `additionalProperties`. A response with a member that the description lacks is thus found.
struct SchemaChecker {
  let schemas: JSONObject

  /// The problems of a value, each with its JSON pointer.
  func problems(of value: JSONValue, against schema: JSONValue, at path: String = "") -> [String] {
    if let name = schema["$ref"]?.string {
      guard let target = schemas[String(name.split(separator: "/").last ?? "")] else { return ["\(name) is unknown"] }
      return problems(of: value, against: target, at: path)
    }
    var problems: [String] = []
    for (key, rule) in schema.object?.members ?? [] {
      switch key {
      case "type": check(types(rule).contains(where: { isOf($0, value) }), "is not a \(rule.text)")
      case "enum": check(rule.array?.contains(value) == true, "is not one of \(rule.text)")
      case "const": check(rule == value, "is not \(rule.text)")
      case "pattern": check(matches(value, rule.string ?? ""), "does not match \(rule.text)")
      case "minLength": check(value.string.map { $0.unicodeScalars.count >= rule.int ?? 0 } ?? true, "is too short")
      case "minimum": check(value.double.map { $0 >= rule.double ?? 0 } ?? true, "is too small")
      case "maximum": check(value.double.map { $0 <= rule.double ?? 0 } ?? true, "is too large")
      case "minItems": check(value.array.map { $0.count >= rule.int ?? 0 } ?? true, "has too few items")
      case "maxItems": check(value.array.map { $0.count <= rule.int ?? 0 } ?? true, "has too many items")
      case "maxProperties": check(value.object.map { $0.members.count <= rule.int ?? 0 } ?? true, "has members")
      case "required":
        for name in rule.array?.compactMap(\.string) ?? [] where value.object != nil {
          check(value[name] != nil, "has no \(name)")
        }
      case "properties": problems += membersProblems(of: value, schema, at: path)
      case "additionalProperties":
        let named = schema["properties"]?.object
        for (name, member) in value.object?.members ?? [] where named?[name] == nil {
          problems += rule == true ? [] : self.problems(of: member, against: rule, at: "\(path)/\(name)")
        }
      case "items":
        for (index, item) in (value.array ?? []).enumerated() {
          problems += self.problems(of: item, against: rule, at: "\(path)/\(index)")
        }
      case "anyOf", "oneOf":
        let found = (rule.array ?? []).map { self.problems(of: value, against: $0, at: path) }
        if !found.contains([]) { problems.append("\(path) fits nothing: \(found)") }
      case "format", "description", "deprecated", "default": break
      default: problems.append("\(key) is not a keyword of this validator")
      }
    }
    return problems

    func check(_ isValid: Bool, _ problem: String) {
      if !isValid { problems.append("\(path) \(problem)") }
    }
  }

  private func membersProblems(of value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
    let properties = schema["properties"]?.object ?? [:]
    return (value.object?.members ?? []).flatMap { name, member -> [String] in
      if let rule = properties[name] { return problems(of: member, against: rule, at: "\(path)/\(name)") }
      return schema["additionalProperties"] == nil ? ["\(path)/\(name) is not described"] : []
    }
  }

  private func types(_ rule: JSONValue) -> [String] { rule.array?.compactMap(\.string) ?? [rule.string ?? ""] }

  private func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
      ("number", .number):
      true
    case ("integer", .number(let number)): number.int != nil
    default: false
    }
  }

  private func matches(_ value: JSONValue, _ pattern: String) -> Bool {
    guard let text = value.string else { return true }
    return (try? Regex(pattern).firstMatch(in: text)) != nil
  }
}
