import Foundation

/// A reader that extracts options from rendered pages, so that tests can compare them with the command tree.
package enum PageReader {
  /// All spellings listed under a heading of a help page (`Options`, `Global options`).
  package static func helpSpellings(_ page: String, under heading: String) -> [String] {
    let lines = page.components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: heading + ":") else { return [] }
    return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }
      .filter { $0.hasPrefix("  -") || $0.hasPrefix("      --") }
      // If there is no room for descriptions, several labels share a line.
      .flatMap { $0.components(separatedBy: "; ").flatMap(spellings) }
  }

  /// The long names in the folded groups at the end of a help page, without dashes.
  package static func foldedNames(_ page: String) -> Set<String> {
    let words = page.components(separatedBy: "\n").filter { !$0.hasPrefix("    ") }.flatMap { $0.split(separator: " ") }
    return Set(
      words.compactMap { word in
        let name = word.hasSuffix(",") ? word.dropLast() : word
        guard name.hasPrefix("--") else { return nil }
        return String(name.hasPrefix("--[no-]") ? name.dropFirst(7) : name.dropFirst(2))
      })
  }

  /// All spellings listed in a section of a man page (`OPTIONS`, `GLOBAL OPTIONS`), as rendered by mandoc.
  package static func mandocSpellings(_ page: String, in section: String) throws -> [String] {
    let folder = try ScratchFolder()
    try folder.write(page, to: "page.1")
    let outcome = try Tool.required("mandoc").run(["-T", "ascii", "-O", "width=300", "page.1"], in: folder)
    let lines = withoutOverstrikes(outcome.output).components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: section) else { return [] }
    return lines[(start + 1)...].prefix { $0.isEmpty || $0.hasPrefix(" ") }
      .filter { $0.hasPrefix("     -") }
      .flatMap { spellings(ofLabel: $0) }
  }

  /// The complaints of `mandoc -T lint` about pages in one folder, at its strictest level. Complaints about
  /// references to pages of other packages are omitted, because those need not be installed.
  package static func mandocComplaints(_ pages: [(fileName: String, text: String)]) throws -> [String] {
    let folder = try ScratchFolder()
    for page in pages { try folder.write(page.text, to: page.fileName) }
    let outcome = try Tool.required("mandoc").run(["-T", "lint", "-W", "style"] + pages.map(\.fileName), in: folder)
    return (outcome.output + outcome.errors).components(separatedBy: "\n")
      .filter { !$0.isEmpty && !$0.contains("referenced manual not found") && !$0.contains("outdated mandoc.db") }
  }

  /// The spellings of a label: `-o, --output FORMAT` gives `-o` and `--output`; `--[no-]track` gives `--track` and
  /// `--no-track`.
  private static func spellings(ofLabel line: String) -> [String] {
    var spellings: [String] = []
    for word in line.split(separator: " ").prefix(while: { $0.hasPrefix("-") }) {
      let name = word.hasSuffix(",") || word.hasSuffix(";") ? String(word.dropLast()) : String(word)
      if name.hasPrefix("--[no-]") {
        spellings += ["--" + name.dropFirst(7), "--no-" + name.dropFirst(7)]
      } else {
        spellings.append(name)
      }
    }
    return spellings
  }

  /// The text without overstrikes: bold is a character printed over itself, and underlined is one printed over `_`.
  private static func withoutOverstrikes(_ text: String) -> String {
    var result: [Character] = []
    for character in text {
      if character == "\u{8}" { result.removeLast() } else { result.append(character) }
    }
    return String(result)
  }
}
