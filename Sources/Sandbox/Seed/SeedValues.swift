import JSON

extension SeedNode {
  /// A value that fits a field of this type: a text, an option, a list of options or a place.
  func filling(_ type: SandboxWorld.FieldType) throws(SeedProblem) -> SandboxWorld.Value {
    switch type {
    case .textField, .textArea: return .text(try text())
    case .collectionSelect, .doubleCollectionSelect:
      let node = try object("value", "label", "group")
      return .option(
        try node["value"].text(), label: try node["label"].text(), group: try node["group"].orNil?.text())
    case .checkboxMulti:
      guard value.array != nil else { throw problem("is not an array, which a field of type \(type.rawValue) needs") }
      return .options(
        try list { item throws(SeedProblem) in
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
}
