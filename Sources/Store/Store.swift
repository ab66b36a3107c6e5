package import Secrets
package import World

/// The two databases of one data folder: `ifttt.db`, which may lose nothing, and `cache.db`, which heals itself.
///
/// Each file is opened when first needed. Every write is one immediate transaction.
package final class Store {
  package let places: Places

  /// Opens nothing yet.
  package init(places: Places, world: World) { self.places = places }
}

/// A named set of credentials, base URLs and cached data.
package struct Profile: Sendable, Equatable {
  package var name: String
  package var settings: [Setting: String]
  package init(name: String, settings: [Setting: String] = [:]) { (self.name, self.settings) = (name, settings) }

  package enum Setting: String, Sendable, CaseIterable {
    case userID = "user_id"
    case service
    case inviteCode = "invite_code"
    case connectURL = "connect_url"
    case locationURL = "location_url"
    case apiURL = "api_url"
    case webURL = "web_url"
    case realtimeURL = "realtime_url"
    case webhooksURL = "webhooks_url"
  }
}

/// What a sealed credential is.
package enum CredentialKind: String, Sendable, CaseIterable {
  case serviceKey = "service_key"
  case userToken = "user_token"
  case webhooksKey = "webhooks_key"
}

/// A sealed credential without its secret, as `token list` shows it.
package struct CredentialRecord: Sendable, Equatable {
  package var kind: CredentialKind
  /// The user on the developer's service; empty where there is none or it is not known.
  package var userID: String
  package var savedAt: Timestamp
  package init(kind: CredentialKind, userID: String, savedAt: Timestamp) {
    (self.kind, self.userID, self.savedAt) = (kind, userID, savedAt)
  }
}

// Profiles.
extension Store {
  /// By name. The built-in `sandbox` is not among them unless something was kept for it.
  package func profiles() throws(StoreError) -> [Profile] { [] }
  package func profile(_ name: String) throws(StoreError) -> Profile? { nil }
  /// Makes the profile or merges the settings into the one there is; an empty value removes a setting.
  package func save(_ profile: Profile) throws(StoreError) {}
  /// With its credentials, tracked connections and cache. False if there was none.
  package func removeProfile(_ name: String) throws(StoreError) -> Bool { false }
  /// The profile that `profile use` chose; nil before that.
  package func currentProfile() throws(StoreError) -> String? { nil }
  package func useProfile(_ name: String) throws(StoreError) {}
}

// Credentials.
extension Store {
  package func credential(_ kind: CredentialKind, userID: String, profile: String) throws(StoreError) -> Secret? { nil }
  package func credentials(profile: String) throws(StoreError) -> [CredentialRecord] { [] }
  package func save(_ secret: Secret, as kind: CredentialKind, userID: String, profile: String) throws(StoreError) {}
  package func removeCredential(_ kind: CredentialKind, userID: String, profile: String) throws(StoreError) -> Bool { false }

  /// Proves that a credential can be written, then runs `obtain`, which spends something that works only once, and
  /// saves what it returns. Where the save fails after all, the secret goes to a recovery file with mode 0600 and
  /// ``StoreError`` names it.
  package func saving(
    _ kind: CredentialKind, userID: String, profile: String, obtain: () throws -> Secret
  ) throws -> Secret { try obtain() }
}

/// One connection as last seen.
package struct CachedConnection: Sendable, Equatable {
  package var id: String
  package var name: String
  /// `enabled`, `disabled`, `never_enabled` or `unknown`.
  package var status: String
  /// Our JSON object, compact, up to and including `cover_images` and without the closing brace.
  package var document: [UInt8]
  /// IFTTT's own answer, byte for byte.
  package var raw: [UInt8]
  package var fetchedAt: Timestamp
  package init(
    id: String, name: String, status: String, document: [UInt8], raw: [UInt8], fetchedAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.document = document
    self.raw = raw
    self.fetchedAt = fetchedAt
  }
}

// Tracked connections and the cache of them.
extension Store {
  package func trackedCount(profile: String) throws(StoreError) -> Int { 0 }
  package func isTracked(_ id: String, profile: String) throws(StoreError) -> Bool { false }
  /// Starts tracking; returns the ids that were not tracked before.
  package func track(_ ids: [String], profile: String) throws(StoreError) -> [String] { [] }
  /// Stops tracking and forgets what was cached; returns the ids that were tracked.
  package func untrack(_ ids: [String], profile: String) throws(StoreError) -> [String] { [] }
  /// Every tracked id, by name and then id; those never seen first.
  package func trackedIDs(profile: String) throws(StoreError) -> [String] { [] }

  /// Of the tracked connections, those last fetched before `moment` or never. O(log n) when there is none.
  package func tracked(fetchedBefore moment: Timestamp, profile: String) throws(StoreError) -> [String] { [] }
  /// Writes all in one transaction. Those not tracked are left out.
  package func cache(_ connections: [CachedConnection], profile: String) throws(StoreError) {}
  package func cached(_ id: String, profile: String) throws(StoreError) -> CachedConnection? { nil }

  /// One cached row as it streams by: the bytes live only during the call.
  package struct CachedRow {
    package let id: String
    package let status: String
    package let document: UnsafeRawBufferPointer
    package let raw: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp
  }
  /// The tracked connections that have been seen, by name and then id, in bounded memory.
  package func forEachCached(profile: String, _ body: (CachedRow) throws -> Void) throws {}
}

/// What `store info` says.
package struct StoreFacts: Sendable, Equatable {
  package var path: String
  package var cachePath: String
  package var exists: Bool
  package var schemaVersion: Int
  package var sqliteVersion: String
  package var journalMode: String
  package var sizeInBytes: Int
  package var cacheSizeInBytes: Int
  /// `key file`, `key command`, `keychain`, `secret service`, `passphrase`, and where.
  package var keySource: String
  package var profiles: Int
  package var credentials: Int
  package var tracked: Int
  package var cached: Int
}

/// One finding of `store check`.
package struct StoreFinding: Sendable, Equatable {
  package var check: String
  package var passed: Bool
  package var detail: String
}

extension Store {
  package func facts() throws(StoreError) -> StoreFacts { fatalError() }
  /// Integrity of both files, permissions, and whether every sealed row opens.
  package func check() throws(StoreError) -> [StoreFinding] { [] }
}

/// Why the store cannot be used. `code` is stable and begins with `store_`.
package struct StoreError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    case locked = "store_locked"
    case damaged = "store_damaged"
    case foreign = "store_foreign"
    case newer = "store_newer"
    case unreadable = "store_unreadable"
    case unsafePermissions = "store_permissions"
    case full = "store_full"
    case readOnly = "store_read_only"
    case wrongKey = "store_wrong_key"
    case keyMissing = "store_key_missing"
    case failed = "store_failed"
  }
  package var code: Code
  /// What happened, with the path.
  package var message: String
  /// What to do.
  package var hint: String
  package init(code: Code, message: String, hint: String) { (self.code, self.message, self.hint) = (code, message, hint) }
}
