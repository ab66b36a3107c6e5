import CommandLine
import Plugins
import Session
import Store
import Text

enum TrustRemove: Command {
  struct Options: Sendable {
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
  static var shape: OutputSchema? { .one(ChangedItem.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let label = options.label.value
    _ = try session.pluginRegistry
    guard try session.store.trustedSigners().contains(where: { $0.label == label }) else {
      throw Problem(.notFound, "no trusted key '\(label)'", hint: "See \(ifttt: "plugin trust list").")
    }
    if session.options.isDryRun { return session.dryRun(change: "Would stop trusting key '\(label)'.") }
    try session.store.removeSigner(label)
    session.console.note("Key '\(label)' is no longer trusted.")
    return .changed(ChangedItem(label), in: session)
  }
}
