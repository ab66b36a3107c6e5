package import Time
import World

/// How far the sending of usage events came.
package struct UsageSending: Sendable, Equatable {
  /// Events that wait.
  package var waiting: Int
  package var notBefore: Timestamp
  /// In a row.
  package var failures: Int
  package var triedAt: Timestamp?
  /// Why the last try failed; nil where it did not.
  package var problem: String?

  package init(
    waiting: Int, notBefore: Timestamp, failures: Int, triedAt: Timestamp? = nil, problem: String? = nil
  ) {
    (self.waiting, self.notBefore, self.failures) = (waiting, notBefore, failures)
    (self.triedAt, self.problem) = (triedAt, problem)
  }
}

/// Events that are sent with one request.
package struct UsageBatch: Sendable, Equatable {
  /// Of the Connect API, as it was when they were recorded.
  package var base: String
  /// Each a JSON object, the oldest first.
  package var events: [[UInt8]]
  fileprivate var last: Int64
}

// Usage events wait in `cache.db`: losing some is no harm.
extension Store {
  /// Adds events to those that wait. The oldest beyond `limit` give way, and so do those of another anonymous id.
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

  /// - Parameter choice: nil where usage events are off, so that none waits.
  package func usageSending(under choice: UsageChoice) throws(StoreError) -> UsageSending {
    try readCache { cache throws(StoreError) in try cache.usageSending(under: choice) }
      ?? UsageSending(waiting: 0, notBefore: Timestamp(milliseconds: 0), failures: 0)
  }

  /// Moves the moment before which nothing is sent, unless another process did meanwhile.
  /// - Returns: whether it was moved.
  package func claimUsageSending(_ seen: UsageSending, until moment: Timestamp) throws(StoreError) -> Bool {
    try writeCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE usage_sending SET not_before = ? WHERE not_before = ?", .integer(moment.milliseconds),
        .integer(seen.notBefore.milliseconds)) > 0
    }
  }

  /// The oldest event and those that follow it to the same base URL; nil where none waits.
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

  /// The batch arrived.
  package func removeUsage(_ batch: UsageBatch, at now: Timestamp) throws(StoreError) {
    try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM usage_event WHERE number <= ?", .integer(batch.last))
      try cache.run(
        "UPDATE usage_sending SET not_before = 0, failures = 0, tried_at = ?, problem = NULL",
        .integer(now.milliseconds))
    }
  }

  /// It did not, and stays.
  package func noteUsageFailure(
    _ problem: String, failures: Int, notBefore: Timestamp, at now: Timestamp
  ) throws(StoreError) {
    _ = try writeCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE usage_sending SET not_before = ?, failures = ?, tried_at = ?, problem = ?",
        .integer(notBefore.milliseconds), .integer(Int64(failures)), .integer(now.milliseconds), .text(problem))
    }
  }

  /// Whatever waits, and how the last try ended.
  func forgetUsageEvents() throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    try writeCache { cache throws(StoreError) in
      // Written over, which this file else leaves undone.
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
