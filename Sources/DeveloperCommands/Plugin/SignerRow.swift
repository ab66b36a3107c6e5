import Output
import Session
import Store
import World

/// A trusted key.
struct SignerRow: OutputRecord {
  let signer: TrustedSigner

  static let fields: Fields = [
    Field("label", "The name that you gave the key", column: "LABEL", overflow: .keep) { $0.signer.label },
    Field("fingerprint", "The key's fingerprint", column: "FINGERPRINT", overflow: .keep) { $0.signer.fingerprint },
    Field("key", "The public key") { $0.signer.key },
    Field("valid_before", "The time from which it is not accepted", column: "VALID BEFORE") { $0.signer.validBefore },
    Field("added_at", "The time at which it was added", column: "ADDED") { $0.signer.addedAt },
  ]
}
