import Output
import Session
import Store
import Text
import World

/// A stored user token as printed.
struct TokenRow: OutputRecord {
  let record: CredentialRecord
  let secret: Secret
  let profile: String
  /// Whether the token is printed unmasked.
  var isRevealed = false

  static let fields: Fields = [
    Field("user_id", "The user's id on your service; null if it is unknown", column: "USER", overflow: .keep) {
      $0.record.userID.isEmpty ? nil : $0.record.userID
    },
    Field("token", "The user token, masked unless --reveal is passed", column: "TOKEN", overflow: .keep) {
      $0.isRevealed ? $0.secret.revealed : $0.secret.masked
    },
    Field("saved_at", "The time at which it was stored", column: "SAVED AT") { $0.record.savedAt },
    Field("profile", "The profile") { $0.profile },
  ]
}

extension Session {
  /// The stored token of one user. Without a user: the token of the profile's user, or the only token.
  func storedToken(of user: String?) throws -> (CredentialRecord, Secret) {
    let (record, all) = try credentials.storedRecord(of: user)
    guard let record, let secret = try store.credential(.userToken, userID: record.userID, profile: profile.name) else {
      throw try noToken(of: user, among: all)
    }
    return (record, secret)
  }

  private func noToken(of user: String?, among records: [CredentialRecord]) throws -> Problem {
    if user == nil, records.count > 1, try credentials.userID(nil) == nil {
      return Problem(severalTokens: records, .notFound, option: nil)
    }
    let whose = user.map { " for user '\($0)'" } ?? ""
    return Problem(
      .notFound, "no user token is stored\(whose)",
      hint: "Get one with \(ifttt: "token exchange"), or store one with \(ifttt: "token set").")
  }
}
