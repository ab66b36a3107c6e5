import Connect
import Display
import JSON
import World

extension Shape {
  static var connection: Shape {
    var shape = connections.single
    shape.card = ConnectionCard.card
    return shape
  }

  static var connections: Shape {
    Shape(
      name: "connections", record: RecordSchema(one: ConnectionSchema.one, list: ConnectionSchema.list),
      columns: [
        Column("ID", "id", overflow: .keep),
        Column("NAME", "name"),
        Column("STATUS", "status", style: .status, overflow: .keep),
        Column("SERVICES", "services.short_name", style: .dim),
      ])
  }
}

/// Joins a connection's document and what is known of it only when it is shown.
///
/// Listing 100,000 rows goes through here, so a moment is put into words once for all rows that share it.
struct ConnectionRow {
  private var bytes: [UInt8] = []
  private var words: [Int64: [UInt8]] = [:]

  mutating func complete(
    _ document: UnsafeRawBufferPointer, tracked: Bool, stale: Bool, fetchedAt: Timestamp,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: document)
    let second = fetchedAt.milliseconds / 1000
    let key = second << 2 | (tracked ? 2 : 0) | (stale ? 1 : 0)
    if words[key] == nil {
      let tail = #","tracked":\#(tracked),"stale":\#(stale),"fetched_at":"\#(fetchedAt.rfc3339)"}"#
      words[key] = Array(tail.utf8)
    }
    if let tail = words[key] { bytes.append(contentsOf: tail) }
    try bytes.withUnsafeBytes(body)
  }

  static func complete(_ document: [UInt8], tracked: Bool, stale: Bool, fetchedAt: Timestamp) -> [UInt8] {
    var row = ConnectionRow()
    document.withUnsafeBytes { row.complete($0, tracked: tracked, stale: stale, fetchedAt: fetchedAt) { _ in } }
    return row.bytes
  }
}
