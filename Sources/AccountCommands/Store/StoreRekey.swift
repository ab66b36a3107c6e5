import Arguments
package import CommandContext
import Hints
package import Store

extension RekeyFacts: OutputRecord {
  package static let fields: Fields = [
    Field("key_id", "The new key's ID", column: "KEY") { $0.keyID },
    Field("key_source", "The kind and location of the new key's source", column: "KEPT IN") { $0.keySource },
    Field("old_key_id", "The old key's ID; null if there was none", column: "BEFORE") { $0.oldKeyID },
    Field("resealed", "The number of credentials that were encrypted again", column: "RESEALED") { $0.resealed },
    Field("removed", "The copy of the old key that was removed, if any", column: "REMOVED") { $0.removed },
    Field("leftover", "Where the old key may still be, if anywhere", column: "LEFT OVER") { $0.leftover },
  ]
}

enum StoreRekey: Command {
  struct Options: Sendable {
    var keyFile: String?
    var usesCommand = false
    var command: [String] = []
    var asksPassphrase = false
    var passphraseFile: String?
    var usesSecretService = false
    var usesKeychain = false
  }

  static let name = "rekey"
  static let summary = "Seal every credential with a new key"
  static var discussion: [String] {
    [
      """
      All credentials are sealed again in one transaction, with a key from where the options say; without any, with a new \
      one in a key file of the store's own. The new key is on the disk before that and the old one is removed only after \
      it, so that the store can be opened whenever this is cut off.
      """,
      """
      Backups that were made before, and the copies beside the database, stay sealed with the old key: write it to a file \
      first, with 'ifttt store backup FILE --with-key KEYFILE', where they are still to be opened.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "key-file", .storeFile, into: \.keyFile,
        help: "A file of 64 hexadecimal digits; made with a new key if it is not there"),
      .toggle("key-command", into: \.usesCommand, help: "A program that prints the key: the words after the options"),
      .toggle("passphrase", into: \.asksPassphrase, help: "A key made from a passphrase, which is asked for twice"),
      .value("passphrase-file", .storeFile, into: \.passphraseFile, help: "The same, from the first line of a file"),
      .toggle("secret-service", into: \.usesSecretService, help: "A new key in the desktop's Secret Service"),
      .toggle("keychain", into: \.usesKeychain, help: "A new key in the keychain of macOS"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [
      .many(
        .text("WORD"), into: \.command,
        help: "With --key-command: the program and its arguments, run without a shell, after -- where one has a dash")
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("store rekey", "a new key in a key file of the store's own"),
      ExampleSchema("store rekey --key-command -- head -c 64 command.key", "a program that prints the key"),
    ]
  }
  static var shape: OutputSchema? { .one(RekeyFacts.self) }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    let given = chosen(options).map(\.option)
    guard given.count < 2 else { throw Conflict("give one place for the new key", options: given) }
    guard options.usesCommand == !options.command.isEmpty else {
      throw options.usesCommand
        ? Conflict("--key-command needs a program to run", options: ["key-command"])
        : Conflict("words are for --key-command alone")
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let choice = chosen(options).first?.choice ?? .ownFile
    if session.options.isDryRun { return session.dryRun(change: "Would seal every credential with another key.") }
    let facts = try session.store.rekey(to: choice)
    for path in facts.swept { session.note("Removed \(path), which an interrupted rekey left.") }
    return .one(facts)
  }

  private static func chosen(_ options: Options) -> [(option: String, choice: NewKeyChoice)] {
    let choices: [(String, NewKeyChoice?)] = [
      ("key-file", options.keyFile.map { .file($0) }),
      ("key-command", options.usesCommand ? .command(options.command) : nil),
      ("passphrase", options.asksPassphrase ? .passphrase : nil),
      ("passphrase-file", options.passphraseFile.map { .passphraseFile($0) }),
      ("secret-service", options.usesSecretService ? .secretService : nil),
      ("keychain", options.usesKeychain ? .keychain : nil),
    ]
    return choices.compactMap { option, choice in choice.map { (option, $0) } }
  }
}
