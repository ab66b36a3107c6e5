import CommandLine
import Plugins
import Session
import Store
import Text

enum TrustList: Command {
  struct Options: Sendable {}

  static let name = "list"
  static let summary = "List the keys whose signatures on plugins are trusted"
  static var examples: [ExampleSchema] { [ExampleSchema("plugin trust list", "list the trusted keys")] }
  static var shape: OutputSchema? { .many(SignerRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    _ = try session.pluginRegistry
    let signers = try session.store.trustedSigners()
    if signers.isEmpty {
      session.console.noteEmpty(
        "No key is trusted. To trust one, run: \(ifttt: "plugin trust add LABEL PUBLIC-KEY-FILE")")
    }
    return .rows(signers.map(SignerRow.init))
  }
}
