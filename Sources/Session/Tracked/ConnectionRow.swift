import IFTTT
import JSON
import Output
import Store
import Text
package import World

extension OutputSchema {
  package static var connection: OutputSchema {
    var shape = connections.single
    shape.card = ConnectionCard.card
    return shape
  }

  package static var connections: OutputSchema {
    OutputSchema(
      one: ConnectionSchema.rows.one, list: ConnectionSchema.rows.list,
      columns: [
        Column("ID", "id", overflow: .keep),
        Column("NAME", "name"),
        Column("STATUS", "status", style: .status, overflow: .keep, notes: [Column.Note("pending", "pending")]),
        Column("SERVICES", "services.short_name", style: .dim),
        // A table shows it as a note on the status.
        Column("PENDING", "pending", isInDataOnly: true),
      ])
  }

  /// The same schema with a user column, which comes first, because rows are distinguished by their users.
  package var withUsers: OutputSchema {
    changingColumns { $0.insert(Column("USER", "user_id", overflow: .keep), at: 0) }
  }

  /// The same schema with a provider column, which comes last so that scripts find the other columns at their usual
  /// positions.
  package var withProviders: OutputSchema {
    changingColumns { columns in
      for index in columns.indices where columns[index].path.text == "id" {
        columns[index].qualifier = Column.Qualifier("provider", unless: "connect")
      }
      columns.append(Column("PROVIDER", "provider", style: .dim, overflow: .keep, isInDataOnly: true))
    }
  }
}

/// Joins a connection's cached document and its metadata when the row is printed.
///
/// Lists may have 100,000 rows. The buffer is therefore reused, and so is the suffix with the metadata: from row to
/// row, it mostly stays the same, or only its time of day changes.
package struct ConnectionRow {
  private var buffer: [UInt8] = []
  /// The text after the document, with the metadata.
  private var suffix: [UInt8] = []
  /// The metadata in the suffix.
  private var metadata: Metadata?

  private struct Metadata: Equatable {
    let isTracked: Bool
    let isStale: Bool
    /// The time of the fetch, in whole seconds since 1970.
    let second: Int64

    /// Whether the text is the same except for the time of day.
    func isOfSameDay(as other: Metadata) -> Bool {
      isTracked == other.isTracked && isStale == other.isStale && second / 86_400 == other.second / 86_400
    }
  }

  package mutating func complete(
    _ document: UnsafeRawBufferPointer, tracked: Bool, stale: Bool, fetchedAt: Timestamp,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    let metadata = Metadata(isTracked: tracked, isStale: stale, second: fetchedAt.milliseconds / 1000)
    if metadata != self.metadata { write(metadata, fetchedAt) }
    let count = document.count + suffix.count
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: 2 * count) }
    try buffer.withUnsafeMutableBytes { buffer in
      buffer.copyMemory(from: document)
      suffix.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[document.count...]).copyMemory(from: $0) }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  package static func complete(_ document: [UInt8], tracked: Bool, stale: Bool, fetchedAt: Timestamp) -> [UInt8] {
    var row = ConnectionRow()
    row.write(Metadata(isTracked: tracked, isStale: stale, second: fetchedAt.milliseconds / 1000), fetchedAt)
    return document + row.suffix
  }

  private mutating func write(_ metadata: Metadata, _ fetchedAt: Timestamp) {
    if let previous = self.metadata, metadata.isOfSameDay(as: previous) {
      suffix.withUnsafeMutableBufferPointer { suffix in
        let time = suffix.count - #"hh:mm:ssZ"}"#.utf8.count
        suffix.write(metadata.second % 86_400 / 3600, at: time)
        suffix.write(metadata.second / 60 % 60, at: time + 3)
        suffix.write(metadata.second % 60, at: time + 6)
      }
    } else {
      suffix = Array(
        #","tracked":\#(metadata.isTracked),"stale":\#(metadata.isStale),"fetched_at":"\#(fetchedAt.rfc3339)"}"#.utf8)
    }
    self.metadata = metadata
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes two digits.
  fileprivate func write(_ number: Int64, at offset: Int) {
    let tens = UInt8(truncatingIfNeeded: number / 10)
    self[offset] = UInt8(ascii: "0") &+ tens
    self[offset + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number) &- tens &* 10
  }
}

/// Builds the rows of `--fields` from the columns of the cache, which is faster than reading the documents.
struct ConnectionSummaryRow {
  private enum Value: String {
    case id, name, status, pending, provider, tracked, stale
    case fetchedAt = "fetched_at"
    case services = "services.short_name"
  }

  /// The text before each value, `{"id":` or `,"name":`, and the value.
  private let members: [(opening: [UInt8], value: Value)]
  private var bytes: [UInt8] = []
  private var time = (seconds: Int64.min, text: [UInt8]())
  private static let (`true`, `false`, connect) = (Array("true".utf8), Array("false".utf8), Array("\"connect\"".utf8))

  /// Nil if the cache has no column for one of the fields.
  init?(_ fields: [FieldPath]) {
    var members: [(opening: [UInt8], value: Value)] = []
    for field in fields {
      guard let value = Value(rawValue: field.text) else { return nil }
      let key = value == .services ? "services" : field.text
      members.append((Array((members.isEmpty ? "{" : ",").utf8) + Array("\"\(key)\":".utf8), value))
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
      case .pending: bytes.append(contentsOf: cached.isPending ? Self.true : Self.false)
      case .services: cached.appendServices(to: &bytes)
      case .provider: bytes.append(contentsOf: Self.connect)
      case .tracked: bytes.append(contentsOf: Self.true)
      case .stale: bytes.append(contentsOf: stale ? Self.true : Self.false)
      case .fetchedAt: bytes.append(contentsOf: text(of: cached.fetchedAt))
      }
    }
    bytes.append(UInt8(ascii: "}"))
    try bytes.withUnsafeBytes(body)
  }

  /// Many connections are fetched per second, so the text is often the same as in the previous row.
  private mutating func text(of timestamp: Timestamp) -> [UInt8] {
    let seconds = timestamp.milliseconds / 1000
    if time.seconds != seconds { time = (seconds, Array("\"\(timestamp.rfc3339)\"".utf8)) }
    return time.text
  }
}

