import Plugins
import Session
import Store
import Text
import World

/// Who signed an archive. A signature that does not match its archive is an error, not one of these.
enum PluginSignature: Equatable {
  case absent
  /// Signed with a trusted key.
  case trusted(label: String, key: String)
  /// Signed with a key that is not trusted. Its fingerprint is all that is known of the signer.
  case unknown(key: String)
  /// Signed with a trusted key that has expired.
  case expired(label: String, key: String)

  /// The fingerprint of the key.
  var key: String? {
    switch self {
    case .absent: nil
    case .trusted(_, let key), .unknown(let key), .expired(_, let key): key
    }
  }

  var label: String? {
    switch self {
    case .absent, .unknown: nil
    case .trusted(let label, _), .expired(let label, _): label
    }
  }

  /// The signer for a person.
  var text: String {
    switch self {
    case .absent: "no key"
    case .trusted(let label, let key): "\(label) (\(key))"
    case .unknown(let key): "an unknown key (\(key))"
    case .expired(let label, let key): "\(label) (\(key)), whose key has expired"
    }
  }

  /// Why a plugin with this signature must not be installed; nil if it may be.
  /// - Parameters:
  ///   - old: where the installed plugin of the same name comes from; nil if there is none.
  ///   - isDemanded: whether the index demands signatures.
  ///   - isAttended: whether a person confirms the installation.
  func rejection(
    replacing old: PluginProvenance?, isDemanded: Bool, isAttended: Bool
  ) -> (reason: String, hint: Hint)? {
    if case .expired(let label, _) = self {
      return (
        "the key of '\(label)' has expired",
        "If it is still valid, remove it, then run: \(ifttt: "plugin trust add LABEL PUBLIC-KEY-FILE")"
      )
    }
    if let oldKey = old?.signerKey, key != oldKey, label == nil || label != old?.signer {
      return (
        "the installed version is signed by \(old?.signer ?? "an unknown key") (\(oldKey)), this one by \(text)",
        "If the change is intended, remove the installed plugin first."
      )
    }
    if isDemanded, self == .absent {
      return ("its index demands signatures, and it is not signed", "Ask the publisher of the index.")
    }
    if case .unknown(let key) = self, !isAttended {
      return (
        "it is signed with a key that is not trusted, \(key)",
        "Trust the key, or confirm on a terminal: \(ifttt: "plugin trust add LABEL PUBLIC-KEY-FILE")"
      )
    }
    return nil
  }
}
