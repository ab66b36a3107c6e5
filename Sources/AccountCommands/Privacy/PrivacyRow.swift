import API
import CommandContext
import Connect
import Display
import HTTP
import JSON
import Secrets
import Store
import Time
import World

extension OutputSchema {
  static var privacy: OutputSchema {
    let event = RecordSchema(["name": .string, "timestamp": .string, "properties": .map])
    let next = RecordSchema([
      "method": .string, "url": .string, "headers": .map, "body": .record(RecordSchema(["events": .records(event)])),
    ])
    return OutputSchema(
      name: "privacy",
      record: RecordSchema([
        "usage_events": .bool, "reason": .optionalString, "since": .optionalString, "anonymous_id": .optionalString,
        "waiting": .int, "last_try_at": .optionalString, "last_problem": .optionalString,
        "not_before": .optionalString, "next": .optionalRecord(next),
      ]),
      columns: [
        Column("USAGE EVENTS", "usage_events"), Column("REASON", "reason"), Column("SINCE", "since"),
        Column("ANONYMOUS ID", "anonymous_id", overflow: .keep), Column("QUEUED", "waiting", style: .number),
      ],
      card: PrivacyCard.card, form: .one)
  }
}

extension Session {
  /// The state of telemetry, including the exact request that would be sent next.
  func privacyRow() throws -> [UInt8] {
    let consent = usageConsent
    // Show the user's choice even if something overrides it.
    let choice = try store.usageChoice()
    let sending = try choice.map { try store.usageSending(under: $0) }
    let isHeldUp = sending.map {
      let schedule = UsageSchedule(notBefore: $0.notBefore, failures: $0.failures)
      return $0.failures > 0 && !schedule.isFree(at: world.clock.now())
    }
    let row: JSONValue = [
      "usage_events": JSONValue(consent.choice != nil), "reason": JSONValue(consent.reason?.words),
      "since": JSONValue(choice?.since.rfc3339), "anonymous_id": JSONValue(choice?.anonymousID.revealed),
      "waiting": JSONValue(sending?.waiting ?? 0), "last_try_at": JSONValue(sending?.triedAt?.rfc3339),
      "last_problem": JSONValue(sending?.problem),
      "not_before": JSONValue(isHeldUp == true ? sending?.notBefore.rfc3339 : nil),
      "next": try consent.choice.flatMap(nextUpload) ?? .null,
    ]
    return row.bytes
  }

  /// The next upload; nil if no events are queued. It includes the user's own id in plain text.
  private func nextUpload(_ choice: UsageChoice) throws -> JSONValue? {
    guard let batch = try store.nextUsageBatch(of: UsageUpload.most, under: choice),
      let base = try? WebURL(parsingBase: batch.base)
    else { return nil }
    let request = UsageUpload(base: base, identity: SDKIdentity(choice)).request(batch.events)
    return [
      "method": .string(request.method.rawValue), "url": .string(request.url.wire),
      "headers": .object(JSONObject(members: request.headers.map { ($0.name, .string($0.wire)) })),
      "body": try JSONValue(parsing: request.body ?? []),
    ]
  }
}

/// The state of telemetry, formatted for reading.
private enum PrivacyCard {
  static func card(of row: JSONValue) -> Card {
    let isOn = row["usage_events"] == true
    let reason = row["reason"]?.string.map { " (\($0))" } ?? ""
    var items: [Card.Item] = [.line(label: "Usage events", value: isOn ? "on" : "off\(reason)")]
    func add(_ label: String, _ key: String) {
      if let value = row[key]?.string { items.append(.line(label: label, value: value)) }
    }
    add(isOn ? "Since" : "Enabled", "since")
    add("Anonymous ID", "anonymous_id")
    if row["anonymous_id"]?.string != nil {
      items.append(.line(label: "Queued", value: waiting(row["waiting"]?.int ?? 0)))
    }
    add("Last attempt", "last_try_at")
    add("Last error", "last_problem")
    add("Next attempt", "not_before")
    if let next = row["next"], !next.isNull {
      let headers = (next["headers"]?.object?.members ?? []).map { "\($0.key): \($0.value.string ?? "")" }
      let lines =
        ["\(next["method"]?.string ?? "") \(next["url"]?.string ?? "")"] + headers + [next["body"]?.text ?? ""]
      items.append(.section(title: "Next request", items: lines.map { .text($0) }))
    }
    return Card(items: items)
  }

  private static func waiting(_ count: Int) -> String {
    count < UsageSchedule.enough ? "\(count); sent when there are \(UsageSchedule.enough)" : String(count)
  }
}
