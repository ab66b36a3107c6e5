import World

// The queue of webhooks for the command of `service listen --exec`. It is stored with the webhooks, so that a run
// continues what an earlier one left.
extension Store {
  /// Returns the numbers of the webhooks that the command is still to run for, oldest first.
  package func webhooksToExecute(_ filter: WebhookFilter, profile: String) throws(StoreError) -> [Int64] {
    guard let database = try existing() else { return [] }
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
