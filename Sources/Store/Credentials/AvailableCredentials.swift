package import Secrets

extension Store {
  /// Returns the secrets of a profile that can be decrypted with an available key. They are used for masking, which
  /// must never prompt, start a program or fail.
  package func credentialsAtHand(profile: String) -> [Secret] {
    guard let database, let record = (try? keyRecord(in: database)) ?? nil,
      dataKey?.id == record.id || record.source == .file || record.source == .namedFile
    else { return [] }
    let records = (try? credentials(profile: profile)) ?? []
    return records.compactMap { (try? credential($0.kind, userID: $0.userID, profile: profile)) ?? nil }
  }
}
