import JSON
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Loads a data key from its source.
struct KeyLoading {
  let world: World
  let stateFolder: String
  /// Prompts for the passphrase at the terminal; nil if no prompt is possible.
  let prompt: PassphraseQuestion?

  var locations: KeyLocations { KeyLocations(folder: stateFolder) }

  /// Returns the key file that the program itself creates, separate from the database. It is `store.key`, or a file
  /// named after its key following `store rekey`, so that the old and the new file can coexist.
  func ownFile(of id: String?) -> String {
    guard let id, PrivateFiles.exists(rekeyedFile(id)) else { return "\(stateFolder)/store.key" }
    return rekeyedFile(id)
  }

  func rekeyedFile(_ id: String) -> String { "\(stateFolder)/store-\(id).key" }

  /// Loads the key from its source.
  /// - Parameters:
  ///   - id: The id of the key; nil if the store has no key yet.
  ///   - salt: The salt of a passphrase; ignored for other sources.
  /// - Throws: ``StoreError`` if the source does not provide a key.
  func load(_ source: KeySource, id: String?, salt: [UInt8]) throws(StoreError) -> DataKey {
    switch source {
    case .namedFile: return try readNamedFile(id)
    case .command: return try runCommand(id)
    case .passphrase: return try derive(salt: salt)
    case .keychain, .secretService:
      guard let id else {
        throw .keyMissing(
          "the store does not record which key of the \(source.label) to use", "Run \(ifttt: "store check").")
      }
      return try SystemKeyring(source: source, world: world).key(id: id)
    case .file:
      let path = ownFile(of: id)
      guard try Permissions.checkFile(path) != nil else {
        throw .keyMissing("the key file \(path) is missing", "Restore the file. Without it, the credentials are lost.")
      }
      return try parse(PrivateFiles.read(path, limit: 4096), from: path)
    }
  }

  private func setting(of source: KeySource) -> String? {
    guard let value = source.variable.flatMap({ world.environment[$0] }), !value.isEmpty else { return nil }
    return value
  }

  private func unset(_ source: KeySource) -> StoreError {
    let variable = source.variable?.name ?? ""
    return .keyMissing(
      "the credentials need the \(source.label) that \(variable) specifies, but it is not set", "Set \(variable).")
  }

  private func parse(_ bytes: consuming [UInt8], from source: String) throws(StoreError) -> DataKey {
    var text = consume bytes
    defer { text.overwrite() }
    guard let key = DataKey(parsing: text) else {
      throw .keyMissing(
        "\(source) does not provide a key (64 hexadecimal digits)", "To create one, run: openssl rand -hex 32")
    }
    return key
  }

  /// Reads the file named by the variable, or otherwise the file recorded for this key.
  private func readNamedFile(_ id: String?) throws(StoreError) -> DataKey {
    if let path = setting(of: .namedFile) { return try keyFile(path, named: EnvironmentVariable.storeKeyFile.name) }
    guard let id, case .file(let path) = try locations.location(of: id) else { throw unset(.namedFile) }
    return try keyFile(path, named: "the store's key file")
  }

  func keyFile(_ path: String, named name: String) throws(StoreError) -> DataKey {
    try parse(readPrivate(path, as: name), from: path)
  }

  /// Reads a file with the same rule as ssh: the user's own file must not be accessible to others. If another user
  /// owns the file, such as a mounted secret, its permissions are up to the owner.
  private func readPrivate(_ file: String, as name: String) throws(StoreError) -> [UInt8] {
    let path = world.path(file)
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 != 0
    {
      throw StoreError(
        code: .unsafePermissions, message: "other users can access \(path), which \(name) specifies",
        hint: "Run: \(shell: "chmod 600 \(path: path)")")
    }
    do throws(StoreError) { return try PrivateFiles.read(path, limit: 4096) } catch {
      throw .keyMissing("\(name): \(error.message)", "Specify a file that you can read.")
    }
  }

  private func runCommand(_ id: String?) throws(StoreError) -> DataKey {
    if let text = setting(of: .command) {
      let variable = EnvironmentVariable.storeKeyCommand
      let values = (try? JSONValue(parsing: Array(text.utf8)))?.array ?? []
      let arguments = values.compactMap(\.string)
      guard !arguments.isEmpty, arguments.count == values.count else {
        throw .keyMissing(
          "\(variable) is not a JSON array of strings", "write it like [\"pass\", \"show\", \"ifttt\"]")
      }
      return try key(from: arguments, named: variable.name)
    }
    guard let id, case .command(let arguments) = try locations.location(of: id) else { throw unset(.command) }
    return try key(from: arguments, named: "the store's key command")
  }

  /// Runs a command for the key. Its output is never shown, because it may be a secret even if it is not a key.
  func key(from arguments: [String], named name: String) throws(StoreError) -> DataKey {
    let result: ProcessResult
    do throws(SystemError) {
      result = try world.processes.run(forSecret: arguments)
    } catch {
      switch error.number {
      case EINTR: throw .interrupted
      case ETIMEDOUT:
        throw .keyMissing(
          "\(name): \(arguments[0]) did not end within 30 s", "Run it manually to see what it waits for.")
      default: throw .keyMissing("cannot run \(name): \(error)", "Check that \(arguments[0]) is installed.")
      }
    }
    guard result.status == 0 else {
      throw .keyMissing("\(name): \(arguments[0]) exited with status \(result.status)", "Run it manually to see why.")
    }
    return try parse(result.output, from: name)
  }

  private func derive(salt: [UInt8]) throws(StoreError) -> DataKey {
    guard let path = setting(of: .passphrase) else {
      guard let prompt else { throw unset(.passphrase) }
      return try key(from: try prompt(.present), salt: salt)
    }
    return try key(from: try passphrase(inFile: path, named: EnvironmentVariable.storePassphraseFile.name), salt: salt)
  }

  /// Returns the content of the file without trailing newlines.
  func passphrase(inFile path: String, named name: String) throws(StoreError) -> [UInt8] {
    var passphrase = try readPrivate(path, as: name)
    while let last = passphrase.last, last == 0x0a || last == 0x0d { passphrase.removeLast() }
    guard !passphrase.isEmpty else {
      throw .keyMissing("\(path) contains no passphrase", "Write one on its first line.")
    }
    return passphrase
  }

  /// Derives a key with scrypt (RFC 7914), N = 2^17, r = 8, p = 1. This takes 128 MiB.
  func key(from passphrase: consuming [UInt8], salt: [UInt8]) throws(StoreError) -> DataKey {
    var text = consume passphrase
    defer { text.overwrite() }
    return DataKey(try Cryptography.scrypt(text, salt: salt, cost: 1 << 17))
  }
}

/// A prompt for the store's passphrase.
/// - Throws: ``StoreError`` if none was entered, `interrupted` after Ctrl-C.
package typealias PassphraseQuestion = (PassphrasePurpose) throws(StoreError) -> [UInt8]

/// The purpose of a passphrase prompt.
package enum PassphrasePurpose: Sendable {
  /// The current passphrase of the store.
  case present
  /// A new passphrase, which is entered twice.
  case new
}
