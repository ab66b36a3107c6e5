package import World

/// The result of one attempt to forward a webhook.
package struct WebhookAttempt: Sendable, Equatable {
  package var number: Int64
  package var state: WebhookForwarding.State
  /// The status of the response; nil without a response.
  package var status: Int?
  /// The reason it failed; nil if it did not.
  package var problem: String?
  /// The earliest time of the next attempt, if it waits for one.
  package var due: Timestamp?

  package init(
    number: Int64, state: WebhookForwarding.State, status: Int?, problem: String?, due: Timestamp? = nil
  ) {
    (self.number, self.state, self.status, self.problem, self.due) = (number, state, status, problem, due)
  }
}

// The queue of webhooks to forward. It is stored with the webhooks, so that a run continues what an earlier one left.
extension WebhookStore {
  /// The longest delay before an attempt, in milliseconds. A later time is the result of a clock that was set back.
  private static let longestDelay: Int64 = 10 * 60 * 1000

  /// Returns the oldest webhooks that wait for this server and are due.
  /// - Parameter number: Only webhooks after this one.
  package func toForward(to url: String, after number: Int64, atMost count: Int) throws(StoreError) -> [StoredWebhook] {
    let now = store.world.clock.now().milliseconds
    return try store.openIfExists()?.rows(
      """
      SELECT \(StoredWebhook.columns) FROM webhook WHERE \(Self.waiting) AND number > :after
      AND (forward_due <= :now OR forward_due > :latest) ORDER BY number LIMIT :count
      """,
      [
        ":profile": profile, ":url": url, ":after": number, ":now": now, ":latest": now + Self.longestDelay,
        ":count": count,
      ]
    ) { StoredWebhook($0) } ?? []
  }

  /// Returns the number of webhooks that wait for this server, whether or not they are due.
  package func countWaiting(for url: String) throws(StoreError) -> Int {
    let count = try store.openIfExists()?.integer(
      "SELECT count(*) FROM webhook WHERE \(Self.waiting)", [":profile": profile, ":url": url])
    return Int(count ?? 0)
  }

  /// Makes all webhooks that wait for this server due.
  /// - Returns: The number of these webhooks, and of those among them that the server may have received already.
  package func resumeForwarding(to url: String) throws(StoreError) -> (count: Int, unanswered: Int) {
    guard try countWaiting(for: url) > 0 else { return (0, 0) }
    return try store.write { database throws(StoreError) in
      let unanswered = try database.integer(
        "SELECT count(*) FROM webhook WHERE \(Self.waiting) AND forward_problem = :problem",
        [":profile": profile, ":url": url, ":problem": WebhookForwarding.unanswered])
      let count = try database.run(
        "UPDATE webhook SET forward_due = 0 WHERE \(Self.waiting)", [":profile": profile, ":url": url])
      return (count, Int(unanswered ?? 0))
    }
  }

  /// Marks webhooks whose requests are in flight while the run ends. The result of the request replaces the mark.
  package func noteUnanswered(_ numbers: [Int64], to url: String) throws(StoreError) {
    guard !numbers.isEmpty else { return }
    try store.write { database throws(StoreError) in
      let statement = try database.prepare(
        "UPDATE webhook SET forward_problem = :problem WHERE \(Self.waiting) AND number = :number")
      for number in numbers {
        try statement.run([
          ":problem": WebhookForwarding.unanswered, ":profile": profile, ":url": url, ":number": number,
        ])
      }
    }
  }

  private static let waiting = "profile = :profile AND forward_to = :url AND forward_state = 'waiting'"

  /// Records the results of attempts.
  package func noteForwarding(_ attempts: [WebhookAttempt], to url: String) throws(StoreError) {
    guard !attempts.isEmpty else { return }
    try store.write { database throws(StoreError) in
      let statement = try database.prepare(
        """
        UPDATE webhook SET forward_state = :state, forward_status = :status, forward_problem = :problem,
        forward_due = :due, forward_tries = forward_tries + 1
        WHERE profile = :profile AND number = :number AND forward_to = :url
        """)
      for attempt in attempts {
        try statement.run([
          ":state": attempt.state.rawValue, ":status": attempt.status, ":problem": attempt.problem,
          ":due": attempt.due, ":profile": profile, ":number": attempt.number, ":url": url,
        ])
      }
    }
  }
}

// The queue of webhooks for the command of `service listen --exec`. It is stored with the webhooks, so that a run
// continues what an earlier one left.
extension WebhookStore {
  /// Returns the numbers of the webhooks that wait for the command, oldest first.
  package func toExecute(_ filter: WebhookFilter) throws(StoreError) -> [Int64] {
    let (condition, parameters) = filter.condition(profile)
    return try store.openIfExists()?.rows(
      "SELECT number FROM webhook WHERE \(condition) AND exec_state = 'waiting' ORDER BY number", parameters
    ) { $0["number"] } ?? []
  }

  /// Records the end of the command for a webhook.
  package func noteExecution(_ execution: WebhookExecution, of number: Int64) throws(StoreError) {
    try store.run(
      "UPDATE webhook SET exec_state = :state, exec_status = :status WHERE profile = :profile AND number = :number",
      [":state": execution.state.rawValue, ":status": execution.status, ":profile": profile, ":number": number])
  }
}
