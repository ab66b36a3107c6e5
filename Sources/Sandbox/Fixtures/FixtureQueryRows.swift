import JSON

extension SandboxFixtures {
  /// What a query finds, row by row, each an object of ingredients.
  ///
  /// An ingredient may be a query of its own: an object with `type` `query`, its `fields`, and the `data` that it finds.
  struct QueryRows {
    let all: [JSONObject]
    /// Rows of a page where no limit is asked for.
    let pageSize: Int

    init(_ all: [JSONObject] = [], pageSize: Int = standardPageSize) { (self.all, self.pageSize) = (all, pageSize) }

    static let standardPageSize = 10
    /// What may be asked for as a limit.
    static let limits = 1...100

    /// The names of the fields that the queries within take.
    var nestedFields: Set<String> {
      Set(nested.flatMap { $0.fields.members.map(\.key) })
    }

    /// What a query within finds whose fields are all given these values; nil where there is none.
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

    /// A row as it is sent: queries within without their data, or, where they are included, as the list that they find.
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
