import JSON

/// The rules for the events that a trigger returns.
struct EventRules {
  private let rows: [JSONObject]
  private let metas: [JSONValue?]

  init(_ rows: [JSONObject]) {
    self.rows = rows
    metas = rows.map { $0["meta"] }
  }

  var findings: [(check: ServiceCheck, finding: Finding)] {
    [
      (.threeItems, Finding(problem: rows.count < 3 ? "\(rows.count) events" : nil)),
      (.newestFirst, order), (.uniqueIDs, ids), (.timestamps, timestamps),
    ]
  }

  private var ids: Finding {
    var seen: Set<String> = []
    for (index, meta) in metas.enumerated() {
      guard case .string(let id)? = meta?["id"], !id.isEmpty else {
        return .failed("data[\(index)].meta.id is not a string")
      }
      guard seen.insert(id).inserted else { return .failed("data[\(index)].meta.id is \"\(id)\" again") }
    }
    return .passed
  }

  /// Whether the next response has the same ids. Events may be added between the two.
  func stability(in next: [JSONObject]?) -> Finding {
    guard let next else { return .noData }
    if rows.isEmpty || next.isEmpty { return .skipped("there are no events") }
    let (ids, later) = (Set(rows.compactMap(\.eventID)), Set(next.compactMap(\.eventID)))
    if ids.isDisjoint(with: later) {
      return .warning("no event of the next response has the meta.id of an earlier one")
    }
    // An event that is the same but for its id.
    for (index, row) in rows.enumerated() {
      guard let id = row.eventID, !later.contains(id) else { continue }
      let same = next.first { other in
        other.withoutEventID == row.withoutEventID && other.eventID.map { !ids.contains($0) } ?? false
      }
      if let new = same?.eventID {
        return .warning("data[\(index)].meta.id was \"\(id)\", and then \"\(new)\"")
      }
    }
    return .passed
  }

  /// Seconds until the year 2286 have at most ten digits; milliseconds have had more since 2001.
  private static let firstMilliseconds = 10_000_000_000

  private var timestamps: Finding {
    for (index, meta) in metas.enumerated() {
      guard let value = meta?["timestamp"] else { return .failed("data[\(index)].meta.timestamp is missing") }
      guard let seconds = value.int else { return .failed("data[\(index)].meta.timestamp is not an integer") }
      if seconds >= Self.firstMilliseconds { return .failed("data[\(index)].meta.timestamp is in milliseconds") }
    }
    return .passed
  }

  private var order: Finding {
    let times = metas.map { $0?["timestamp"]?.double }
    for (index, pair) in zip(times, times.dropFirst()).enumerated() {
      if let newer = pair.0, let older = pair.1, older > newer {
        return .failed("data[\(index + 1)] is newer than data[\(index)]")
      }
    }
    return .passed
  }
}

/// The rules for the result of an action.
enum ActionRules {
  static func findings(_ rows: [JSONObject]) -> [(check: ServiceCheck, finding: Finding)] {
    [
      (.actionOneItem, Finding(problem: rows.count == 1 ? nil : "\(rows.count) items")),
      (.actionID, id(rows.first)),
    ]
  }

  private static func id(_ row: JSONObject?) -> Finding {
    guard let row else { return .skipped("there are no items") }
    guard case .string(let id)? = row["id"] else {
      return .failed(row["id"] == nil ? "data[0].id is missing" : "data[0].id is not a string")
    }
    return Finding(problem: id.isEmpty ? "data[0].id is empty" : nil)
  }
}

extension JSONObject {
  /// The id of an event, as a text.
  fileprivate var eventID: String? {
    switch self["meta"]?["id"] {
    case .string(let id)?: id
    case let id?: id.text
    case nil: nil
    }
  }

  fileprivate var withoutEventID: JSONObject {
    var row = self
    if case .object(var meta)? = row["meta"] {
      meta["id"] = nil
      row["meta"] = .object(meta)
    }
    return row
  }
}
