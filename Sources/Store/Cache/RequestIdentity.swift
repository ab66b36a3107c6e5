package import Text

/// The identity a fetch is made with. IFTTT returns a different status to each user, so responses for one identity
/// are not valid for another.
package struct RequestIdentity: Sendable, Equatable {
  /// A stable, nonempty description without secrets.
  let words: String

  /// - Parameter parts: The parts that distinguish identities: the level, the credential and the user.
  package init(_ parts: String...) { words = parts.text(separatedBy: " ") }

  /// Returns a value that distinguishes secrets without revealing them: the first eight bytes of the SHA-256 hash, in
  /// hexadecimal.
  package static func fingerprint(of secret: Secret) -> String {
    hexadecimal(SHA256.hash(Array(secret.revealed.utf8)).prefix(8))
  }
}

extension Store {
  /// Returns whether the cached connections were fetched with this identity.
  package func isSettled(on identity: RequestIdentity, profile: String) throws(StoreError) -> Bool {
    let asked = try mirrored(profile) { cache, mirror throws(StoreError) in try cache.askedAs(ofMirror: mirror.number) }
    return asked == identity.words
  }
}

extension Database {
  func askedAs(ofMirror number: Int64) throws(StoreError) -> String {
    try text("SELECT asked_as FROM mirror WHERE number = ?", .integer(number)) ?? ""
  }

  /// Assigns the mirror to the identity. Data fetched with another identity is deleted, and fetched again when it is
  /// next needed.
  func assign(_ mirror: inout Mirror, on identity: RequestIdentity) throws(StoreError) {
    let number = SQLValue.integer(mirror.number)
    try run("DELETE FROM response WHERE number IN (SELECT response FROM connection WHERE mirror = ?)", number)
    try run(
      """
      UPDATE connection SET name = '', status = 'unknown', fetched_at = 0, document = NULL, response = NULL
      WHERE mirror = ? AND fetched_at <> 0
      """, number)
    try run("UPDATE mirror SET asked_as = ? WHERE number = ?", .text(identity.words), number)
    try setRefresh(0, of: &mirror)
  }
}
