import Batch
import CommandContext
import Display
import Hints
import JSON
import PluginHost
import Secrets
import Store
import World
import Time

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

/// How a kept token is shown: masked, unless its owner asked for it.
func tokenRow(_ record: CredentialRecord, _ secret: Secret, profile: String, reveals: Bool) -> [UInt8] {
  let row: JSONValue = [
    "user_id": JSONValue(record.userID.isEmpty ? nil : record.userID),
    "token": JSONValue(reveals ? secret.revealed : secret.masked), "saved_at": JSONValue(record.savedAt.rfc3339),
    "profile": JSONValue(profile),
  ]
  return row.bytes
}

extension Session {
  /// Makes GitHub Actions mask a secret in its log before the secret is printed.
  func announce(_ secret: Secret) {
    if WorkflowCommands.areRead(in: world) { world.writeError(WorkflowCommands.mask(secret)) }
  }

  /// The same for an answer that is printed as it came, and may hold the token that an exchange gave.
  func announceTokens(in body: [UInt8]) {
    guard WorkflowCommands.areRead(in: world) else { return }
    for name in ["user_token", "access_token", "token"] {
      let value = body.withUnsafeBytes { bytes -> [UInt8]? in
        var scanner = JSONScanner(bytes)
        guard scanner.next == UInt8(ascii: "{"), let range = try? scanner.value(of: Array(name.utf8)) else {
          return nil
        }
        return Array(scanner.slice(range))
      }
      let text = value.flatMap { try? JSONValue(parsing: $0) }?.string
      if let secret = text.flatMap(Secret.init(parsing:)) { announce(secret) }
    }
  }

  /// The kept token of one user; without a user the profile's user's, or the only one.
  func keptToken(of user: String?) throws -> (CredentialRecord, Secret) {
    let (record, all) = try keptRecord(of: user)
    guard let record, let secret = try store.credential(.userToken, userID: record.userID, profile: profile.name) else {
      throw try noToken(of: user, among: all)
    }
    return (record, secret)
  }

  private func noToken(of user: String?, among records: [CredentialRecord]) throws -> Problem {
    if user == nil, records.count > 1, try userID(nil) == nil {
      return Problem(
        .notFound, "several user tokens are kept, and no user was named",
        hint: "Name one of: \(records.map(\.userID).joined(separator: ", ")).")
    }
    let whose = user.map { " for user '\($0)'" } ?? ""
    return Problem(
      .notFound, "no user token is kept\(whose)",
      hint: "Get one with \(ifttt: "token exchange"), or keep one with \(ifttt: "token set").")
  }
}
