import JSON

/// A text of a field with ingredients in double braces, such as `{{SwitchedAt}}` or `{{list_lamps.name}}`.
struct IngredientTemplate {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Replace each ingredient with its value. A name that is unknown stays, so that a mistake is visible in the result.
  /// - Parameter unknown: Called with each name that has no value.
  func filled(_ value: (String) -> String?, unknown: (String) -> Void = { _ in }) -> String {
    var (filled, rest) = ("", text[...])
    while let start = Self.pair(of: "{", in: rest), let end = Self.pair(of: "}", in: rest[start.upperBound...]) {
      let name = rest[start.upperBound..<end.lowerBound]
      filled += rest[..<start.lowerBound]
      if let value = value(Self.trimmed(name)) {
        filled += value
      } else {
        unknown(Self.trimmed(name))
        filled += rest[start.lowerBound..<end.upperBound]
      }
      rest = rest[end.upperBound...]
    }
    return filled + rest
  }

  /// The first two equal characters in a row. The library's search for a text would link its regular expressions.
  private static func pair(of mark: Character, in text: Substring) -> Range<Substring.Index>? {
    var place = text.startIndex
    while place < text.endIndex {
      let next = text.index(after: place)
      if next < text.endIndex, text[place] == mark, text[next] == mark { return place..<text.index(after: next) }
      place = next
    }
    return nil
  }

  private static func trimmed(_ name: Substring) -> String {
    var name = name.drop { $0 == " " }
    while name.last == " " { name.removeLast() }
    return String(name)
  }
}

/// The ingredients of an event and of the queries that ran for it.
struct IngredientValues {
  private var rows: [(step: String, row: JSONObject)] = []

  /// - Parameter step: the slug of the trigger or query.
  mutating func add(_ row: JSONObject, of step: String) { rows.append((step, row)) }

  /// The value of an ingredient. Its name may follow its step's slug and a dot; the trigger's come first.
  func value(of name: String) -> String? {
    for (step, row) in rows {
      let member = name.hasPrefix("\(step).") ? String(name.dropFirst(step.count + 1)) : name
      if let value = row[member] ?? row.members.first(where: { Self.isSame($0.key, member) })?.value {
        return value.string ?? (value.isNull ? "" : value.text)
      }
    }
    return nil
  }

  /// Whether two spellings name the same ingredient: services define `switched_at`, and users see `SwitchedAt`.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.lowercased().filter { $0 != "_" } == other.lowercased().filter { $0 != "_" }
  }
}
