import CommandLine
import Session
import Text
import World

extension DoctorCheck {
  /// Checks that `man ifttt` finds the pages, and that they are of this version.
  static var manual: DoctorCheck {
    DoctorCheck(name: "man") { examination in
      guard let folder = examination.xdgFolder(.dataFolder, ".local/share").map({ "\($0)/man" }) else {
        return .skipped("HOME is not set")
      }
      // Include the installed plugins, as 'ifttt man' does.
      let tree = examination.session.tree.schema
      let install = Repair(words: "write the man pages to \(folder)/man1") {
        let pages = ManPage.all(root: tree, facts: .program)
        try examination.install(pages.map { ("\(folder)/man1/\($0.fileName)", $0.text) })
      }
      let own = "\(folder)/man1/ifttt.1"
      let searched = searchPath(examination)
      guard let found = (searched + [folder]).map({ "\($0)/man1/ifttt.1" }).first(where: examination.exists) else {
        if let packed = searched.map({ "\($0)/man1/ifttt.1.gz" }).first(where: examination.exists) {
          return .ok(packed)
        }
        return .warning(
          "man does not find the ifttt page",
          "To install the pages, run \(ifttt: "doctor --fix"). To read them without man, run: \(ifttt: "man")",
          repair: install)
      }
      // The first page shows the version. Generating all pages would take longer than all other checks together.
      let trees = (found == own ? [] : examination.releasedTrees) + [tree]
      guard let text = examination.text(found),
        trees.contains(where: { ManPage.text(root: $0, path: [], facts: .program) == text })
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
  private static func searchPath(_ examination: DiagnosticContext) -> [String] {
    let named = (examination.world.environment[.manPath] ?? "").split(separator: ":").map(String.init)
    guard named.isEmpty else { return named }
    let beside = (examination.world.environment[.path] ?? "").split(separator: ":").compactMap { folder -> String? in
      folder.hasSuffix("/bin") ? "\(folder.dropLast("/bin".utf8.count))/share/man" : nil
    }
    return beside + ["/usr/local/share/man", "/usr/share/man"].filter { !beside.contains($0) }
  }
}
