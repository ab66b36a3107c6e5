package import Text
package import World

/// The user's choice to enable usage events. It is stored in `ifttt.db`, because a choice must not be lost.
package struct UsageChoice: Sendable, Equatable {
  /// A random id, created when usage events are enabled and deleted when they are disabled.
  package var anonymousID: Secret
  package var since: Timestamp

  /// The fingerprint under which events are queued. It distinguishes ids without revealing them.
  var sender: String { RequestIdentity.fingerprint(of: anonymousID) }
}

/// The choice, and the usage events that wait to be sent.
package struct UsageQueue {
  private let store: Store

  package init(_ store: Store) { self.store = store }

  /// Returns the choice; nil if usage events are disabled, which is the default.
  package func choice() throws(StoreError) -> UsageChoice? { try store.openIfExists()?.usageChoice() }

  /// Enables usage events. Has no effect if they are already enabled.
  package func switchOn() throws(StoreError) -> UsageChoice {
    try store.checkCache()
    return try store.write { database throws(StoreError) in
      if let choice = try database.usageChoice() { return choice }
      return try database.insertUsageChoice(anonymousID(), since: store.world.clock.now())
    }
  }

  /// Creates another anonymous id; returns nil if usage events are disabled. Events queued under the old id are
  /// deleted.
  package func renewAnonymousID() throws(StoreError) -> UsageChoice? {
    guard try choice() != nil else { return nil }
    try store.checkCache()
    let choice = try store.write { database throws(StoreError) -> UsageChoice? in
      guard let old = try database.usageChoice() else { return nil }
      return try database.insertUsageChoice(anonymousID(), since: old.since)
    }
    try forgetEvents()
    return choice
  }

  /// Disables usage events: deletes the anonymous id and then all queued events. Without the id, nothing is sent.
  package func switchOff() throws(StoreError) {
    try store.writeExisting { database throws(StoreError) in try database.forgetUsageChoice() }
    try forgetEvents()
  }

  private func anonymousID() throws(StoreError) -> Secret {
    guard let id = Secret(parsing: store.world.random.uuid()) else {
      throw StoreError(code: .failed, message: "cannot create an anonymous id", hint: "")
    }
    return id
  }
}

private enum UsageKey: String { case id = "anonymous_id", since = "usage_events_since" }

extension Database {
  func usageChoice() throws(StoreError) -> UsageChoice? {
    let sql = "SELECT value FROM choice WHERE name = :name"
    guard let id = try text(sql, [":name": UsageKey.id.rawValue]).flatMap(Secret.init(parsing:)),
      let since = try text(sql, [":name": UsageKey.since.rawValue]).flatMap({ Int64($0) })
    else { return nil }
    return UsageChoice(anonymousID: id, since: Timestamp(milliseconds: since))
  }

  fileprivate func insertUsageChoice(_ id: Secret, since: Timestamp) throws(StoreError) -> UsageChoice {
    let sql = "INSERT OR REPLACE INTO choice (name, value) VALUES (:name, :value)"
    try run(sql, [":name": UsageKey.id.rawValue, ":value": id.revealed])
    try run(sql, [":name": UsageKey.since.rawValue, ":value": String(since.milliseconds)])
    return UsageChoice(anonymousID: id, since: since)
  }

  func forgetUsageChoice() throws(StoreError) {
    try run(
      "DELETE FROM choice WHERE name IN (:id, :since)",
      [":id": UsageKey.id.rawValue, ":since": UsageKey.since.rawValue])
  }
}

/// Events to send in one request.
package struct UsageBatch: Sendable, Equatable {
  /// The base URL of the Connect API when the events were recorded.
  package var base: String
  /// The events, each a JSON object, oldest first.
  package var events: [[UInt8]]
  fileprivate var last: Int64
}

