import Output

/// The output of a renderer for rows given as text.
func rendered(
  _ rows: [String], columns: [Column] = [], shape: Cardinality = .array, isReiterable: Bool = true,
  _ presentation: Presentation
) throws -> String {
  var written: [UInt8] = []
  let renderer = Renderer(presentation) { written.append(contentsOf: $0) }
  try renderer.render(stream(rows, isReiterable: isReiterable), columns: columns, shape: shape)
  return String(decoding: written, as: UTF8.self)
}

func stream(_ rows: [String], isReiterable: Bool = true) -> Rows {
  Rows(isReiterable: isReiterable) { body in
    for row in rows { try Array(row.utf8).withUnsafeBytes(body) }
  }
}

/// Rows that fail after the given ones.
func failing(after rows: [String], _ error: any Error) -> Rows {
  Rows(isReiterable: true) { body in
    try stream(rows).forEach(body)
    throw error
  }
}

struct Broken: Error, Equatable {}

let connectionColumns = [
  Column("id", "id", overflow: .keep), Column("name", "name"),
  Column("status", "status", style: .status, notes: [.init("pending", "pending"), .init("stale", "stale")]),
  Column("services", "services.name", style: .dim), Column("users", "enabled_count", style: .number),
]

/// Compact JSON like that of a connection.
func connection(
  _ id: String, _ name: String, status: String = "enabled", services: [String] = ["Weather"], count: Int = 12,
  pending: Bool = false
) -> String {
  let named = services.map { #"{"id":"x","name":\#(quoted($0))}"# }.joined(separator: ",")
  return #"{"id":\#(quoted(id)),"name":\#(quoted(name)),"status":"\#(status)","pending":\#(pending),"#
    + #""description":null,"services":[\#(named)],"enabled_count":\#(count),"stale":false}"#
}
