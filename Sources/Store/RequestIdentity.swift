import Encoding
package import Secrets

/// As whom connections were asked for. IFTTT tells each user another status, so what one was told is not what the next
/// would be.
package struct RequestIdentity: Sendable, Equatable {
  /// Stable words that hold no secret, never empty.
  let words: String

  /// - Parameter parts: what tells askers apart: the level, the credential, the user.
  package init(_ parts: String...) { words = parts.joined(separator: " ") }

  /// Tells one secret from another without giving it away: the first eight bytes of its SHA-256.
  package static func fingerprint(of secret: Secret) -> String {
    hexadecimal(SHA256.hash(Array(secret.revealed.utf8)).prefix(8))
  }
}

extension Store {
  /// Whether the cached connections are those that `asker` was shown.
  package func isSettled(on asker: RequestIdentity, profile: String) throws(StoreError) -> Bool {
    let asked = try mirrored(profile) { cache, mirror throws(StoreError) in try cache.askedAs(ofMirror: mirror) }
    return asked == asker.words
  }
}

extension Database {
  func askedAs(ofMirror number: Int64) throws(StoreError) -> String {
    try text("SELECT asked_as FROM mirror WHERE number = ?", .integer(number)) ?? ""
  }

  /// Makes the mirror that asker's. What another was shown is forgotten, and fetched again when it is wanted next.
  func settle(_ mirror: Int64, on asker: RequestIdentity) throws(StoreError) {
    try run("DELETE FROM answer WHERE mirror = ?", .integer(mirror))
    try run(
      """
      UPDATE connection SET name = '', status = 'unknown', fetched_at = 0, document = NULL
      WHERE mirror = ? AND fetched_at <> 0
      """, .integer(mirror))
    try run("UPDATE mirror SET asked_as = ? WHERE number = ?", .text(asker.words), .integer(mirror))
  }
}
