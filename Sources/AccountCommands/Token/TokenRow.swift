import CommandContext
import Display
import Hints
import JSON
import Secrets
import Store
import Time
import World

extension OutputSchema {
  static var tokens: OutputSchema {
    OutputSchema(
      name: "tokens",
      record: RecordSchema(["user_id": .optionalString, "token": .string, "saved_at": .string, "profile": .string]),
      columns: [
        Column("USER", "user_id", overflow: .keep), Column("TOKEN", "token", overflow: .keep),
        Column("SAVED AT", "saved_at"),
      ])
  }
}

/// A stored token as printed: masked unless `reveals` is true.
func tokenRow(_ record: CredentialRecord, _ secret: Secret, profile: String, reveals: Bool) -> [UInt8] {
  let row: JSONValue = [
    "user_id": JSONValue(record.userID.isEmpty ? nil : record.userID),
    "token": JSONValue(reveals ? secret.revealed : secret.masked), "saved_at": JSONValue(record.savedAt.rfc3339),
    "profile": JSONValue(profile),
  ]
  return row.bytes
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
      return Problem(
        .notFound, "several user tokens are stored, and no user was specified",
        hint: "Specify one of these users: \(records.map(\.userID).joined(separator: ", ")).")
    }
    let whose = user.map { " for user '\($0)'" } ?? ""
    return Problem(
      .notFound, "no user token is stored\(whose)",
      hint: "Get one with \(ifttt: "token exchange"), or store one with \(ifttt: "token set").")
  }
}