/// A connection formatted for people: the output of `connections show` in the table format.
struct ConnectionCard {
  private let connection: JSONValue

  package static func card(of connection: JSONValue) -> Card {
    let card = ConnectionCard(connection: connection)
    return Card(
      title: connection["name"]?.string,
      items: card.lines + card.services + card.features + card.configuration)
  }

  private var lines: [Card.Item] {
    let status = connection["status"]?.string ?? "unknown"
    let pending = connection["pending"] == true ? " (pending: its configuration was skipped)" : ""
    let fetched = connection["fetched_at"]?.string ?? ""
    return [
      .line(label: "ID", value: connection["id"]?.string ?? ""),
      .line(label: "Status", value: status + pending, tone: Tone(status: status)),
      .line(label: "Description", value: connection["description"]?.string ?? ""),
      .line(label: "Enabled by", value: connection["enabled_count"]?.int.map { $0.counted("user") } ?? ""),
      .line(label: "URL", value: connection["url"]?.string ?? ""),
      .line(label: "Fetched", value: fetched + (connection["stale"] == true ? " (may be out of date)" : "")),
    ]
  }

  private var services: [Card.Item] {
    let items = members("services").map { service -> Card.Item in
      let owner = service["is_primary"] == true ? " (owner)" : ""
      return .text((service["name"]?.string ?? "") + owner)
    }
    return section("Services", items)
  }

  private var features: [Card.Item] {
    let items = members("features").flatMap { feature -> [Card.Item] in
      let steps = ["triggers", "queries", "actions"].flatMap { members($0, of: feature) }
      let fields = members("fields", of: feature) + steps.flatMap { members("fields", of: $0) }
      let lines =
        steps.map {
          Card.Item.line(label: $0["step"]?.string ?? "", value: $0["label"]?.string ?? "", keepsEmpty: true)
        }
        + fields.map { .line(label: $0["id"]?.string ?? "", value: value(of: $0)) }
      return [.section(title: feature["title"]?.string ?? feature["id"]?.string ?? "", items: lines)]
    }
    return section("Features", items)
  }

  /// The value of a field. A provider's field with a value is a fact about its connection, not a setting to
  /// configure.
  private func value(of field: JSONValue) -> String {
    if connection["provider"]?.string != "connect", let value = field["default_value"]?.string { return value }
    let required = field["required"] == true ? ", required" : ""
    return "\(field["label"]?.string ?? "") (\(field["type"]?.string ?? "")\(required))"
  }

  private var configuration: [Card.Item] {
    let features = connection["configuration"].map { members("features", of: $0) } ?? []
    let titles = Dictionary(
      members("features").map { ($0["id"]?.string, $0["title"]?.string) }, uniquingKeysWith: { first, _ in first })
    let items = features.map { feature -> Card.Item in
      let steps = ["triggers", "queries", "actions"].flatMap { members($0, of: feature) }
      let id = feature["feature_id"]?.string
      let title = (titles[id] ?? id) ?? ""
      return .section(
        title: title + (feature["enabled"] == false ? " (disabled)" : ""),
        items: ([feature] + steps).flatMap { values(of: $0["fields"]) })
    }
    return section("Configuration", items)
  }

  private func values(of fields: JSONValue?) -> [Card.Item] {
    (fields?.object?.members ?? []).map { .line(label: $0.key, value: $0.value.asFieldValue, keepsEmpty: true) }
  }

  private func members(_ key: String, of value: JSONValue? = nil) -> [JSONValue] {
    (value ?? connection)[key]?.array ?? []
  }

  private func section(_ title: String, _ items: [Card.Item]) -> [Card.Item] {
    items.isEmpty ? [] : [.section(title: title, items: items)]
  }
}

extension JSONValue {
  /// A field's value as shown to people: the label of an option, or the address of a location.
  package var asFieldValue: String {
    if let string { return string }
    if let array { return array.map(\.asFieldValue).joined(separator: ", ") }
    if let label = self["label"]?.string { return label }
    if let option = self["value"]?.string { return option }
    if case .location(let location)? = FieldValue(self) {
      let radius = location.radius.map { ", radius \(whole($0)) m" } ?? ""
      let point = "\(location.latitude.text), \(location.longitude.text)\(radius)"
      let name = [location.address, location.details].compactMap(\.self).first { !$0.isEmpty }
      return name.map { "\($0) (\(point))" } ?? point
    }
    return isNull ? "" : text
  }

  /// Rounds to the meter; a number that does not fit an `Int` is printed as received.
  private func whole(_ number: JSONNumber) -> String {
    number.double.flatMap { Int(exactly: $0.rounded()) }.map(String.init) ?? number.text
  }
}
