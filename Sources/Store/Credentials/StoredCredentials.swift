package import Text
package import World

/// The kinds of stored credentials.
package enum CredentialKind: String, Sendable, CaseIterable {
  case serviceKey = "service_key"
  case userToken = "user_token"
  case webhooksKey = "webhooks_key"
  /// A user token received from the browser whose user is not yet known.
  case returnedToken = "returned_token"

  /// The name of the option and variable that pass a credential of this kind.
  package var name: CredentialName {
    switch self {
    case .serviceKey: .serviceKey
    case .userToken, .returnedToken: .userToken
    case .webhooksKey: .webhooksKey
    }
  }
}

/// A stored credential without its secret, as shown by `token list`.
package struct CredentialRecord: Sendable, Equatable {
  package var kind: CredentialKind
  /// The user ID on the developer's service; empty if there is none or it is unknown.
  package var userID: String
  package var savedAt: Timestamp
  package init(kind: CredentialKind, userID: String, savedAt: Timestamp) {
    (self.kind, self.userID, self.savedAt) = (kind, userID, savedAt)
  }
}

extension Store {
  /// Returns a stored credential; nil if absent.
  /// - Throws: ``StoreError`` with `store_wrong_key` if it cannot be decrypted. It stays stored in that case.
  package func credential(
    _ kind: CredentialKind, userID: String, profile: String
  ) throws(StoreError) -> Secret? {
    try credential(ofKind: kind.rawValue, userID: userID, profile: profile)
  }

  func credential(ofKind kind: String, userID: String, profile: String) throws(StoreError) -> Secret? {
    try retryingAfterRekey { database throws(StoreError) in
      try decrypted(kind, userID: userID, profile: profile, in: database)
    } ?? nil
  }

  /// Returns the decrypted credential; nil if absent.
  func decrypted(
    _ kind: String, userID: String, profile: String, in database: Database
  ) throws(StoreError) -> Secret? {
    try database.first(
      """
      SELECT number, key_id, sealed FROM credential
      WHERE profile = :profile AND kind = :kind AND user_id = :user_id
      """, [":profile": profile, ":kind": kind, ":user_id": userID]
    ) { row throws(StoreError) in
      let context = SealingContext(row: row["number"], profile: profile, kind: kind, userID: userID)
      return try open(row["sealed"], sealedWith: row["key_id"], context: context, in: database)
    }
  }

  /// Returns the credentials sorted by kind and then user, without their secrets. This requires no key.
  package func credentials(profile: String) throws(StoreError) -> [CredentialRecord] {
    let records = try openIfExists()?.rows(
      "SELECT kind, user_id, saved_at FROM credential WHERE profile = :profile ORDER BY kind, user_id",
      [":profile": profile]
    ) { row in
      CredentialKind(rawValue: row["kind"]).map {
        CredentialRecord(kind: $0, userID: row["user_id"], savedAt: row["saved_at"])
      }
    }
    return (records ?? []).compactMap(\.self)
  }

  /// Saves a credential, replacing any for the same user.
  /// - Returns: The stored record, without the secret.
  @discardableResult
  package func save(
    _ secret: Secret, as kind: CredentialKind, userID: String, profile: String
  ) throws(StoreError) -> CredentialRecord {
    try write { database throws(StoreError) in
      let savedAt = try seal(secret, asKind: kind.rawValue, userID: userID, profile: profile, in: database)
      return CredentialRecord(kind: kind, userID: userID, savedAt: savedAt)
    }
  }

  /// Removes a credential.
  /// - Returns: false if there was none.
  package func removeCredential(
    _ kind: CredentialKind, userID: String, profile: String
  ) throws(StoreError) -> Bool {
    let removed = try writeExisting { database throws(StoreError) in
      try database.removeCredential(ofKind: kind.rawValue, userID: userID, profile: profile)
    }
    return removed ?? 0 > 0
  }

  /// Encrypts a credential and writes it to its row. Runs within a write.
  func seal(
    _ secret: Secret, as kind: CredentialKind, userID: String, profile: String, in database: Database
  ) throws(StoreError) {
    try seal(secret, asKind: kind.rawValue, userID: userID, profile: profile, in: database)
  }

