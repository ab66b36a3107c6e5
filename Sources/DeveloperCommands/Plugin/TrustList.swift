import CommandLine
import Output
import Plugins
import Session
import Store
import Text
import World

enum TrustList: Command {
  static let name = "list"
  static let summary = "List the keys whose signatures on plugins are trusted"
  static var examples: [ExampleSchema] { [ExampleSchema("plugin trust list", "list the trusted keys")] }
  static var shape: OutputSchema? { .many(SignerRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    _ = try session.plugins.registry
    let signers = try PluginRecords(session.store).signers()
    if signers.isEmpty {
      session.console.noteEmpty(
        "No key is trusted. To trust one, run: \(ifttt: "plugin trust add LABEL PUBLIC-KEY-FILE")")
    }
    return .rows(signers.map(SignerRow.init))
  }
}

enum TrustAdd: Command {
  struct Options: CommandOptions {
    var label = Required<String>()
    var file = Required<String>()
    var validBefore: Timestamp?
  }

  static let name = "add"
  static let summary = "Trust a public key to sign plugins"
  static var discussion: [String] {
    [
      """
      PUBLIC-KEY-FILE is an SSH public key, such as id_ed25519.pub: one line with the type, the key and a comment. Get \
      it from the author in a way that you trust, and compare the fingerprint. The command does not make any plugin \
      trusted: each installation still shows the plugin and prompts for confirmation.
      """,
      """
      To replace a key, remove it and add the new one with the same label. Plugins that were signed with the old key \
      can then be upgraded to versions that are signed with the new one.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "valid-before", .moment, into: \.validBefore, help: "Date from which its signatures are no longer accepted")
    ]
  }
  static var positionals: [Positional<Options>] {
    [
      .required(.signerLabel, into: \.label, help: "Name for the key, such as the author's"),
      .required(.file.named("PUBLIC-KEY-FILE"), into: \.file, help: "File with the public key"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin trust add acme acme.pub", "trust a key"),
      ExampleSchema("plugin trust add acme acme.pub --valid-before 2030-01-01", "trust a key until a date"),
    ]
  }
  static var shape: OutputSchema? { .one(SignerRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (label, path) = (options.label.value, options.file.value)
    _ = try session.plugins.registry
    let signers = try PluginRecords(session.store).signers()
    let key: SigningKey
    do {
      key = try SigningKey(
        publicKeyFile: session.world.files.readRegular(session.world.path(path), limit: SigningKey.sizeLimit))
    } catch {
      throw Problem(
        .refused, "\(path) is not a public key", reason: String(describing: error),
        hint: "Pass a file such as id_ed25519.pub, which ssh-keygen creates.")
    }
    if let other = signers.first(where: { $0.label == label || $0.key == key.text }) {
      throw Problem(
        .refused, other.label == label ? "there is already a key '\(label)'" : "the key is already trusted",
        reason: "'\(other.label)' is the key \(other.fingerprint)",
        hint: "To replace it, remove it first: \(ifttt: "plugin trust remove \(other.label)")")
    }
    if session.options.isDryRun {
      return session.dryRun(change: "Would trust key '\(label)', \(key.fingerprint).")
    }
    let signer = TrustedSigner(
      label: label, key: key.text, fingerprint: key.fingerprint, validBefore: options.validBefore,
      addedAt: session.world.clock.now())
    try PluginRecords(session.store).save(signer)
    return .one(SignerRow(signer: signer))
  }
}

extension ValueKind<Timestamp> {
  /// A date, or a date and time with an offset.
  fileprivate static var moment: ValueKind {
    .parsed("DATE", expected: "a date such as 2030-01-31, or a time such as 2030-01-31T12:00:00Z") { text in
      Timestamp(parsing: text) ?? Timestamp(parsing: text + "T00:00:00Z")
    }
  }
}

extension ValueKind<String> {
  /// The label of a key. ssh-keygen reads it as a pattern, so it contains no special characters of patterns.
  static var signerLabel: ValueKind {
    .parsed("LABEL", expected: "at most 64 letters, digits and the characters . _ @ + -") { text in
      let isLabel =
        !text.isEmpty && text.utf8.count <= 64 && text.utf8.first != UInt8(ascii: "-")
        && text.utf8.allSatisfy { byte in
          byte.isLetterOrDigit || "._@+-".utf8.contains(byte)
        }
      return isLabel ? text : nil
    }
  }
}

enum TrustRemove: Command {
  struct Options: CommandOptions {
    var label = Required<String>()
  }

  static let name = "remove"
  static let summary = "Stop trusting a key to sign plugins"
  static var discussion: [String] {
    ["Plugins that were signed with it stay installed. 'plugin show' shows who signed one."]
  }
  static var positionals: [Positional<Options>] {
    [.required(.signerLabel, into: \.label, help: "Label of the key")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin trust remove acme", "stop trusting a key")] }
  static var shape: OutputSchema? { .one(ChangedItem.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let label = options.label.value
    _ = try session.plugins.registry
    guard try PluginRecords(session.store).signers().contains(where: { $0.label == label }) else {
      throw Problem(.notFound, "no trusted key '\(label)'", hint: "See \(ifttt: "plugin trust list").")
    }
    if session.options.isDryRun { return session.dryRun(change: "Would stop trusting key '\(label)'.") }
    try PluginRecords(session.store).removeSigner(label)
    session.console.note("Key '\(label)' is no longer trusted.")
    return .changed(ChangedItem(label), in: session)
  }
}

/// A trusted key.
struct SignerRow: OutputRecord {
  let signer: TrustedSigner

  static let fields: Fields = [
    Field("label", "The name that you gave the key", column: "LABEL", overflow: .keep) { $0.signer.label },
    Field("fingerprint", "The key's fingerprint", column: "FINGERPRINT", overflow: .keep) { $0.signer.fingerprint },
    Field("key", "The public key") { $0.signer.key },
    Field("valid_before", "The time from which it is not accepted", column: "VALID BEFORE") { $0.signer.validBefore },
    Field("added_at", "The time at which it was added", column: "ADDED", style: .past) { $0.signer.addedAt },
  ]
}
