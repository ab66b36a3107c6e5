import Text
import World

/// The source of a store's data key. The store records it with the first credential and does not change it on its
/// own.
enum KeySource: String, CaseIterable {
  case namedFile = "named_file"
  case command
  case passphrase
  case keychain
  case secretService = "secret_service"
  case file

  /// The environment variable with the location of the key.
  var variable: EnvironmentVariable? {
    switch self {
    case .namedFile: .storeKeyFile
    case .command: .storeKeyCommand
    case .passphrase: .storePassphraseFile
    case .keychain, .secretService, .file: nil
    }
  }

  var words: String {
    switch self {
    case .namedFile, .file: "key file"
    case .command: "key command"
    case .passphrase: "passphrase"
    case .keychain: "keychain"
    case .secretService: "secret service"
    }
  }
}

/// The store's record of its data key.
struct KeyRecord {
  let id: String
  let source: KeySource
  /// The salt of a passphrase; empty for other sources.
  let salt: [UInt8]
}

extension StoreError {
  static func keyMissing(_ message: String, _ hint: Hint) -> StoreError {
    StoreError(code: .keyMissing, message: message, hint: hint)
  }

  static func wrongKey(needed: String, found: String, in place: String) -> StoreError {
    StoreError(
      code: .wrongKey,
      message: "the credentials are encrypted with key \(needed), but the \(place) provides key \(found)",
      hint: "Provide key \(needed), or remove the credentials and save them again. Nothing was changed.")
  }
}
