import JSON
import Output
import Store
import World

/// Builds the rows of `--fields` if the cache has each of the fields in a column of its own. Reading and searching the
/// documents would take longer.
struct ConnectionSummaryRow {
  private enum Value: String { case id, name, status, provider, tracked, stale, fetchedAt = "fetched_at" }

  /// The text before each value, `{"id":` or `,"name":`, and the value.
  private let members: [(opening: [UInt8], value: Value)]
  private var bytes: [UInt8] = []
  private var time = (seconds: Int64.min, text: [UInt8]())

  /// - Returns: nil if one of the fields is only in the documents.
  init?(_ fields: [FieldPath]) {
    var members: [(opening: [UInt8], value: Value)] = []
    for field in fields {
      guard let value = Value(rawValue: field.text) else { return nil }
      members.append((Array((members.isEmpty ? "{" : ",").utf8) + Array("\"\(field.text)\":".utf8), value))
    }
    guard !members.isEmpty else { return nil }
    self.members = members
  }

  mutating func complete(
    _ cached: Store.CachedSummary, stale: Bool, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    bytes.removeAll(keepingCapacity: true)
    for (opening, value) in members {
      bytes.append(contentsOf: opening)
      switch value {
      case .id: JSONWriter.append(cached.id, to: &bytes)
      case .name: JSONWriter.append(cached.name, to: &bytes)
      case .status: JSONWriter.append(cached.status, to: &bytes)
      case .provider: bytes.append(contentsOf: "\"connect\"".utf8)
      case .tracked: bytes.append(contentsOf: "true".utf8)
      case .stale: bytes.append(contentsOf: (stale ? "true" : "false").utf8)
      case .fetchedAt: bytes.append(contentsOf: text(of: cached.fetchedAt))
      }
    }
    bytes.append(UInt8(ascii: "}"))
    try bytes.withUnsafeBytes(body)
  }

  /// Connections are fetched many per second, so the text is often that of the previous row.
  private mutating func text(of timestamp: Timestamp) -> [UInt8] {
    let seconds = timestamp.milliseconds / 1000
    if time.seconds != seconds { time = (seconds, Array("\"\(timestamp.rfc3339)\"".utf8)) }
    return time.text
  }
}
