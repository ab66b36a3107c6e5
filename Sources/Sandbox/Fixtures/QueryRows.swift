import JSON
import Text

extension SandboxFixtures {
  /// The rows that a query returns, each an object of ingredients.
  ///
  /// An ingredient may itself be a query: an object with `type` set to `query`, its `fields`, and the resulting
  /// `data`.
  struct QueryRows {
    let all: [JSONObject]
    /// The number of rows per page if the request has no limit.
    let pageSize: Int

    init(_ all: [JSONObject] = [], pageSize: Int = standardPageSize) { (self.all, self.pageSize) = (all, pageSize) }

    static let standardPageSize = 10
    /// The valid limits.
    static let limits = 1...100

    /// The names of the fields that nested queries accept.
    var nestedFields: Set<String> {
      Set(nested.flatMap { $0.fields.members.map(\.key) })
    }

    /// The rows of the nested query whose fields all have these values; nil if absent.
    func rows(ofNestedWith fields: JSONObject) -> [JSONObject]? {
      nested.first { query in
        !query.fields.members.isEmpty && query.fields.members.allSatisfy { fields[$0.key] == $0.value }
      }?.data
    }

    private var nested: [(fields: JSONObject, data: [JSONObject])] {
      all.flatMap(\.members).compactMap { _, value in
        guard value["type"] == "query", let fields = value["fields"]?.object else { return nil }
        return (fields, value["data"]?.array?.compactMap(\.object) ?? [])
      }
    }

    /// A row as sent. Nested queries are sent without their data, or, if included, as the list of their rows.
    static func sent(_ row: JSONObject, including names: Set<String>) -> JSONValue {
      .object(
        JSONObject(
          members: row.members.map { name, value in
            guard value["type"] == "query" else { return (key: name, value: value) }
            let data = value["data"] ?? []
            return (
              key: name,
              value: names.contains(name)
                ? ["type": "list", "data": data] : ["type": "query", "fields": value["fields"] ?? [:]]
            )
          }))
    }
  }
}

extension SandboxFixtures.Option {
  var json: JSONValue { ["label": .string(label), "value": .string(value), "group": .text(group)] }
}

extension SandboxFixtures {
  /// The tides of one week in three harbors: several pages, with a nested query and a nested list in each row.
  static let tides = QueryRows(
    (1...23).map { number in
      let digits = String(number, width: 2)
      let harbour = ["Cascais", "Peniche", "Setúbal"][number % 3]
      let (day, hour) = (4 + number / 4, number % 4 * 6)
      let moment = OffsetTime(2026, 3, day, hour, 10).text
      let fields: JSONObject = ["tide_id": .string("td_\(digits)==")]
      let heights = (0..<3).map { step in
        JSONValue.object([
          "at": .string(OffsetTime(2026, 3, day, hour, 10 + step * 15).text),
          "metres": .string("\(1 + number % 3).\(step * 4)"),
        ])
      }
      return [
        "id": .string("tide-\(digits)"), "starts_at": .string(moment), "harbour": .string(harbour),
        "version": 2,
        "notes": [
          "type": "query", "fields": .object(fields),
          "data": [["text": .string("Seen from \(harbour)"), "by": "kai_lamps"]],
        ],
        "heights": [
          "type": "query", "fields": ["heights_of": .string("td_\(digits)==")], "data": .array(heights),
        ],
      ]
    }, pageSize: 5)

  /// The weather of three days in every available unit.
  static let forecast = QueryRows(
    [("°C", ["9", "14", "11.5"]), ("°F", ["48", "57", "53"]), ("K", ["282", "287", "284"])].flatMap { unit, degrees in
      degrees.enumerated().map { day, degrees in
        [
          "date": .string("2026-03-0\(day + 4)"), "unit": .string(unit), "temperature": .string(degrees),
          "rain": .bool(day == 1), "wind": .number(JSONNumber(3.5 + Double(day))), "sky": day == 1 ? nil : "clear 🌤",
        ]
      }
    }, pageSize: 2)
}
