/// Every committed file that is generated from the command tree.
package struct PagesBundle: Sendable {
  /// The files. Paths are relative to the repository: `completions/_ifttt`, `man/man1/ifttt.1`, `README.md`.
  package let files: [(path: String, text: String)]

  /// Generates the files.
  /// - Parameter readme: the current README, whose table of commands is updated. Omitted if nil.
  /// - Throws: ``ReadmeError`` if the README has no markers for the table.
  package init(root: CommandSchema, contents: PageContents, readme: String? = nil) throws(ReadmeError) {
    var files = CompletionShell.allCases.map { shell in
      (path: "completions/" + shell.fileName(for: root.name), text: Completion.script(for: shell, root: root))
    }
    files += ManPage.all(root: root, contents: contents).map { (path: "man/man1/" + $0.fileName, text: $0.text) }
    if let readme { files.append((path: "README.md", text: try ReadmeTable.updated(readme, root: root))) }
    self.files = files
  }
}

/// The README's table of commands, between `<!-- commands -->` and `<!-- /commands -->`.
package enum ReadmeTable {
  package static let opening = "<!-- commands -->"
  package static let closing = "<!-- /commands -->"

  /// The table with one row per command that can be run, in the tree's order.
  package static func table(root: CommandSchema) -> String {
    let rows = CommandPosition(root: root).subtree
      .filter { !$0.isRoot && $0.isRunnable }
      .map { "| `\($0.line)` | \(escaped(Prose.oneLine($0.command.summary))) |" }
    return (["| Command | What it does |", "|---|---|"] + rows).joined(separator: "\n") + "\n"
  }

  /// The README with the text between the markers replaced.
  /// - Throws: ``ReadmeError`` if a marker is missing or the markers are out of order.
  package static func updated(_ readme: String, root: CommandSchema) throws(ReadmeError) -> String {
    let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0 == opening }) else { throw ReadmeError(missing: opening) }
    guard let end = lines[start...].firstIndex(where: { $0 == closing }) else { throw ReadmeError(missing: closing) }
    let table = ["", Substring(table(root: root))]
    return (lines[...start] + table + lines[end...]).joined(separator: "\n")
  }

  /// Escapes the characters that Markdown or HTML would interpret inside a cell.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if "\\`*_[]<>|&".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
  }
}

/// The reason why a README cannot be updated.
package struct ReadmeError: Error, Equatable, CustomStringConvertible {
  /// The marker line that is missing or not after the other one.
  package let missing: String
  package init(missing: String) { self.missing = missing }
  package var description: String { "the README has no line \(missing), or it is out of order" }
}
