import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The source of the new key for `store rekey`.
package enum NewKeyChoice: Sendable, Equatable {
  /// The store's own key file, with a new key.
  case ownFile
  /// A file that holds a key, or is created with a new one.
  case file(String)
  /// A program that prints a key, and its arguments.
  case command([String])
  /// A passphrase, entered twice at the prompt.
  case passphrase
  /// A passphrase in the first line of a file.
  case passphraseFile(String)
  case secretService
  case keychain
}

/// A key that is about to replace the current one. It is already stored durably at its source.
struct NewKey {
  let key: DataKey
  let record: KeyRecord
  /// The path of its file, if it is known.
  var path: String?
  /// Whether the key was just created. It is then removed if it is not used.
  var isMade = false

  init(_ key: DataKey, _ source: KeySource, salt: [UInt8] = [], path: String? = nil, isMade: Bool = false) {
    self.key = key
    record = KeyRecord(id: key.id, source: source, salt: salt)
    (self.path, self.isMade) = (path, isMade)
  }
}

extension Store {
  /// Returns the chosen key, already stored at its source. Returns nil for the store's own key file, which is created
  /// within the write.
  func newKey(_ choice: NewKeyChoice) throws(StoreError) -> NewKey? {
    switch choice {
    case .ownFile: return nil
    case .file(let path): return try keyFile(absolute(world.path(path)))
    case .command(let arguments):
      let key = try keyLoading.key(from: arguments, named: "--key-command")
      if isSet(.command) { try requireMatch(key.id == keyLoading.load(.command, id: nil, salt: []).id, .command) }
      try keyLoading.locations.remember(.command(arguments), of: key.id, world)
      return NewKey(key, .command)
    case .passphrase:
      guard let promptForPassphrase else {
        throw .keyMissing("no terminal is available to enter a passphrase", "Pass a file with --passphrase-file FILE.")
      }
      return try key(from: try promptForPassphrase(.new))
    case .passphraseFile(let path):
      return try key(from: try keyLoading.passphrase(inFile: path, named: "--passphrase-file"))
    case .secretService:
      return try ringKey(.secretService, "It needs DBUS_SESSION_BUS_ADDRESS, which a desktop session sets.")
    case .keychain: return try ringKey(.keychain, "The keychain is available only on macOS.")
    }
  }

  /// Removes a created key that was not used. A record of the key's location may stay, because it is still correct.
  func withdraw(_ new: NewKey) {
    guard new.isMade else { return }
    if let path = new.path {
      unlink(path)
    } else {
      _ = SystemKeyring(source: new.record.source, world: world).forget(id: new.key.id)
    }
  }

  private func keyFile(_ path: String) throws(StoreError) -> NewKey {
    if isSet(.namedFile), let named = world.environment[.storeKeyFile] {
      try requireMatch(try absolute(world.path(named)) == path || isSameFile(world.path(named), path), .namedFile)
    }
    let exists = PrivateFiles.exists(path)
    let key = try exists ? keyLoading.keyFile(path, named: "--key-file") : DataKey(world.random.bytes(32))
    if !exists {
      try PrivateFiles.create(path, with: key.text)
      PrivateFiles.synchronizeFolder(PrivateFiles.folder(of: path))
    }
    let new = NewKey(key, .namedFile, path: path, isMade: !exists)
    do throws(StoreError) { try keyLoading.locations.remember(.file(path), of: key.id, world) } catch {
      withdraw(new)
      throw error
    }
    return new
  }

  private func key(from passphrase: [UInt8]) throws(StoreError) -> NewKey {
    if isSet(.passphrase), let path = world.environment[.storePassphraseFile] {
      let named = try keyLoading.passphrase(inFile: path, named: EnvironmentVariable.storePassphraseFile.name)
      try requireMatch(named == passphrase, .passphrase)
    }
    let salt = world.random.bytes(16)
    return NewKey(try keyLoading.key(from: passphrase, salt: salt), .passphrase, salt: salt)
  }

  private func ringKey(_ source: KeySource, _ hint: Hint) throws(StoreError) -> NewKey {
    guard let ring = SystemKeyring.available(world), ring.source == source else {
      throw .keyMissing("no \(source.label) is available", hint)
    }
    let key = DataKey(world.random.bytes(32))
    let new = NewKey(key, source, isMade: true)
    do throws(StoreError) { try ring.store(key) } catch {
      withdraw(new)
      throw error
    }
    return new
  }

  /// Rejects a variable that names a different key. A variable overrides the recorded location, so the next command
  /// could not open the store.
  private func requireMatch(_ matches: Bool, _ source: KeySource) throws(StoreError) {
    guard !matches else { return }
    throw StoreError(
      code: .wrongKey, message: "\(source.variable?.name ?? "") specifies a different \(source.label) than the options",
      hint: "Unset it, or set it to the same value. Nothing was changed.")
  }

  func isSameFile(_ path: String, _ other: String?) -> Bool {
    var (first, second) = (stat(), stat())
    guard let other, stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}

/// Returns an absolute path, which is valid from any folder.
private func absolute(_ path: String) throws(StoreError) -> String {
  guard !path.hasPrefix("/") else { return path }
  guard let folder = getcwd(nil, 0) else { throw StoreError(system: errno, doing: "access", path: ".") }
  defer { free(folder) }
  return "\(String(cString: folder))/\(path)"
}
