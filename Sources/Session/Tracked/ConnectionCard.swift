import JSON
import Output

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
    var lines: [Card.Item] = [
      .line(label: "ID", value: connection["id"]?.string ?? ""),
      .line(label: "Status", value: status + pending, tone: Tone(status: status)),
    ]
    if let text = connection["description"]?.string, !text.isEmpty {
      lines.append(.line(label: "Description", value: text))
    }
    if let count = connection["enabled_count"]?.int { lines.append(.line(label: "Enabled by", value: people(count))) }
    if let url = connection["url"]?.string { lines.append(.line(label: "URL", value: url)) }
    let fetched = connection["fetched_at"]?.string ?? ""
    lines.append(.line(label: "Fetched", value: fetched + (connection["stale"] == true ? " (may be out of date)" : "")))
    return lines
  }

  private func people(_ count: Int) -> String { count == 1 ? "1 user" : "\(count) users" }

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
        steps.map { Card.Item.line(label: $0["step"]?.string ?? "", value: $0["label"]?.string ?? "") }
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
    (fields?.object?.members ?? []).map { .line(label: $0.key, value: $0.value.asFieldValue) }
  }

  private func members(_ key: String, of value: JSONValue? = nil) -> [JSONValue] {
    (value ?? connection)[key]?.array ?? []
  }

  private func section(_ title: String, _ items: [Card.Item]) -> [Card.Item] {
    items.isEmpty ? [] : [.section(title: title, items: items)]
  }
}
