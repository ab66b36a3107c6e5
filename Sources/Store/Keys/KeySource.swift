import JSON
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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

  var label: String {
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

  static func wrongKey(needed: String, found: String, in source: String) -> StoreError {
    StoreError(
      code: .wrongKey,
      message: "the credentials are encrypted with key \(needed), but the \(source) provides key \(found)",
      hint: "Provide key \(needed), or remove the credentials and save them again. Nothing was changed.")
  }
}

/// The locations of keys on this machine, as passed to `store rekey`, by key id.
///
/// They are stored in the state folder, not in the database. A database from another source, such as a backup,
/// therefore never determines which file is read or which program is run here.
struct KeyLocations {
  let record: StateRecord

  init(folder: String) {
    record = StateRecord(folder: folder, name: "store-keys.json", contents: "the list of key locations")
  }

  func location(of id: String) throws(StoreError) -> SecretSource? { SecretSource(try record.read()[id]) }

  /// The recorded key files; empty if the record cannot be read.
  var files: [String] { ((try? record.read())?.members ?? []).compactMap { $0.value["file"]?.string } }

  /// Records a key's location and syncs it to disk.
  /// - Parameter location: The location; nil to remove it.
  func remember(_ location: SecretSource?, of id: String, _ world: World) throws(StoreError) {
    if location == nil { guard try self.location(of: id) != nil else { return } }
    try record.update(world) { members in
      members.removeAll { $0.key == id }
      if let location { members.append((id, location.json)) }
    }
  }
}

/// The user's system keyring. It is accessed through the system's own program, and no key is ever passed as an
/// argument.
struct SystemKeyring {
  let source: KeySource
  let world: World
  /// The timeout, because a locked keyring may wait for a user who is not present.
  private let limit = Duration.seconds(3)

  /// Returns the system's keyring; nil if none is available.
  static func available(_ world: World) -> SystemKeyring? {
    #if canImport(Security)
      return SystemKeyring(source: .keychain, world: world)
    #else
      // Without a session bus, secret-tool would wait forever.
      guard world.environment[.sessionBus]?.isEmpty == false else { return nil }
      return SystemKeyring(source: .secretService, world: world)
    #endif
  }

  /// Loads a key.
  /// - Throws: ``StoreError`` if the keyring does not have the key or does not respond, or if its program is not
  ///   installed.
  func key(id: String) throws(StoreError) -> DataKey {
    let result = try run(
      source == .keychain
        ? ["security", "find-generic-password", "-s", "ifttt", "-a", id, "-w"]
        : ["secret-tool", "lookup", "application", "ifttt", "key", id])
    guard result.status == 0, let key = DataKey(parsing: result.output), key.id == id else {
      throw .keyMissing("the \(source.label) does not provide key \(id)", "Unlock it and run the command again.")
    }
    return key
  }

  private func run(_ arguments: [String], input: [UInt8] = []) throws(StoreError) -> ProcessResult {
    do throws(SystemError) {
      return try world.processes.run(arguments, input: input, limit: limit, seeing: .desktop)
    } catch {
      let program = arguments[0]
      switch error.number {
      case EINTR: throw .interrupted
      case ETIMEDOUT:
        throw .keyMissing(
          "the \(source.label) did not respond within 3 s", "Unlock it and run the command again.")
      case ENOENT:
        throw .keyMissing(
          "\(program), which accesses the \(source.label), is not installed",
          source == .keychain ? "It is part of macOS." : "Install it (Debian, Ubuntu: apt install libsecret-tools).")
      default: throw .keyMissing("cannot run \(program): \(error)", "Run it manually to see why.")
      }
    }
  }

  /// Stores a key and reads it back.
  /// - Throws: ``StoreError`` unless the key was stored.
  func store(_ key: DataKey) throws(StoreError) {
    let text = String(decoding: key.text.dropLast(), as: UTF8.self)
    let (arguments, input) =
      source == .keychain
      ? (["security", "-i"], "add-generic-password -s ifttt -a \(key.id) -w \(text)\n")
      : (["secret-tool", "store", "--label=ifttt store key", "application", "ifttt", "key", key.id], text)
    guard try run(arguments, input: Array(input.utf8)).status == 0 else {
      throw .keyMissing("the \(source.label) did not store the key", "Unlock it and run the command again.")
    }
    _ = try self.key(id: key.id)
  }

  /// Deletes a key.
  /// - Returns: Whether the keyring reports it as deleted.
  func forget(id: String) -> Bool {
    let result = try? run(
      source == .keychain
        ? ["security", "delete-generic-password", "-s", "ifttt", "-a", id]
        : ["secret-tool", "clear", "application", "ifttt", "key", id])
    return result?.status == 0
  }
}
