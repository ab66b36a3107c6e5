import JSON
package import Text
import World

/// The programs that print a profile's credentials.
///
/// They are stored in the state folder and not in the database, for the same reason as ``KeyLocations``.
extension Store {
  /// The program that prints a credential, and its arguments; nil without one.
  package func command(for name: CredentialName, profile: String) throws(StoreError) -> [String]? {
    try commands(profile: profile).first { $0.name == name }?.words
  }

  /// The programs of a profile, each with its arguments, in the order of ``CredentialName``.
  package func commands(profile: String) throws(StoreError) -> [(name: CredentialName, words: [String])] {
    Self.commands(in: try credentialCommands.read()[profile])
  }

  private static func commands(in record: JSONValue?) -> [(name: CredentialName, words: [String])] {
    CredentialName.allCases.compactMap { name in
      guard let words = record?[name.rawValue]?.array?.compactMap(\.string), !words.isEmpty else { return nil }
      return (name, words)
    }
  }

  /// Sets or removes the programs that print credentials. No program is run.
  /// - Parameter commands: the programs with their arguments; no words to remove a program.
  package func set(_ commands: [CredentialName: [String]], profile: String) throws(StoreError) {
    // Nothing is written for a profile without commands.
    let present = try self.commands(profile: profile)
    guard !present.isEmpty || commands.values.contains(where: { !$0.isEmpty }) else { return }
    try credentialCommands.update(world) { members in
      // Read under the lock: another process may have set a program in the meantime.
      let others = Self.commands(in: JSONObject(members: members)[profile]).filter { commands[$0.name] == nil }
      let new = CredentialName.allCases.compactMap { name in commands[name].map { (name: name, words: $0) } }
      let words = (others + new).filter { !$0.words.isEmpty }
        .map { (key: $0.name.rawValue, value: JSONValue.array($0.words.map { .string($0) })) }
      members.removeAll { $0.key == profile }
      if !words.isEmpty { members.append((profile, .object(JSONObject(members: words)))) }
    }
  }

  var credentialCommands: StateRecord {
    StateRecord(
      folder: directories.state, name: "credential-commands.json", contents: "the list of credential commands")
  }
}
