/// Every committed file that is generated from the command tree.
package struct PagesBundle: Sendable {
  /// The files. Paths are relative to the repository: `completions/_ifttt`, `man/man1/ifttt.1`, `README.md`.
  package let files: [(path: String, text: String)]

  /// Generates the files.
  /// - Parameter readme: the current README, whose table of commands is updated. Omitted if nil.
  /// - Throws: ``ReadmeError`` if the README has no place for the table.
  package init(root: CommandSchema, facts: PageFacts, readme: String? = nil) throws(ReadmeError) {
    var files = CompletionShell.allCases.map { shell in
      (path: "completions/" + shell.fileName(for: root.name), text: Completion.script(for: shell, root: root))
    }
    files += ManPage.all(root: root, facts: facts).map { (path: "man/man1/" + $0.fileName, text: $0.text) }
    if let readme { files.append((path: "README.md", text: try ReadmeTable.updated(readme, root: root))) }
    self.files = files
  }
}
