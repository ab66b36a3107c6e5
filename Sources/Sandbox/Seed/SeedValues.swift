import JSON

extension SeedNode {
  /// A value for a field of this type: a text, an option, a list of options or a place.
  func filling(_ type: SandboxFixtures.FieldType) throws(SeedError) -> SandboxFixtures.Value {
    switch type {
    case .textField, .textArea: return .text(try text())
    case .collectionSelect, .doubleCollectionSelect:
      let node = try object("value", "label", "group")
      return .option(
        try node["value"].text(), label: try node["label"].text(), group: try node["group"].orNil?.text())
    case .checkboxMulti:
      guard value.array != nil else {
        throw problem("is not an array, as required by a field of type \(type.rawValue)")
      }
      return .options(
        try list { item throws(SeedError) in
          let item = try item.object("value", "label")
          return (value: try item["value"].text(), label: try item["label"].text())
        })
    case .locationPoint, .locationRadius, .locationEnter, .locationExit, .locationEnterOrExit:
      let node = try object("lat", "lng", "radius", "address", "description", "zoom")
      return .place(
        try node["lat"].degrees(), try node["lng"].degrees(), radius: try node["radius"].orNil?.degrees(),
        address: try node["address"].orNil?.text() ?? "", description: try node["description"].orNil?.text() ?? "",
        zoom: try node["zoom"].orNil?.count())
    }
  }

  /// The options of a field; empty if it has none.
  func options() throws(SeedError) -> [SandboxFixtures.Option] {
    try list { item throws(SeedError) in
      let item = try item.object("value", "label", "group")
      return SandboxFixtures.Option(
        try item["value"].text(), try item["label"].text(), group: try item["group"].orNil?.text())
    }
  }

  /// The rows that a query returns when it is performed.
  func queryRows() throws(SeedError) -> SandboxFixtures.QueryRows {
    let rows = try self["rows"].list { item throws(SeedError) in
      guard let row = item.value.object else { throw item.problem("is not an object") }
      for (key, value) in row.members where value["type"] != nil {
        guard value["type"] == "query", value["fields"]?.object != nil, value["data"]?.array != nil else {
          throw item[key].problem("is not a query with \"fields\" and \"data\"")
        }
      }
      return row
    }
    let pageSize = try self["page_size"].orNil?.count() ?? SandboxFixtures.QueryRows.standardPageSize
    guard SandboxFixtures.QueryRows.limits.contains(pageSize) else {
      throw self["page_size"].problem("is not from 1 to \(SandboxFixtures.QueryRows.limits.upperBound)")
    }
    return SandboxFixtures.QueryRows(rows, pageSize: pageSize)
  }
}