// Usage events are queued in `cache.db`, because losing some does no harm.
extension UsageQueue {
  /// Queues events. The oldest events beyond `limit` are deleted, and so are those of another anonymous id.
  package func add(
    _ events: [[UInt8]], to base: String, under choice: UsageChoice, limit: Int
  ) throws(StoreError) -> UsageSending {
    try store.writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM usage_event WHERE sender <> :sender", [":sender": choice.sender])
      let insert = try cache.prepare("INSERT INTO usage_event (sender, base, event) VALUES (:sender, :base, :event)")
      for event in events { try insert.run([":sender": choice.sender, ":base": base, ":event": event]) }
      try cache.run(
        """
        DELETE FROM usage_event WHERE number <=
        (SELECT number FROM usage_event ORDER BY number DESC LIMIT 1 OFFSET :limit)
        """, [":limit": limit])
      return try cache.usageSending(under: choice)
    }
  }

  /// Returns the sending state.
  /// - Parameter choice: The choice under which events are queued.
  package func sending(under choice: UsageChoice) throws(StoreError) -> UsageSending {
    try store.readCache { cache throws(StoreError) in try cache.usageSending(under: choice) }
      ?? UsageSending(waiting: 0)
  }

  /// Blocks other senders while a sender runs, unless another process has done so in the meantime.
  /// - Returns: Whether the sender may start.
  package func claim(_ seen: UsageSending, at now: Timestamp) throws(StoreError) -> Bool {
    try store.writeCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE usage_sending SET not_before = :moment WHERE not_before = :seen",
        [":moment": now + UsageSending.claim, ":seen": seen.notBefore]) > 0
    }
  }

  /// Returns the oldest event and the following ones for the same base URL; nil if the queue is empty.
  package func nextBatch(of limit: Int, under choice: UsageChoice) throws(StoreError) -> UsageBatch? {
    let batch = try store.readCache { cache throws(StoreError) -> UsageBatch? in
      let statement = try cache.prepare(
        "SELECT number, base, event FROM usage_event WHERE sender = :sender ORDER BY number")
      try statement.bind([":sender": choice.sender])
      var batch: UsageBatch?
      while try statement.step() {
        let base: String = statement["base"]
        guard batch == nil || batch?.base == base, batch?.events.count != limit else { break }
        batch = UsageBatch(
          base: base, events: (batch?.events ?? []) + [statement["event"]], last: statement["number"])
      }
      return batch
    }
    return batch.flatMap(\.self)
  }

  /// Removes a batch that was sent.
  package func remove(_ batch: UsageBatch, at now: Timestamp) throws(StoreError) {
    try store.writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM usage_event WHERE number <= :last", [":last": batch.last])
      try cache.run(
        "UPDATE usage_sending SET not_before = 0, failures = 0, tried_at = :now, problem = NULL", [":now": now])
    }
  }

  /// Records a failed attempt. The batch stays queued.
  /// - Parameter sending: The state after the failure.
  package func noteFailure(_ sending: UsageSending) throws(StoreError) {
    _ = try store.writeCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE usage_sending SET not_before = :not_before, failures = :failures, tried_at = :now, problem = :problem",
        [
          ":not_before": sending.notBefore, ":failures": sending.failures, ":now": sending.triedAt,
          ":problem": sending.problem,
        ])
    }
  }

  /// Deletes all queued events and the state of the last attempt.
  private func forgetEvents() throws(StoreError) {
    try store.writeExistingCache { cache throws(StoreError) in
      // Overwrite the deleted data, which this file does not do by default.
      try cache.execute("PRAGMA secure_delete = ON")
      try cache.run("DELETE FROM usage_event")
      try cache.run("UPDATE usage_sending SET not_before = 0, failures = 0, tried_at = NULL, problem = NULL")
    }
  }
}

extension Database {
  fileprivate func usageSending(under choice: UsageChoice) throws(StoreError) -> UsageSending {
    let waiting = try integer("SELECT count(*) FROM usage_event WHERE sender = :sender", [":sender": choice.sender])
    let sending = try first("SELECT not_before, failures, tried_at, problem FROM usage_sending") { row in
      UsageSending(
        waiting: Int(waiting ?? 0), notBefore: row["not_before"], failures: row["failures"],
        triedAt: row["tried_at"], problem: row["problem"])
    }
    return sending ?? UsageSending(waiting: Int(waiting ?? 0))
  }
}
