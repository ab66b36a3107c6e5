import Foundation
import Support
import Testing

/// Each promise in `docs/security-promises.md` names the tests that show it, and these tests exist.
@Suite struct SecurityDocumentTests {
  /// A source file of tests: Swift, or Python for scripts.
  private struct TestFile {
    let name: String
    let text: String

    /// The functions that it declares.
    var functions: Set<String> {
      let keyword = name.hasSuffix(".swift") ? "func " : "def "
      return Set(
        text.components(separatedBy: keyword).dropFirst().compactMap { (rest: String) -> String? in
          let function = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
          return rest[function.endIndex...].first == "(" ? String(function) : nil
        })
    }

    /// Whether it declares a type; `name` is not the beginning of a longer name.
    func declares(_ keyword: String, _ name: Substring) -> Bool {
      text.components(separatedBy: "\(keyword) \(name)").dropFirst().contains { (rest: String) -> Bool in
        guard let next = rest.first else { return true }
        return !next.isLetter && !next.isNumber && next != "_"
      }
    }
  }

  private static func files() throws -> [TestFile] {
    var files: [TestFile] = []
    for folder in ["Tests", "packaging"] {
      for path in try FileManager.default.subpathsOfDirectory(atPath: Checkout.path(folder)) {
        guard path.hasSuffix(".swift") || path.hasSuffix(".py") else { continue }
        let name = path.split(separator: "/").last ?? ""
        files.append(TestFile(name: String(name), text: try Checkout.text("\(folder)/\(path)")))
      }
    }
    return files
  }

  /// The files by the names of their functions.
  private static func filesByFunction(_ files: [TestFile]) -> [String: [TestFile]] {
    files.reduce(into: [:]) { result, file in
      for function in file.functions { result[function, default: []].append(file) }
    }
  }

  /// - Parameters:
  ///   - name: `Suite/function`, or `file.py/Class.test_name`.
  ///   - files: the files by the names of their functions.
  private static func exists(_ name: String, in files: [String: [TestFile]]) -> Bool {
    if let match = name.wholeMatch(of: /(\w+)\/(\w+)/) {
      let (suite, function) = (match.output.1, match.output.2)
      return files[String(function), default: []].contains { file in
        file.name.hasSuffix(".swift") && (file.declares("struct", suite) || file.declares("class", suite))
      }
    }
    guard let match = name.wholeMatch(of: /(\w+\.py)\/(\w+)\.(test_\w+)/) else { return false }
    let (script, suite, function) = (match.output.1, match.output.2, match.output.3)
    return files[String(function), default: []].contains { file in
      file.name == String(script) && file.declares("class", suite)
    }
  }

  @Test func everyPromiseNamesTestsThatExist() throws {
    let files = Self.filesByFunction(try Self.files())
    let lines = try Checkout.text("docs/security-promises.md").split(separator: "\n").map { String($0) }
    let rows = lines.filter { $0.hasPrefix("|") && !$0.hasPrefix("|---") && !$0.hasPrefix("| promise |") }
    #expect(rows.count >= 50)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 3, "\(row)")
      let names = cells[2].matches(of: /`([^`]+)`/).map { String($0.output.1) }
      #expect(!names.isEmpty, "no test: \(row)")
      #expect(names.map { "`\($0)`" }.joined(separator: ", ") == cells[2], "not a list of tests: \(row)")
      for name in names { #expect(Self.exists(name, in: files), "\(name) does not exist") }
    }
  }

  /// The page for readers is one page: everything longer belongs to the page of promises, which it links.
  @Test func theSummaryIsOnePage() throws {
    let summary = try Checkout.text("docs/security.md")
    #expect(summary.split(whereSeparator: \.isWhitespace).count <= 1200)
    #expect(summary.contains("(security-promises.md)"))
    #expect(!summary.contains("|"))
  }

  @Test func missingTestsAreFound() {
    let files = Self.filesByFunction([
      TestFile(name: "A.swift", text: "@Suite struct OpenTests {\n  @Test func opens() {}\n}\n"),
      TestFile(name: "a.py", text: "class B(C):\n    def test_c(self):\n"),
    ])
    for name in ["OpenTests/opens", "a.py/B.test_c"] { #expect(Self.exists(name, in: files), "\(name)") }
    for name in ["OpenTests/open", "Open/opens", "B/test_c", "opens", "a.py/B.test_", "b.py/B.test_c", "a.py/C.test_c"]
    {
      #expect(!Self.exists(name, in: files), "\(name)")
    }
  }
}
