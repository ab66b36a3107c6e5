import JSON
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Fetches a data key from where it is kept.
struct KeyLoading {
  let world: World
  /// The key file the program makes itself, apart from the database.
  let ownFile: String

  func load(_ source: KeySource, id: String?, salt: [UInt8]) throws(StoreError) -> DataKey {
    switch source {
    case .namedFile:
      let path = try setting(of: source)
      return try parse(readPrivate(path, as: "IFTTT_STORE_KEY_FILE"), from: path)
    case .command: return try runCommand()
    case .passphrase: return try derive(salt: salt)
    case .keychain, .secretService:
      guard let id, let key = KeyRing(source: source, world: world).key(id: id) else {
        throw .keyMissing("the \(source.words) does not give key \(id ?? "")", "unlock it and run the command again")
      }
      return key
    case .file:
      guard try Permissions.checkFile(ownFile) != nil else {
        throw .keyMissing("the key file \(ownFile) is missing", "put it back; without it the credentials are lost")
      }
      return try parse(PrivateFiles.read(ownFile, limit: 4096), from: ownFile)
    }
  }

  private func setting(of source: KeySource) throws(StoreError) -> String {
    let variable = source.variable ?? ""
    guard let value = world.environment[variable], !value.isEmpty else {
      throw .keyMissing("the credentials' \(source.words) is named by \(variable), which is not set", "set \(variable)")
    }
    return value
  }

  private func parse(_ bytes: [UInt8], from place: String) throws(StoreError) -> DataKey {
    guard let key = DataKey(parsing: bytes) else {
      throw .keyMissing(
        "\(place) does not give a key, which is 64 hexadecimal digits", "make one with: openssl rand -hex 32")
    }
    return key
  }

  /// As ssh does with its keys: one's own file must be closed to others; of another owner's, such as a mounted secret,
  /// that owner knows who may read it.
  private func readPrivate(_ path: String, as variable: String) throws(StoreError) -> [UInt8] {
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o077 != 0 {
      throw StoreError(
        code: .unsafePermissions, message: "other users can use \(path), which \(variable) names",
        hint: "run: chmod 600 \(quoted(path))")
    }
    do throws(StoreError) { return try PrivateFiles.read(path, limit: 4096) } catch {
      throw .keyMissing("\(variable): \(error.message)", "set \(variable) to a file that you can read")
    }
  }

  private func runCommand() throws(StoreError) -> DataKey {
    let variable = "IFTTT_STORE_KEY_COMMAND"
    let text = try setting(of: .command)
    let values = (try? JSONValue(parsing: Array(text.utf8)))?.array ?? []
    let words = values.compactMap(\.string)
    guard !words.isEmpty, words.count == values.count else {
      throw .keyMissing(
        "\(variable) is not a JSON array of strings", "write it like [\"pass\", \"show\", \"ifttt\"]")
    }
    let result: ProcessResult
    do throws(SystemError) { result = try world.processes.run(words, input: [], limit: .seconds(30)) } catch {
      throw .keyMissing("\(variable) could not be run: \(error)", "check that \(words[0]) is installed")
    }
    guard result.status == 0 else {
      throw .keyMissing("\(variable): \(words[0]) ended with status \(result.status)", "run it by hand to see why")
    }
    return try parse(result.output, from: variable)
  }

  /// scrypt (RFC 7914) with N = 2^17, r = 8, p = 1, which takes 128 MiB and about a quarter of a second.
  private func derive(salt: [UInt8]) throws(StoreError) -> DataKey {
    let path = try setting(of: .passphrase)
    var passphrase = try readPrivate(path, as: "IFTTT_STORE_PASSPHRASE_FILE")
    while let last = passphrase.last, last == 0x0a || last == 0x0d { passphrase.removeLast() }
    guard !passphrase.isEmpty else { throw .keyMissing("\(path) holds no passphrase", "write one into its first line") }
    return DataKey(try Cryptography.scrypt(passphrase, salt: salt, cost: 1 << 17))
  }
}