  /// - Returns: The time that is stored with the credential.
  @discardableResult
  func seal(
    _ secret: Secret, asKind kind: String, userID: String, profile: String, in database: Database
  ) throws(StoreError) -> Timestamp {
    let now = world.clock.now()
    let key = try keyForSealing(in: database)
    try database.makeProfile(profile)
    // The row number is part of the authenticated data, so insert the row first.
    let row = try database.integer(
      """
      INSERT INTO credential (profile, kind, user_id, key_id, sealed, saved_at)
      VALUES (:profile, :kind, :user_id, :key_id, x'', :saved_at)
      ON CONFLICT (profile, kind, user_id) DO UPDATE SET key_id = excluded.key_id, saved_at = excluded.saved_at
      RETURNING number
      """, [":profile": profile, ":kind": kind, ":user_id": userID, ":key_id": key.id, ":saved_at": now])
    let context = SealingContext(row: row ?? 0, profile: profile, kind: kind, userID: userID)
    let sealed = try key.seal(secret, context: context, nonce: world.random.bytes(12))
    try database.run(
      "UPDATE credential SET sealed = :sealed WHERE number = :number", [":sealed": sealed, ":number": context.row])
    return now
  }

  /// Returns every credential in row order, decrypted or with the reason it cannot be decrypted. The key is loaded
  /// once.
  func decryptedRows(in database: Database) throws(StoreError) -> [Result<(SealingContext, Secret), StoreError>] {
    let statement = try database.prepare(
      "SELECT number, profile, kind, user_id, key_id, sealed FROM credential ORDER BY number")
    var rows: [Result<(SealingContext, Secret), StoreError>] = []
    var keyFailure: StoreError?
    while try statement.step() {
      let context = SealingContext(
        row: statement["number"], profile: statement["profile"], kind: statement["kind"],
        userID: statement["user_id"])
      let keyID: String = statement["key_id"]
      do throws(StoreError) {
        if let keyFailure, try keyRecord(in: database)?.id == keyID { throw keyFailure }
        rows.append(
          .success((context, try open(statement["sealed"], sealedWith: keyID, context: context, in: database))))
      } catch {
        // Remember the failure, so that a passphrase is prompted for only once and a command that hangs is not run
        // for every row.
        if dataKey?.id != keyID, try keyRecord(in: database)?.id == keyID { keyFailure = error }
        rows.append(.failure(error.naming(context, keyID)))
      }
    }
    return rows
  }

  func open(
    _ sealed: [UInt8], sealedWith keyID: String, context: SealingContext, in database: Database
  ) throws(StoreError) -> Secret {
    guard let record = try keyRecord(in: database), record.id == keyID else {
      throw StoreError(
        code: .wrongKey, message: "the \(context.kind) of profile \(context.profile) is encrypted with key \(keyID)",
        hint: "The store has no record of that key. Save the credential again.")
    }
    guard let secret = try loadKey(record).open(sealed, context: context) else {
      throw StoreError(
        code: .wrongKey,
        message: """
          the \(context.kind) of profile \(context.profile) cannot be decrypted with key \(keyID): its row was \
          changed
          """,
        hint: "Save the credential again, or restore the store from a backup. Nothing was changed.")
    }
    return secret
  }
}

extension Database {
  /// - Returns: The number of credentials removed, 0 or 1.
  func removeCredential(ofKind kind: String, userID: String, profile: String) throws(StoreError) -> Int {
    try run(
      "DELETE FROM credential WHERE profile = :profile AND kind = :kind AND user_id = :user_id",
      [":profile": profile, ":kind": kind, ":user_id": userID])
  }
}

extension StoreError {
  /// Returns the error for one row, with the key that it needs.
  fileprivate func naming(_ context: SealingContext, _ keyID: String) -> StoreError {
    guard code != .wrongKey, code != .interrupted else { return self }
    var named = self
    named.message = "the \(context.kind) of profile \(context.profile) is encrypted with key \(keyID); \(message)"
    return named
  }
}

extension Store {
  /// Returns the secrets of a profile that can be decrypted with a key that is loaded or in a file. They are used for
  /// masking, which must never prompt, start a program or fail.
  package func availableCredentials(profile: String) -> [Secret] {
    guard let database, let record = (try? keyRecord(in: database)) ?? nil,
      dataKey?.id == record.id || record.source == .file || record.source == .namedFile
    else { return [] }
    let records = (try? credentials(profile: profile)) ?? []
    return records.compactMap { (try? credential($0.kind, userID: $0.userID, profile: profile)) ?? nil }
  }
}
