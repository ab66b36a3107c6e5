import World

/// A stored webhook, without its contents.
package struct WebhookReceipt: Sendable, Equatable {
  package var number: Int64
  /// Whether an earlier webhook has the same request id.
  package var isRepeated: Bool
  package init(number: Int64, isRepeated: Bool) { (self.number, self.isRepeated) = (number, isRepeated) }
}

// A webhook is acknowledged once it is stored, and IFTTT may send it only once. It must never be lost, so it is stored
// in `ifttt.db`.
extension Store {
  /// Creates the store and the profile, so that a store that cannot be written to is reported before the first webhook
  /// arrives.
  package func prepareWebhooks(profile: String) throws(StoreError) {
    try write { database throws(StoreError) in try database.makeProfile(profile) }
  }

  /// Stores webhooks in one transaction. They are on the disk when this returns.
  /// - Parameters:
  ///   - url: The server that they will be forwarded to. Repeated webhooks are not forwarded.
  ///   - filter: The webhooks that a command will run for; nil without a command. None runs for repeated webhooks.
  package func record(
    _ webhooks: [ReceivedWebhook], forwardingTo url: String?, executing filter: WebhookFilter? = nil, profile: String
  ) throws(StoreError) -> [WebhookReceipt] {
    guard !webhooks.isEmpty else { return [] }
    return try write { database throws(StoreError) in
      try database.makeProfile(profile)
      let earlier = try database.prepare("SELECT 1 FROM webhook WHERE profile = ? AND request_id = ? LIMIT 1")
      let insert = try database.prepare(
        """
        INSERT INTO webhook (profile, received_at, type, event, request_id, is_repeated, headers, body, forward_to,
        forward_state, forward_due, exec_state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?) RETURNING number
        """)
      var receipts: [WebhookReceipt] = []
      for webhook in webhooks {
        var isRepeated = false
        if let id = webhook.requestID {
          try earlier.bind([.text(profile), .text(id)])
          isRepeated = try earlier.step()
          earlier.reset()
        }
        let target = isRepeated ? nil : url
        let isExecuted = !isRepeated && filter?.matches(type: webhook.type, event: webhook.event) ?? false
        try insert.bind([
          .text(profile), .integer(webhook.receivedAt.milliseconds), .text(webhook.type), .text(webhook.event),
          webhook.requestID.map(SQLValue.text) ?? .null, .integer(isRepeated ? 1 : 0), .text(webhook.headersText),
          .blob(webhook.body), target.map(SQLValue.text) ?? .null,
          target == nil ? .null : .text(WebhookForwarding.State.waiting.rawValue),
          isExecuted ? .text(WebhookExecution.State.waiting.rawValue) : .null,
        ])
        guard try insert.step() else { continue }
        receipts.append(WebhookReceipt(number: insert.integer(0), isRepeated: isRepeated))
        // A statement that returns rows is complete only after its last step.
        while try insert.step() {}
      }
      return receipts
    }
  }

  /// Returns the webhooks with these numbers that still exist, in the same order.
  package func webhooks(_ numbers: [Int64], profile: String) throws(StoreError) -> [StoredWebhook] {
    guard !numbers.isEmpty, let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      "SELECT \(StoredWebhook.columns) FROM webhook WHERE profile = ? AND number = ?")
    var found: [StoredWebhook] = []
    for number in numbers {
      try statement.bind([.text(profile), .integer(number)])
      if try statement.step() { found.append(StoredWebhook(statement)) }
    }
    statement.reset()
    return found
  }

  /// Calls `body` with each stored webhook that matches, oldest first.
  /// - Parameter last: The number of webhooks, counted from the newest; nil for all.
  package func forEachWebhook<E: Error>(
    _ filter: WebhookFilter, last: Int?, profile: String, _ body: (StoredWebhook) throws(E) -> Void
  ) throws {
    guard let database = try openIfExists() else { return }
    var (condition, values) = filter.condition(profile)
    if let last {
      // The newest are counted by number alone, without reading their bodies.
      condition += " AND number >= (SELECT min(number) FROM (SELECT number FROM webhook WHERE \(condition)"
      condition += " ORDER BY number DESC LIMIT ?))"
      values += values + [.integer(Int64(last))]
    }
    let statement = try database.prepare(
      "SELECT \(StoredWebhook.columns) FROM webhook WHERE \(condition) ORDER BY number")
    try statement.bind(values)
    while try statement.step() { try body(StoredWebhook(statement)) }
  }

  /// Counts the stored webhooks that match.
  package func webhookCounts(
    _ filter: WebhookFilter = WebhookFilter(), profile: String
  ) throws(StoreError) -> WebhookCounts {
    guard let database = try openIfExists() else { return WebhookCounts() }
    let (condition, values) = filter.condition(profile)
    let statement = try database.prepare(
      """
      SELECT count(*), count(*) FILTER (WHERE forward_state = 'waiting'), count(*) FILTER (WHERE exec_state = 'waiting'),
      max(number) FROM webhook WHERE \(condition)
      """)
    try statement.bind(values)
    guard try statement.step() else { return WebhookCounts() }
    return WebhookCounts(
      all: Int(statement.integer(0)), toForward: Int(statement.integer(1)), toExecute: Int(statement.integer(2)),
      newest: statement.integer(3))
  }

  /// Removes the webhooks that match, up to the number `newest`: those that arrived later were not confirmed.
  /// - Returns: The number of webhooks removed.
  package func removeWebhooks(
    _ filter: WebhookFilter, upTo newest: Int64, profile: String
  ) throws(StoreError) -> Int {
    guard try openIfExists() != nil else { return 0 }
    return try write { database throws(StoreError) in
      let (condition, values) = filter.condition(profile)
      try database.prepare("DELETE FROM webhook WHERE \(condition) AND number <= ?").run(values + [.integer(newest)])
      return database.changedRows
    }
  }
}

extension WebhookFilter {
  /// An SQL condition, and the values of its parameters.
  func condition(_ profile: String) -> (String, [SQLValue]) {
    let parts = [("type", type), ("event", event)].compactMap { column, value in value.map { (column, $0) } }
    return (
      (["profile = ?"] + parts.map { "\($0.0) = ?" }).joined(separator: " AND "),
      [.text(profile)] + parts.map { .text($0.1) }
    )
  }
}
