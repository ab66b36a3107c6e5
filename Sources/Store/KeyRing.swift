import World

/// The user's own key ring, kept by the system and asked through the program that comes with it, so that no key is
/// ever an argument.
struct KeyRing {
  let source: KeySource
  let world: World
  /// A key ring that is locked may wait for its user, who may not be there.
  private let limit = Duration.seconds(3)

  /// The one this system has; nil where there is none to ask.
  static func available(_ world: World) -> KeyRing? {
    #if canImport(Security)
      return KeyRing(source: .keychain, world: world)
    #else
      // Without a session bus secret-tool would wait for one that never comes.
      guard world.environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false else { return nil }
      return KeyRing(source: .secretService, world: world)
    #endif
  }

  /// Nil where the key ring does not have it or does not answer.
  func key(id: String) -> DataKey? {
    let arguments =
      source == .keychain
      ? ["security", "find-generic-password", "-s", "ifttt", "-a", id, "-w"]
      : ["secret-tool", "lookup", "application", "ifttt", "key", id]
    guard let result = try? world.processes.run(arguments, input: [], limit: limit), result.status == 0,
      let key = DataKey(parsing: result.output), key.id == id
    else { return nil }
    return key
  }

  /// - Returns: whether the key is kept, which is found out by asking for it.
  func keep(_ key: DataKey) -> Bool {
    let text = String(decoding: key.text.dropLast(), as: UTF8.self)
    let (arguments, input) =
      source == .keychain
      ? (["security", "-i"], "add-generic-password -s ifttt -a \(key.id) -w \(text)\n")
      : (["secret-tool", "store", "--label=ifttt store key", "application", "ifttt", "key", key.id], text)
    let result = try? world.processes.run(arguments, input: Array(input.utf8), limit: limit)
    return result?.status == 0 && self.key(id: key.id) != nil
  }
}
