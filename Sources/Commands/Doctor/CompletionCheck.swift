import CommandLine
import Session
import Text
import World

extension DoctorCheck {
  /// Checks that the user's shell has a completion script, and that the script is current.
  static var completion: DoctorCheck {
    DoctorCheck(name: "completion") { examination in
      let path = examination.world.environment[.shell] ?? ""
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      guard let shell = CompletionShell(rawValue: name) else {
        return .skipped(name.isEmpty ? "SHELL is not set" : "no completion script is available for \(name)")
      }
      return CompletionPlace(shell: shell, examination: examination).finding
    }
  }
}

/// The locations where a shell searches for the script, as far as another process can determine them.
private struct CompletionPlace {
  let shell: CompletionShell
  let examination: DiagnosticContext

  /// The script, including the installed plugins.
  private var script: String { Completion.script(for: shell, root: examination.session.tree.schema) }

  var finding: CheckResult {
    if let file = startFiles.first(where: { examination.text($0)?.holds("ifttt completion \(shell.rawValue)") == true })
    {
      return .ok("\(file) loads it")
    }
    guard let own else { return .skipped("HOME is not set") }
    let install = Repair(words: "write \(own)") { [examination, script] in
      try examination.install([(own, script)])
    }
    let advice: Hint = "Install it with \(ifttt: "doctor --fix")."
    guard let found = ([own] + others).first(where: examination.exists) else {
      return .warning("\(shell.rawValue) has no completion for ifttt", advice, repair: install)
    }
    let released = found == own ? [] : examination.releasedTrees.map { Completion.script(for: shell, root: $0) }
    let accepted = [script] + released
    guard let text = examination.text(found), accepted.contains(text) else {
      return found == own
        ? .warning("\(found) is from another version", advice, repair: install)
        : .warning("\(found) is from another version", "Install the script of this version.")
    }
    guard found != own || isSearched(own) else {
      return .warning(
        "\(own) exists, but zsh does not search its folder",
        "Add this to ~/.zshrc, before compinit: fpath=(\(parent(of: own)) $fpath)")
    }
    return .ok(found)
  }

  /// The path in the user's own folders, which `--fix` writes.
  private var own: String? {
    let data = examination.xdgFolder(.dataFolder, ".local/share")
    switch shell {
    case .bash:
      let named = examination.world.environment[.bashCompletionFolder].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (named ?? data.map { "\($0)/bash-completion" }).map { "\($0)/completions/ifttt" }
    case .zsh: return data.map { "\($0)/zsh/site-functions/_ifttt" }
    case .fish:
      return examination.xdgFolder(.configFolder, ".config").map { "\($0)/fish/completions/ifttt.fish" }
    }
  }

  /// The paths in the system's folders.
  private var others: [String] {
    let shares = ["/usr/local/share", "/usr/share", "/opt/homebrew/share"]
    switch shell {
    case .bash:
      return shares.flatMap {
        ["\($0)/bash-completion/completions/ifttt", "\($0)/bash-completion/completions/ifttt.bash"]
      }
        + ["/etc/bash_completion.d/ifttt"]
    case .zsh: return shares.flatMap { ["\($0)/zsh/site-functions/_ifttt", "\($0)/zsh/vendor-completions/_ifttt"] }
    case .fish: return shares.map { "\($0)/fish/vendor_completions.d/ifttt.fish" }
    }
  }

  /// The files that the shell reads when it starts. They are only read, never written.
  private var startFiles: [String] {
    let names =
      switch shell {
      case .bash: [".bashrc", ".bash_profile"]
      case .zsh: [".zshrc"]
      case .fish: [".config/fish/config.fish"]
      }
    return names.compactMap(examination.homePath)
  }

  /// Whether the shell searches the file's folder. bash and fish always do.
  private func isSearched(_ path: String) -> Bool {
    guard shell == .zsh else { return true }
    let folder = parent(of: path)
    let exported = (examination.world.environment[.zshFunctionPath] ?? "").split(separator: ":").contains {
      $0 == folder
    }
    return exported || startFiles.contains { examination.text($0)?.holds("zsh/site-functions") == true }
  }

  private func parent(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
}
