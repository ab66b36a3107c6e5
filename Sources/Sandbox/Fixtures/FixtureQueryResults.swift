import JSON

extension SandboxFixtures {
  /// The tides of one week in three harbors: several pages, with a nested query and a nested list in each row.
  static let tides = QueryRows(
    (1...23).map { number in
      let harbour = ["Cascais", "Peniche", "Setúbal"][number % 3]
      let (day, hour) = (4 + number / 4, number % 4 * 6)
      let moment = OffsetTime(2026, 3, day, hour, 10).text
      let fields: JSONObject = ["tide_id": .string("td_\(padded(number))==")]
      let heights = (0..<3).map { step in
        JSONValue.object([
          "at": .string(OffsetTime(2026, 3, day, hour, 10 + step * 15).text),
          "metres": .string("\(1 + number % 3).\(step * 4)"),
        ])
      }
      return [
        "id": .string("tide-\(padded(number))"), "starts_at": .string(moment), "harbour": .string(harbour),
        "version": 2,
        "notes": [
          "type": "query", "fields": .object(fields),
          "data": [["text": .string("Seen from \(harbour)"), "by": "kai_lamps"]],
        ],
        "heights": [
          "type": "query", "fields": ["heights_of": .string("td_\(padded(number))==")], "data": .array(heights),
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
