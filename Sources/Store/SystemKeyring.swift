import Hints
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The user's own key ring, kept by the system and asked through the program that comes with it, so that no key is
/// ever an argument.
struct SystemKeyring {
  let source: KeySource
  let world: World
  /// A key ring that is locked may wait for its user, who may not be there.
  private let limit = Duration.seconds(3)

  /// The one this system has; nil where there is none to ask.
  static func available(_ world: World) -> SystemKeyring? {
    #if canImport(Security)
      return SystemKeyring(source: .keychain, world: world)
    #else
      // Without a session bus secret-tool would wait for one that never comes.
      guard world.environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false else { return nil }
      return SystemKeyring(source: .secretService, world: world)
    #endif
  }

  /// - Throws: ``StoreError`` where the key ring does not have it, does not answer, or is asked by a program that is
  ///   missing.
  func key(id: String) throws(StoreError) -> DataKey {
    let result = try run(
      source == .keychain
        ? ["security", "find-generic-password", "-s", "ifttt", "-a", id, "-w"]
        : ["secret-tool", "lookup", "application", "ifttt", "key", id])
    guard result.status == 0, let key = DataKey(parsing: result.output), key.id == id else {
      throw .keyMissing("the \(source.words) does not give key \(id)", "unlock it and run the command again")
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
          "the \(source.words) did not answer within 3 s", "unlock it and run the command again")
      case ENOENT:
        throw .keyMissing(
          "the \(source.words) is asked through \(program), which is not installed",
          source == .keychain ? "it belongs to macOS" : "install it (Debian, Ubuntu: apt install libsecret-tools)")
      default: throw .keyMissing("\(program) could not be run: \(error)", "run it by hand to see why")
      }
    }
  }

  /// - Throws: ``StoreError`` unless the key is kept, which is found out by asking for it.
  func keep(_ key: DataKey) throws(StoreError) {
    let text = String(decoding: key.text.dropLast(), as: UTF8.self)
    let (arguments, input) =
      source == .keychain
      ? (["security", "-i"], "add-generic-password -s ifttt -a \(key.id) -w \(text)\n")
      : (["secret-tool", "store", "--label=ifttt store key", "application", "ifttt", "key", key.id], text)
    guard try run(arguments, input: Array(input.utf8)).status == 0 else {
      throw .keyMissing("the \(source.words) does not keep a key", "unlock it and run the command again")
    }
    _ = try self.key(id: key.id)
  }

  /// - Returns: whether it is gone, as far as the key ring says.
  func forget(id: String) -> Bool {
    let result = try? run(
      source == .keychain
        ? ["security", "delete-generic-password", "-s", "ifttt", "-a", id]
        : ["secret-tool", "clear", "application", "ifttt", "key", id])
    return result?.status == 0
  }
}
