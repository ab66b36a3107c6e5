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
  package func usageChoice() throws(StoreError) -> UsageChoice? { try existing()?.usageChoice() }

  /// Enables usage events. Has no effect if they are already enabled.
  package func switchUsageOn() throws(StoreError) -> UsageChoice {
    try checkCache()
    return try write { database throws(StoreError) in
      if let choice = try database.usageChoice() { return choice }
      return try keep(anonymousID(), since: world.clock.now(), in: database)
    }
  }

  /// Creates another anonymous id; returns nil if usage events are disabled. Events queued under the old id are
  /// deleted.
  package func renewAnonymousID() throws(StoreError) -> UsageChoice? {
    guard try usageChoice() != nil else { return nil }
    try checkCache()
    let choice = try write { database throws(StoreError) -> UsageChoice? in
      guard let old = try database.usageChoice() else { return nil }
      return try keep(anonymousID(), since: old.since, in: database)
    }
    try forgetUsageEvents()
    return choice
  }

  /// Disables usage events: deletes the anonymous id and then all queued events. Without the id, nothing is sent.
  /// - Returns: Whether usage events were enabled.
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
