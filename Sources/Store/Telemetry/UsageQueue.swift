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

extension Store {
  /// Returns the choice; nil if usage events are disabled, which is the default.
  package func usageChoice() throws(StoreError) -> UsageChoice? { try openIfExists()?.usageChoice() }

  /// Enables usage events. Has no effect if they are already enabled.
  package func switchUsageOn() throws(StoreError) -> UsageChoice {
    try checkCache()
    return try write { database throws(StoreError) in
      if let choice = try database.usageChoice() { return choice }
      return try insertChoice(anonymousID(), since: world.clock.now(), in: database)
    }
  }

  /// Creates another anonymous id; returns nil if usage events are disabled. Events queued under the old id are
  /// deleted.
  package func renewAnonymousID() throws(StoreError) -> UsageChoice? {
    guard try usageChoice() != nil else { return nil }
    try checkCache()
    let choice = try write { database throws(StoreError) -> UsageChoice? in
      guard let old = try database.usageChoice() else { return nil }
      return try insertChoice(anonymousID(), since: old.since, in: database)
    }
    try forgetUsageEvents()
    return choice
  }

  /// Disables usage events: deletes the anonymous id and then all queued events. Without the id, nothing is sent.
  /// - Returns: Whether usage events were enabled.
  package func switchUsageOff() throws(StoreError) -> Bool {
    var wereOn = false
    if try openIfExists() != nil {
      wereOn = try write { database throws(StoreError) in try database.forgetUsageChoice() }
    }
    try forgetUsageEvents()
    return wereOn
  }

  private func insertChoice(_ id: Secret, since: Timestamp, in database: Database) throws(StoreError) -> UsageChoice {
    let sql = "INSERT OR REPLACE INTO choice (name, value) VALUES (?, ?)"
    try database.run(sql, .text(UsageKey.id.rawValue), .text(id.revealed))
    try database.run(sql, .text(UsageKey.since.rawValue), .text(String(since.milliseconds)))
    return UsageChoice(anonymousID: id, since: since)
  }

  private func anonymousID() throws(StoreError) -> Secret {
    guard let id = Secret(parsing: world.random.uuid()) else {
      throw StoreError(code: .failed, message: "cannot create an anonymous id", hint: "")
    }
    return id
  }
}

private enum UsageKey: String { case id = "anonymous_id", since = "usage_events_since" }

extension Database {
  func usageChoice() throws(StoreError) -> UsageChoice? {
    let sql = "SELECT value FROM choice WHERE name = ?"
    guard let id = try text(sql, .text(UsageKey.id.rawValue)).flatMap(Secret.init(parsing:)),
      let since = try text(sql, .text(UsageKey.since.rawValue)).flatMap({ Int64($0) })
    else { return nil }
    return UsageChoice(anonymousID: id, since: Timestamp(milliseconds: since))
  }

  /// - Returns: Whether there was a choice.
  @discardableResult
  func forgetUsageChoice() throws(StoreError) -> Bool {
    try run(
      "DELETE FROM choice WHERE name IN (?, ?)", .text(UsageKey.id.rawValue), .text(UsageKey.since.rawValue)) > 0
  }
}

