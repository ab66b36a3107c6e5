import Display
import JSON
import Secrets
import Store
import World

extension Shape {
  static var tokens: Shape {
    Shape(
      name: "tokens",
      record: RecordSchema(["user_id": .optionalString, "token": .string, "saved_at": .string, "profile": .string]),
      columns: [
        Column("USER", "user_id", overflow: .keep), Column("TOKEN", "token", overflow: .keep),
        Column("SAVED AT", "saved_at"),
      ])
  }
}

/// How a kept token is shown: masked, unless its owner asked for it.
func tokenRow(_ record: CredentialRecord, _ secret: Secret, profile: String, reveals: Bool) -> [UInt8] {
  var writer = JSONWriter()
  writer.beginObject()
  writer.key("user_id")
  writer.string(record.userID.isEmpty ? nil : record.userID)
  writer.key("token")
  writer.string(reveals ? secret.revealed : secret.masked)
  writer.key("saved_at")
  writer.string(record.savedAt.rfc3339)
  writer.key("profile")
  writer.string(profile)
  writer.endObject()
  return writer.bytes
}

extension Session {
  /// Makes GitHub Actions mask a secret in its log before the secret is printed.
  func announce(_ secret: Secret) {
    guard world.environment["GITHUB_ACTIONS"] == "true" else { return }
    world.writeError("::add-mask::\(secret.revealed)\n")
  }

  /// The kept token of one user; without a user the profile's user's, or the only one.
  func keptToken(of user: String?) throws -> (CredentialRecord, Secret) {
    let name = try profile.name
    let records = try store.credentials(profile: name).filter { $0.kind == .userToken }
    let wanted = try user ?? userID(nil)
    let record = records.first { $0.userID == wanted } ?? (user == nil && records.count == 1 ? records[0] : nil)
    guard let record, let secret = try store.credential(.userToken, userID: record.userID, profile: name) else {
      throw noToken(of: user, among: records)
    }
    return (record, secret)
  }

  private func noToken(of user: String?, among records: [CredentialRecord]) -> Problem {
    if user == nil, records.count > 1 {
      return Problem(
        .notFound, "several user tokens are kept, and no user was named",
        hint: "Name one of: \(records.map(\.userID).joined(separator: ", ")).")
    }
    let whose = user.map { " for user '\($0)'" } ?? ""
    return Problem(
      .notFound, "no user token is kept\(whose)",
      hint: "Get one with 'ifttt token exchange', or keep one with 'ifttt token set'.")
  }
}
