package import World

/// The result of one attempt to forward a webhook.
package struct WebhookAttempt: Sendable, Equatable {
  package var number: Int64
  package var state: WebhookForwarding.State
  /// The status of the response; nil without a response.
  package var status: Int?
  /// Why it failed.
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
extension Store {
  /// The longest delay before an attempt. A later time is the result of a clock that was set back.
  private static let longestDelay: Int64 = 10 * 60 * 1000

  /// Returns the oldest webhooks that wait for this server and are due.
  /// - Parameter number: Only webhooks after this one.
  package func webhooksToForward(
    to url: String, after number: Int64, atMost count: Int, profile: String
  ) throws(StoreError) -> [StoredWebhook] {
    guard let database = try openIfExists() else { return [] }
    let now = world.clock.now().milliseconds
    let statement = try database.prepare(
      """
      SELECT \(StoredWebhook.columns) FROM webhook WHERE profile = ? AND forward_to = ? AND number > ?
      AND forward_state = 'waiting' AND (forward_due <= ? OR forward_due > ?) ORDER BY number LIMIT ?
      """)
    try statement.bind([
      .text(profile), .text(url), .integer(number), .integer(now), .integer(now + Self.longestDelay),
      .integer(Int64(count)),
    ])
    var found: [StoredWebhook] = []
    while try statement.step() { found.append(StoredWebhook(statement)) }
    return found
  }

  /// Returns the number of webhooks that wait for this server, whether or not they are due.
  package func waitingWebhooks(for url: String, profile: String) throws(StoreError) -> Int {
    guard let database = try openIfExists() else { return 0 }
    return Int(
      try database.integer(
        "SELECT count(*) FROM webhook WHERE \(Self.waiting)", .text(profile), .text(url)) ?? 0)
  }

  /// Makes all webhooks that wait for this server due.
  /// - Returns: How many there are, and how many of them the server may have received already.
  package func resumeForwarding(
    to url: String, profile: String
  ) throws(StoreError) -> (count: Int, unanswered: Int) {
    guard try waitingWebhooks(for: url, profile: profile) > 0 else { return (0, 0) }
    return try write { database throws(StoreError) in
      let unanswered = try database.integer(
        "SELECT count(*) FROM webhook WHERE \(Self.waiting) AND forward_problem = ?", .text(profile), .text(url),
        .text(WebhookForwarding.unanswered))
      let count = try database.run(
        "UPDATE webhook SET forward_due = 0 WHERE \(Self.waiting)", .text(profile), .text(url))
      return (count, Int(unanswered ?? 0))
    }
  }

  /// Marks webhooks whose requests are in flight while the run ends. The result of the request replaces the mark.
  package func noteUnanswered(_ numbers: [Int64], to url: String, profile: String) throws(StoreError) {
    guard !numbers.isEmpty else { return }
    try write { database throws(StoreError) in
      let statement = try database.prepare(
        "UPDATE webhook SET forward_problem = ? WHERE \(Self.waiting) AND number = ?")
      for number in numbers {
        try statement.run(
          .text(WebhookForwarding.unanswered), .text(profile), .text(url), .integer(number))
      }
    }
  }

  private static let waiting = "profile = ? AND forward_to = ? AND forward_state = 'waiting'"

  /// Records the results of attempts.
  package func noteForwarding(_ attempts: [WebhookAttempt], to url: String, profile: String) throws(StoreError) {
    guard !attempts.isEmpty else { return }
    try write { database throws(StoreError) in
      let statement = try database.prepare(
        """
        UPDATE webhook SET forward_state = ?, forward_status = ?, forward_problem = ?, forward_due = ?,
        forward_tries = forward_tries + 1 WHERE profile = ? AND number = ? AND forward_to = ?
        """)
      for attempt in attempts {
        try statement.run(
          .text(attempt.state.rawValue), attempt.status.map { .integer(Int64($0)) } ?? .null,
          attempt.problem.map(SQLValue.text) ?? .null, attempt.due.map { .integer($0.milliseconds) } ?? .null,
          .text(profile), .integer(attempt.number), .text(url))
      }
    }
  }
}

// The queue of webhooks for the command of `service listen --exec`. It is stored with the webhooks, so that a run
// continues what an earlier one left.
extension Store {
  /// Returns the numbers of the webhooks that the command is still to run for, oldest first.
  package func webhooksToExecute(_ filter: WebhookFilter, profile: String) throws(StoreError) -> [Int64] {
    guard let database = try openIfExists() else { return [] }
    let (condition, values) = filter.condition(profile)
    let statement = try database.prepare(
      "SELECT number FROM webhook WHERE \(condition) AND exec_state = 'waiting' ORDER BY number")
    try statement.bind(values)
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(0)) }
    return numbers
  }

  /// Records the end of the command for a webhook.
  package func noteExecution(_ execution: WebhookExecution, of number: Int64, profile: String) throws(StoreError) {
    try write { database throws(StoreError) in
      try database.prepare("UPDATE webhook SET exec_state = ?, exec_status = ? WHERE profile = ? AND number = ?").run(
        .text(execution.state.rawValue), execution.status.map { .integer(Int64($0)) } ?? .null, .text(profile),
        .integer(number))
    }
  }
}
