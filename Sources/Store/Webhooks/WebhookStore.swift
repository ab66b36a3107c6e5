import World

/// A stored webhook, without its contents.
package struct WebhookReceipt: Sendable, Equatable {
  package var number: Int64
  /// Whether an earlier webhook has the same request id.
  package var isRepeated: Bool
  package init(number: Int64, isRepeated: Bool) { (self.number, self.isRepeated) = (number, isRepeated) }
}

/// The webhooks of a profile. IFTTT may send a webhook only once, and a stored webhook is acknowledged, so a loss would
/// be final. They are therefore in `ifttt.db` and not in the cache.
package struct WebhookStore {
  let store: Store
  let profile: String

  package init(_ store: Store, profile: String) { (self.store, self.profile) = (store, profile) }

  /// Creates the store and the profile, so that a store that cannot be written to is reported before the first webhook
  /// arrives.
  package func prepare() throws(StoreError) {
    try store.write { database throws(StoreError) in try database.makeProfile(profile) }
  }

  /// Stores webhooks in one transaction. They are durable when this method returns.
  /// - Parameters:
  ///   - url: The server to forward them to; nil for none. Repeated webhooks are not forwarded.
  ///   - filter: The webhooks to run a command for; nil without a command. It does not run for repeated webhooks.
  package func record(
    _ webhooks: [ReceivedWebhook], forwardingTo url: String?, executing filter: WebhookFilter? = nil
  ) throws(StoreError) -> [WebhookReceipt] {
    guard !webhooks.isEmpty else { return [] }
    return try store.write { database throws(StoreError) in
      try database.makeProfile(profile)
      let earlier = "SELECT 1 FROM webhook WHERE profile = :profile AND request_id = :request_id LIMIT 1"
      let insert = try database.prepare(
        """
        INSERT INTO webhook (profile, received_at, type, event, request_id, is_repeated, headers, body, forward_to,
          forward_state, forward_due, exec_state)
        VALUES (:profile, :received_at, :type, :event, :request_id, :is_repeated, :headers, :body, :forward_to,
          :forward_state, 0, :exec_state)
        RETURNING number
        """)
      var receipts: [WebhookReceipt] = []
      for webhook in webhooks {
        var isRepeated = false
        if let id = webhook.requestID {
          isRepeated = try database.integer(earlier, [":profile": profile, ":request_id": id]) != nil
        }
        let target = isRepeated ? nil : url
        let isExecuted = !isRepeated && filter?.matches(type: webhook.type, event: webhook.event) ?? false
        try insert.bind([
          ":profile": profile, ":received_at": webhook.receivedAt, ":type": webhook.type, ":event": webhook.event,
          ":request_id": webhook.requestID, ":is_repeated": isRepeated, ":headers": webhook.headersText,
          ":body": webhook.body, ":forward_to": target,
          ":forward_state": target.map { _ in WebhookForwarding.State.waiting.rawValue },
          ":exec_state": isExecuted ? WebhookExecution.State.waiting.rawValue : nil,
        ])
        guard try insert.step() else { continue }
        receipts.append(WebhookReceipt(number: insert["number"], isRepeated: isRepeated))
        // A statement that returns rows is complete only after its last step.
        while try insert.step() {}
      }
      return receipts
    }
  }

  /// Returns the webhooks with these numbers, in the same order. Webhooks that no longer exist are omitted.
  package func webhooks(_ numbers: [Int64]) throws(StoreError) -> [StoredWebhook] {
    guard !numbers.isEmpty, let database = try store.openIfExists() else { return [] }
    let sql = "SELECT \(StoredWebhook.columns) FROM webhook WHERE profile = :profile AND number = :number"
    var stored: [StoredWebhook] = []
    for number in numbers {
      let webhook = try database.first(sql, [":profile": profile, ":number": number]) { StoredWebhook($0) }
      if let webhook { stored.append(webhook) }
    }
    return stored
  }

  /// Calls `body` with each stored webhook that matches, oldest first.
  /// - Parameter last: The maximum number of webhooks, of which the newest are used; nil for all.
  package func forEach<E: Error>(
    _ filter: WebhookFilter, last: Int?, _ body: (StoredWebhook) throws(E) -> Void
  ) throws {
    guard let database = try store.openIfExists() else { return }
    var (condition, parameters) = filter.condition(profile)
    if let last {
      // Select the newest by number alone, so that no bodies are read only to be counted.
      condition += " AND number >= (SELECT min(number) FROM (SELECT number FROM webhook WHERE \(condition)"
      condition += " ORDER BY number DESC LIMIT :last))"
      parameters = parameters + [":last": last]
    }
    let statement = try database.prepare(
      "SELECT \(StoredWebhook.columns) FROM webhook WHERE \(condition) ORDER BY number")
    try statement.bind(parameters)
    while try statement.step() { try body(StoredWebhook(statement)) }
  }

  /// Counts the stored webhooks that match.
  package func counts(_ filter: WebhookFilter = WebhookFilter()) throws(StoreError) -> WebhookCounts {
    let (condition, parameters) = filter.condition(profile)
    return try store.openIfExists()?.first(
      """
      SELECT count(*) AS all_webhooks, count(*) FILTER (WHERE forward_state = 'waiting') AS to_forward,
      count(*) FILTER (WHERE exec_state = 'waiting') AS to_execute, max(number) AS newest
      FROM webhook WHERE \(condition)
      """, parameters
    ) { row in
      WebhookCounts(
        all: row["all_webhooks"], toForward: row["to_forward"], toExecute: row["to_execute"], newest: row["newest"])
    } ?? WebhookCounts()
  }

  /// Removes the webhooks that match, up to the number `newest`. Later webhooks arrived after the user had confirmed.
  /// - Returns: The number of webhooks removed.
  package func remove(_ filter: WebhookFilter, upTo newest: Int64) throws(StoreError) -> Int {
    let (condition, parameters) = filter.condition(profile)
    return try store.writeExisting { database throws(StoreError) in
      try database.run(
        "DELETE FROM webhook WHERE \(condition) AND number <= :newest", parameters + [":newest": newest])
    } ?? 0
  }
}

extension WebhookFilter {
  /// An SQL condition, and the values of its parameters.
  func condition(_ profile: String) -> (String, SQLParameters) {
    (
      "profile = :profile AND (:type IS NULL OR type = :type) AND (:event IS NULL OR event = :event)",
      [":profile": profile, ":type": type, ":event": event]
    )
  }
}
