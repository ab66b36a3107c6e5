import CommandLine
import Plugins
import Session
import Text
import World

extension DoctorCheck {
  /// Checks that the user's shell has a completion script, and that the script is current.
  static var completion: DoctorCheck {
    DoctorCheck(name: "completion") { context in
      let path = context.world.environment[.shell] ?? ""
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      guard let shell = CompletionShell(rawValue: name) else {
        return .skipped(name.isEmpty ? "SHELL is not set" : "no completion script is available for \(name)")
      }
      return CompletionInstallation(shell: shell, context: context).finding
    }
  }
}

/// The locations in which a shell searches for the script, as far as another process can determine them.
private struct CompletionInstallation {
  let shell: CompletionShell
  let context: DiagnosticContext

  /// The script, including the installed plugins.
  private var script: String { Completion.script(for: shell, root: context.session.tree.schema) }

  var finding: CheckResult {
    if let file = startFiles.first(where: { context.text($0)?.includes("ifttt completion \(shell.rawValue)") == true })
    {
      return .ok("\(file) loads it")
    }
    guard let own = userPath else { return .skipped("HOME is not set") }
    let install = Repair(description: "write \(own)") { [context, script] in
      try context.install([(own, script)])
    }
    let advice: Hint = "Install it with \(ifttt: "doctor --fix")."
    guard let found = ([own] + systemPaths).first(where: context.exists) else {
      return .warning("\(shell.rawValue) has no completion for ifttt", advice, repair: install)
    }
    let released = found == own ? [] : context.releasedTrees.map { Completion.script(for: shell, root: $0) }
    let accepted = [script] + released
    guard let text = context.text(found), accepted.contains(text) else {
      return found == own
        ? .warning("\(found) is from another version", advice, repair: install)
        : .warning("\(found) is from another version", "Install the script of this version.")
    }
    guard found != own || isSearched(own) else {
      return .warning(
        "\(own) exists, but zsh does not search its folder",
        "Add this to ~/.zshrc, before compinit: fpath=(\(context.folder(of: own)) $fpath)")
    }
    return .ok(found)
  }

  /// The path in the user's own folders, which `--fix` writes.
  private var userPath: String? {
    let data = context.xdgFolder(.dataFolder, ".local/share")
    switch shell {
    case .bash:
      let folder = context.world.environment[.bashCompletionFolder].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (folder ?? data.map { "\($0)/bash-completion" }).map { "\($0)/completions/ifttt" }
    case .zsh: return data.map { "\($0)/zsh/site-functions/_ifttt" }
    case .fish:
      return context.xdgFolder(.configFolder, ".config").map { "\($0)/fish/completions/ifttt.fish" }
    }
  }

  /// The paths in the system's folders.
  private var systemPaths: [String] {
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
    return names.compactMap(context.homePath)
  }

  /// Whether the shell searches the file's folder. bash and fish always do.
  private func isSearched(_ path: String) -> Bool {
    guard shell == .zsh else { return true }
    let folder = context.folder(of: path)
    let exported = (context.world.environment[.zshFunctionPath] ?? "").split(separator: ":").contains {
      $0 == folder
    }
    return exported || startFiles.contains { context.text($0)?.includes("zsh/site-functions") == true }
  }
}

extension DoctorCheck {
  /// Checks that `man ifttt` finds the pages, and that they are of this version.
  static var manual: DoctorCheck {
    DoctorCheck(name: "man") { context in
      guard let folder = context.xdgFolder(.dataFolder, ".local/share").map({ "\($0)/man" }) else {
        return .skipped("HOME is not set")
      }
      // Include the installed plugins, as 'ifttt man' does.
      let tree = context.session.tree.schema
      let install = Repair(description: "write the man pages to \(folder)/man1") {
        let pages = ManPage.all(root: tree, contents: .program)
        try context.install(pages.map { ("\(folder)/man1/\($0.fileName)", $0.text) })
      }
      let own = "\(folder)/man1/ifttt.1"
      let searched = searchPath(context)
      guard let found = (searched + [folder]).map({ "\($0)/man1/ifttt.1" }).first(where: context.exists) else {
        if let compressed = searched.map({ "\($0)/man1/ifttt.1.gz" }).first(where: context.exists) {
          return .ok(compressed)
        }
        return .warning(
          "man does not find the ifttt page",
          "To install the pages, run \(ifttt: "doctor --fix"). To read them without man, run: \(ifttt: "man")",
          repair: install)
      }
      // Compare only the first page, which contains the version.
      let trees = (found == own ? [] : context.releasedTrees) + [tree]
      guard let text = context.text(found),
        trees.contains(where: { ManPage.text(root: $0, path: [], contents: .program) == text })
      else {
        return found == own
          ? .warning("\(found) is from another version", "Run \(ifttt: "doctor --fix").", repair: install)
          : .warning("\(found) is from another version", "Install the pages of this version.")
      }
      guard searched.contains(where: { found == "\($0)/man1/ifttt.1" }) else {
        return .warning(
          "\(found) exists, but man does not search \(folder)",
          "Add \(folder) to MANPATH, or ~/.local/bin to PATH.")
      }
      return .ok(found)
    }
  }

  /// The folders that man(1) searches: MANPATH or, if it is empty, the folders beside each folder of PATH, and the
  /// system's own.
  private static func searchPath(_ context: DiagnosticContext) -> [String] {
    let named = (context.world.environment[.manPath] ?? "").split(separator: ":").map(String.init)
    guard named.isEmpty else { return named }
    let beside = (context.world.environment[.path] ?? "").split(separator: ":").compactMap { folder -> String? in
      folder.hasSuffix("/bin") ? "\(folder.dropLast("/bin".utf8.count))/share/man" : nil
    }
    return beside + ["/usr/local/share/man", "/usr/share/man"].filter { !beside.contains($0) }
  }

  /// Checks that every installed plugin can be used, without running any.
  static var plugins: DoctorCheck {
    DoctorCheck(name: "plugins") { context in
      if context.session.plugins.discovery.isOff { return .skipped("plugins are disabled") }
      if let skipped = try context.skippedForPermissions() { return skipped }
      let registry = try context.session.plugins.registry
      let entries = try registry.entries()
      let unusable = entries.filter { !$0.verdict.isUsable }
      if let first = unusable.first {
        let more = unusable.count > 1 ? ", and \(unusable.count - 1) more; see 'ifttt plugin list'" : ""
        return .warning("\(first.plugin.name): \(first.verdict.problem ?? "")\(more)", first.verdict.advice ?? "")
      }
      for entry in entries {
        guard let executable = entry.plugin.executable,
          let interpreter = PluginInterpreter(of: executable, in: context.world), interpreter.path == nil
        else { continue }
        return .warning(
          "\(entry.plugin.name): its interpreter '\(interpreter.shownName)' is missing",
          interpreter.endsWithCarriageReturn
            ? "Remove the carriage return at the end of the first line of \(executable)."
            : "Install it, or add its folder to PATH.")
      }
      guard !entries.isEmpty else { return .ok("none are installed") }
      return .ok(entries.map { "\($0.plugin.name) (\($0.verdict.status.rawValue))" }.joined(separator: ", "))
    }
  }
}
