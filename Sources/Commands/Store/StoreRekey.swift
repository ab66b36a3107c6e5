import CommandLine
package import Session
package import Store
import Text

extension RekeyFacts: OutputRecord {
  package static let fields: Fields = [
    Field("key_id", "The new key's id", column: "KEY") { $0.keyID },
    Field("key_source", "The kind and location of the new key's source", column: "KEY SOURCE") { $0.keySource },
    Field("old_key_id", "The old key's id; null if there was none", column: "OLD KEY") { $0.oldKeyID },
    Field("resealed", "The number of credentials that were encrypted again", column: "RE-ENCRYPTED") { $0.resealed },
    Field("removed", "The copy of the old key that was removed, if any", column: "REMOVED") { $0.removed },
    Field("leftover", "Where the old key may still be stored, if anywhere", column: "LEFTOVER") { $0.leftover },
  ]
}

enum StoreRekey: Command {
  struct Options: CommandOptions {
    var keyFile: String?
    var usesCommand = false
    var command: [String] = []
    var asksPassphrase = false
    var passphraseFile: String?
    var usesSecretService = false
    var usesKeychain = false
  }

  static let name = "rekey"
  static let summary = "Encrypt every credential with a new key"
  static var discussion: [String] {
    [
      """
      All credentials are encrypted again in one transaction. The options select the new key; without them, the \
      command creates one in the store's own key file. The new key is saved before the transaction, and the old key is \
      removed after it, so the store stays usable if the command is interrupted.
      """,
      """
      Earlier backups, and the copies next to the database, stay encrypted with the old key. To keep them usable, \
      write that key to a file first: 'ifttt store backup FILE --with-key KEYFILE'.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "key-file", .storeFile, into: \.keyFile,
        help: "Key file with 64 hexadecimal digits; created with a new key if it does not exist"),
      .toggle(
        "key-command", into: \.usesCommand,
        help: "A program that prints the key; pass it and its arguments after the options"),
      .toggle("passphrase", into: \.asksPassphrase, help: "A key derived from a passphrase; prompts for it twice"),
      .value(
        "passphrase-file", .storeFile, into: \.passphraseFile,
        help: "A key derived from the passphrase on the first line of this file"),
      .toggle("secret-service", into: \.usesSecretService, help: "A new key in the desktop's Secret Service"),
      .toggle("keychain", into: \.usesKeychain, help: "A new key in the macOS keychain"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [
      .many(
        .text("ARG"), into: \.command,
        help: """
          With --key-command: the program and its arguments, run without a shell; pass -- before arguments that \
          begin with a dash
          """)
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("store rekey", "create a new key in the store's own key file"),
      ExampleSchema("store rekey --key-command -- head -c 64 command.key", "use a program that prints the key"),
    ]
  }
  static var shape: OutputSchema? { .one(RekeyFacts.self) }

  static func check(_ options: Options) throws(Conflict) {
    let given = keyChoices(options).map(\.option)
    guard given.count < 2 else { throw Conflict("select only one source for the new key", options: given) }
    guard options.usesCommand == !options.command.isEmpty else {
      throw options.usesCommand
        ? Conflict("--key-command needs a program to run", options: ["key-command"])
        : Conflict("arguments are accepted only with --key-command")
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var choice = keyChoices(options).first?.choice ?? .ownFile
    if case .command(let words) = choice {
      choice = .command(try session.storableCommand(words, of: "key-command"))
    }
    if session.options.isDryRun { return session.dryRun(change: "Would encrypt every credential with a new key.") }
    let facts = try session.store.rekey(to: choice)
    for path in facts.swept { session.console.note("Removed \(path), left over from an interrupted rekey.") }
    return .one(facts)
  }

  private static func keyChoices(_ options: Options) -> [(option: String, choice: NewKeyChoice)] {
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
