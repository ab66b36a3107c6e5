package import World

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
    _ events: [[UInt8]], to base: String, under choice: UsageChoice, keeping limit: Int
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
