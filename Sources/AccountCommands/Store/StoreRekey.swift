import Arguments
import CommandContext
import Display
import Hints
import JSON
import Store

extension OutputSchema {
  static var rekey: OutputSchema {
    OutputSchema(
      name: "store-rekey",
      record: RecordSchema([
        "key_id": .string, "key_source": .string, "old_key_id": .optionalString, "resealed": .int,
        "removed": .optionalString, "leftover": .optionalString,
      ]),
      columns: [
        Column("KEY", "key_id", overflow: .keep), Column("KEPT IN", "key_source"),
        Column("BEFORE", "old_key_id", overflow: .keep), Column("RESEALED", "resealed", style: .number),
        Column("REMOVED", "removed", overflow: .keep), Column("LEFT OVER", "leftover", overflow: .keep),
      ], form: .one)
  }
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
  static var shape: OutputSchema? { .rekey }
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
    let row: JSONValue = [
      "key_id": JSONValue(facts.keyID), "key_source": JSONValue(facts.keySource),
      "old_key_id": JSONValue(facts.oldKeyID), "resealed": JSONValue(facts.resealed),
      "removed": JSONValue(facts.removed), "leftover": JSONValue(facts.leftover),
    ]
    return .one(row.bytes, as: .rekey)
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