/// The state of sending usage events.
package struct UsageSending: Sendable, Equatable {
  /// The number of queued events.
  package var waiting: Int
  package var notBefore: Timestamp
  /// The number of consecutive failures.
  package var failures: Int
  package var triedAt: Timestamp?
  /// The reason the last attempt failed; nil if it did not.
  package var problem: String?

  package init(
    waiting: Int, notBefore: Timestamp, failures: Int, triedAt: Timestamp? = nil, problem: String? = nil
  ) {
    (self.waiting, self.notBefore, self.failures) = (waiting, notBefore, failures)
    (self.triedAt, self.problem) = (triedAt, problem)
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
extension Store {
  /// Queues events. The oldest events beyond `limit` are deleted, and so are those of another anonymous id.
  package func queueUsage(
    _ events: [[UInt8]], to base: String, under choice: UsageChoice, limit: Int
  ) throws(StoreError) -> UsageSending {
    try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM usage_event WHERE sender <> ?", .text(choice.sender))
      let insert = try cache.prepare("INSERT INTO usage_event (sender, base, event) VALUES (?, ?, ?)")
      for event in events { try insert.run(.text(choice.sender), .text(base), .blob(event)) }
      try cache.run(
        """
        DELETE FROM usage_event WHERE number <=
        (SELECT number FROM usage_event ORDER BY number DESC LIMIT 1 OFFSET ?)
        """, .integer(Int64(limit)))
      return try cache.usageSending(under: choice)
    }
  }

  /// Returns the sending state.
  /// - Parameter choice: The choice under which events are queued.
  package func usageSending(under choice: UsageChoice) throws(StoreError) -> UsageSending {
    try readCache { cache throws(StoreError) in try cache.usageSending(under: choice) }
      ?? UsageSending(waiting: 0, notBefore: Timestamp(milliseconds: 0), failures: 0)
  }

  /// Sets the time before which nothing is sent, unless another process has done so in the meantime.
  /// - Returns: Whether the time was set.
  package func claimUsageSending(_ seen: UsageSending, until moment: Timestamp) throws(StoreError) -> Bool {
    try writeCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE usage_sending SET not_before = ? WHERE not_before = ?", .integer(moment.milliseconds),
        .integer(seen.notBefore.milliseconds)) > 0
    }
  }

  /// Returns the oldest event and the following ones for the same base URL; nil if the queue is empty.
  package func nextUsageBatch(of most: Int, under choice: UsageChoice) throws(StoreError) -> UsageBatch? {
    let batch = try readCache { cache throws(StoreError) -> UsageBatch? in
      let statement = try cache.prepare("SELECT number, base, event FROM usage_event WHERE sender = ? ORDER BY number")
      try statement.bind([.text(choice.sender)])
      var batch: UsageBatch?
      while try statement.step() {
        let base = statement.text(1)
        guard batch == nil || batch?.base == base, batch?.events.count != most else { break }
        batch = UsageBatch(
          base: base, events: (batch?.events ?? []) + [statement.bytes(2)], last: statement.integer(0))
      }
      return batch
    }
    return batch.flatMap(\.self)
  }

  /// Removes a batch that was sent.
  package func removeUsage(_ batch: UsageBatch, at now: Timestamp) throws(StoreError) {
    try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM usage_event WHERE number <= ?", .integer(batch.last))
      try cache.run(
        "UPDATE usage_sending SET not_before = 0, failures = 0, tried_at = ?, problem = NULL",
        .integer(now.milliseconds))
    }
  }

  /// Records a failed attempt. The batch stays queued.
  package func noteUsageFailure(
    _ problem: String, failures: Int, notBefore: Timestamp, at now: Timestamp
  ) throws(StoreError) {
    _ = try writeCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE usage_sending SET not_before = ?, failures = ?, tried_at = ?, problem = ?",
        .integer(notBefore.milliseconds), .integer(Int64(failures)), .integer(now.milliseconds), .text(problem))
    }
  }

  /// Deletes all queued events and the state of the last attempt.
  func forgetUsageEvents() throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    try writeCache { cache throws(StoreError) in
      // Overwrite the deleted data, which this file does not do by default.
      try cache.execute("PRAGMA secure_delete = ON")
      try cache.run("DELETE FROM usage_event")
      try cache.run("UPDATE usage_sending SET not_before = 0, failures = 0, tried_at = NULL, problem = NULL")
    }
  }
}

extension Database {
  fileprivate func usageSending(under choice: UsageChoice) throws(StoreError) -> UsageSending {
    let waiting = try integer("SELECT count(*) FROM usage_event WHERE sender = ?", .text(choice.sender)) ?? 0
    let statement = try prepare("SELECT not_before, failures, tried_at, problem FROM usage_sending")
    var sending = UsageSending(waiting: Int(waiting), notBefore: Timestamp(milliseconds: 0), failures: 0)
    guard try statement.step() else { return sending }
    sending.notBefore = Timestamp(milliseconds: statement.integer(0))
    sending.failures = Int(statement.integer(1))
    if !statement.isNull(2) { sending.triedAt = Timestamp(milliseconds: statement.integer(2)) }
    if !statement.isNull(3) { sending.problem = statement.text(3) }
    return sending
  }
}
