import Hints
package import Secrets
package import Time
import World

/// That the user switched usage events on, and what follows from it. It stands in `ifttt.db`: a choice may not be lost.
package struct UsageChoice: Sendable, Equatable {
  /// Random, made when they were switched on, and gone when they are switched off.
  package var anonymousID: Secret
  package var since: Timestamp

  /// What events wait under: tells one id from another and does not give it away.
  var sender: String { RequestIdentity.fingerprint(of: anonymousID) }
}

extension Store {
  /// Nil where usage events are off, as they are until somebody switches them on.
  package func usageChoice() throws(StoreError) -> UsageChoice? { try existing()?.usageChoice() }

  /// Where they are on already nothing changes.
  package func switchUsageOn() throws(StoreError) -> UsageChoice {
    try write { database throws(StoreError) in
      if let choice = try database.usageChoice() { return choice }
      return try keep(anonymousID(), since: world.clock.now(), in: database)
    }
  }

  /// Makes another anonymous id; nil where usage events are off. What waited under the old one is forgotten.
  package func renewAnonymousID() throws(StoreError) -> UsageChoice? {
    guard try usageChoice() != nil else { return nil }
    let choice = try write { database throws(StoreError) -> UsageChoice? in
      guard let old = try database.usageChoice() else { return nil }
      return try keep(anonymousID(), since: old.since, in: database)
    }
    try forgetUsageEvents()
    return choice
  }

  /// Forgets the anonymous id and all events that wait, the id first: without it nothing is sent.
  /// - Returns: whether they were on.
  package func switchUsageOff() throws(StoreError) -> Bool {
    var wereOn = false
    if try existing() != nil {
      wereOn = try write { database throws(StoreError) in try database.forgetUsageChoice() }
    }
    try forgetUsageEvents()
    return wereOn
  }

  private func keep(_ id: Secret, since: Timestamp, in database: Database) throws(StoreError) -> UsageChoice {
    let sql = "INSERT OR REPLACE INTO choice (name, value) VALUES (?, ?)"
    try database.run(sql, .text(UsageKey.id.rawValue), .text(id.revealed))
    try database.run(sql, .text(UsageKey.since.rawValue), .text(String(since.milliseconds)))
    return UsageChoice(anonymousID: id, since: since)
  }

  private func anonymousID() throws(StoreError) -> Secret {
    guard let id = Secret(parsing: world.random.uuid()) else {
      throw StoreError(code: .failed, message: "no anonymous id could be made", hint: "")
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

  /// - Returns: whether there was one.
  @discardableResult
  func forgetUsageChoice() throws(StoreError) -> Bool {
    try run(
      "DELETE FROM choice WHERE name IN (?, ?)", .text(UsageKey.id.rawValue), .text(UsageKey.since.rawValue)) > 0
  }
}
