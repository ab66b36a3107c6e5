package import Text

extension Session {
  /// The same command with `--yes`.
  package var confirmingHint: Hint {
    guard !words.isEmpty else { return "Pass --yes." }
    let command: SuggestedCommand = "\(typed: words) --yes"
    return readsInput ? "Run \(ifttt: command), and pass the input again." : "Run \(ifttt: command)."
  }

  /// Whether ids or users are read from stdin.
  private var readsInput: Bool { words.contains { $0 == "-" || $0 == "--stdin" || $0.hasSuffix("=-") } }
}
