package import CommandContext
package import Connect
package import Hints

extension Problem {
  /// The warning before pending connections are disabled; nil if there are none. IFTTT does not enable a connection
  /// again that was never configured.
  package static func warning(ofPending ids: [ConnectionID]) -> Hint? {
    guard let first = ids.first else { return nil }
    let what =
      ids.count == 1
      ? "Connection '\(first)' was" : "\(ids.count) of these connections, such as '\(first)', were"
    return
      "\(what) never configured. Once disabled, it can be enabled again only with \(ifttt: wayOut(of: first.description))."
  }
}

extension Session {
  /// Prompts before pending connections are disabled. If prompting is not possible, only prints a note: the stored state
  /// may be stale and must not stop a batch.
  package func confirmDisabling(pending ids: [ConnectionID]) throws {
    guard let warning = Problem.warning(ofPending: ids) else { return }
    guard console.mayPrompt || options.saysYes else { return console.note(warning) }
    try console.confirm("\(suggestions.completed(warning)) Disable anyway?")
  }
}
