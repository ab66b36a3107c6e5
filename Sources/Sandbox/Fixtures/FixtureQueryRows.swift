import JSON

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
