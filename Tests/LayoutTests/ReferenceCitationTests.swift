import Foundation
import Support
import Testing

/// Comments and documents cite the pages of `docs/api` with their sections and numbers, and all of these exist.
@Suite struct ReferenceCitationTests {
  private static let pages = Result { try ReferencePage.all() }
  private static let texts = Result { try allTexts() }

  /// The folders whose files may cite the pages.
  private static let folders = [
    "Sources", "Tests", "Fuzz", "Examples", "Benchmarks", "script", "packaging", "man", "docs",
  ]

  /// The text files of these folders and the documents of the root, by path. Other files, such as pictures and the
  /// inputs of fuzz targets, are not UTF-8.
  private static func allTexts() throws -> [(path: String, text: String)] {
    let files = FileManager.default
    let documents = try files.contentsOfDirectory(atPath: Checkout.path("")).filter { $0.hasSuffix(".md") }
    let paths = try folders.flatMap { folder in
      try files.subpathsOfDirectory(atPath: Checkout.path(folder)).map { "\(folder)/\($0)" }
    }
    return (documents + paths).sorted().compactMap { path in
      (try? Checkout.text(path)).map { (path, $0) }
    }
  }

  private static func page(_ name: String) throws -> ReferencePage? { try pages.get().first { $0.name == name } }

  @Test func everyCitedPageAndNumberExists() throws {
    var count = 0
    for (path, text) in try Self.texts.get() where text.contains(ReferenceCitation.folder) {
      for citation in ReferenceCitation.all(in: text) {
        count += 1
        guard let page = try Self.page(citation.page) else {
          Issue.record("\(path) cites docs/api/\(citation.page), which does not exist")
          continue
        }
        let missing = citation.numbers.filter { !page.numbers.contains($0) }
        #expect(missing == [], "\(path) cites docs/api/\(citation.page)")
      }
    }
    #expect(count > 0)
  }

  /// If the page is clear from the context, a comment may cite the number alone.
  @Test func everyNumberInACommentExists() throws {
    let known = Set(try Self.pages.get().flatMap(\.numbers))
    for (path, text) in try Self.texts.get() {
      let isDocument = path.hasSuffix(".md") && path.hasPrefix("docs/")
      guard isDocument || path.hasSuffix(".swift") else { continue }
      for line in text.split(separator: "\n") where isDocument || line.drop(while: { $0 == " " }).hasPrefix("//") {
        let missing = ReferenceCitation.bareNumbers(in: line).filter { !known.contains($0) }
        #expect(missing == [], "\(path): \(line)")
      }
    }
  }

  @Test func everyNumberOccursOnce() throws {
    for page in try Self.pages.get() {
      let sections = page.numbers.filter { $0.hasPrefix("§") }
      #expect(Set(sections).count == sections.count, "\(page.name)")
    }
    let numbers = try Self.pages.get().flatMap(\.numbers).filter { !$0.hasPrefix("§") }
    let repeated = Dictionary(grouping: numbers) { $0 }.filter { $0.value.count > 1 }
    #expect(repeated.keys.sorted() == [])
  }

  /// The index of `docs/api/README.md` has the page of each number.
  @Test func theIndexIsComplete() throws {
    let overview = try Checkout.text("docs/api/README.md").components(separatedBy: " Index of numbers\n")
    let index = try #require(overview.last?.components(separatedBy: "\n## ").first)
    var listed: [String: [String]] = [:]
    for row in index.matches(of: /(?m)^\| ([A-Z]+\d.*?) \| \[([\w-]+\.md)\]/) {
      listed[String(row.output.2), default: []] += ReferencePage.expanded(row.output.1)
    }
    for page in try Self.pages.get() {
      let numbers = page.numbers.filter { !$0.hasPrefix("§") }
      #expect(Set(numbers) == Set(listed[page.name] ?? []), "\(page.name)")
    }
  }

  @Test func linksBetweenPagesNameTheirSections() throws {
    for page in try Self.pages.get() {
      let text = try Checkout.text("docs/api/\(page.name)").replacing(/\s+/, with: " ")
      for match in text.matches(of: /\]\(([\w-]+\.md)\) (§\d+(?:\.\d+)?)/) {
        let target = try Self.page(String(match.output.1))
        #expect(target?.numbers.contains(String(match.output.2)) == true, "\(page.name): \(match.output.0)")
      }
    }
  }

  @Test func citationsAreFound() {
    let folder = ReferenceCitation.folder
    let text = """
      /// One (\(folder)connect.md §7.6, U2 and U16). Two (\(folder)connect.md
      /// U4), which is C5. Three, see \(folder)service.md §4 to §6; `\(folder)README.md`.
      """
    let citations = ReferenceCitation.all(in: text)
    #expect(citations.map(\.page) == ["connect.md", "connect.md", "service.md", "README.md"])
    #expect(citations.map(\.numbers) == [["§7.6", "U2", "U16"], ["U4"], ["§4", "§6"], []])
    #expect(ReferenceCitation.bareNumbers(in: "GD9, (U4): C0 U+0080 RFC1 U123 uC5 §7 C17") == ["GD9", "U4", "C17"])
  }

  @Test func numbersOfAPageAreFound() {
    let page = ReferencePage(
      name: "a.md", text: "# A\n\n## 1. B\n\n### 1.2 `C`\n\n* **U4** D: U5.\n* E **U6**\n\n**R1**\n\n## F\n")
    #expect(page.numbers == ["§1", "§1.2", "U4"])
    #expect(ReferencePage.expanded("U1 to U3, C5") == ["U1", "U2", "U3", "C5"])
  }
}

/// A page of the API reference, and what can be cited of it.
private struct ReferencePage {
  let name: String
  /// The sections, such as `§7.6`, and the numbers, such as `U4`.
  let numbers: [String]

  init(name: String, text: String) {
    self.name = name
    let sections = text.matches(of: #/(?m)^##+ (\d+(?:\.\d+)?)\.? /#).map { "§\($0.output.1)" }
    let items = text.matches(of: #/(?m)^\* \*\*([A-Z]{1,2}\d{1,2})\*\* /#).map { String($0.output.1) }
    numbers = sections + items
  }

  static func all() throws -> [ReferencePage] {
    try Checkout.files(in: "docs/api").filter { $0.hasSuffix(".md") }.map { path in
      ReferencePage(name: String(path.split(separator: "/").last ?? ""), text: try Checkout.text(path))
    }
  }

  /// The numbers of a list such as `U1 to U3, C5`.
  static func expanded(_ list: some StringProtocol) -> [String] {
    list.components(separatedBy: ", ").flatMap { entry -> [String] in
      let ends = entry.components(separatedBy: " to ")
      let letters = ends[0].prefix { $0.isLetter }
      guard let first = Int(ends[0].dropFirst(letters.count)),
        let last = Int(ends[ends.count - 1].dropFirst(letters.count)), first <= last
      else { return [] }
      return (first...last).map { "\(letters)\($0)" }
    }
  }
}

/// A citation of a page, with the sections and numbers that follow.
private struct ReferenceCitation {
  /// The path before a page's name. It is not spelled in one piece, so that this file cites no page.
  static let folder = "docs" + "/api/"

  let page: String
  let numbers: [String]

  static func all(in text: String) -> [ReferenceCitation] {
    text.components(separatedBy: folder).dropFirst().compactMap { rest in
      // A comment may wrap between the page and the number.
      let line = rest.prefix(300).replacing(/\s*\n\s*(?:\/\/\/?|#|\*)?\s*/, with: " ")
      guard let page = line.prefixMatch(of: /[\w-]+\.md/) else { return nil }
      let list = line[page.range.upperBound...].prefixMatch(
        of: /(?:,? (?:and |to )?(?:§\d+(?:\.\d+)?|[A-Z]{1,2}\d{1,2})\b)+/)
      let numbers = list.map { found in
        found.output.matches(of: /§\d+(?:\.\d+)?|[A-Z]{1,2}\d{1,2}/).map { String($0.output) }
      }
      return ReferenceCitation(page: String(page.output), numbers: numbers ?? [])
    }
  }

  /// The numbers in a line, with or without a page. C0 and C1 are also sets of control characters.
  static func bareNumbers(in line: some StringProtocol) -> [String] {
    line.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "%"), UInt8(ascii: "+"):
        false
      default: true
      }
    }.compactMap { word -> String? in
      guard (2...4).contains(word.count), word.first.map({ "CGU".utf8.contains($0) }) == true else { return nil }
      let text = String(decoding: word, as: UTF8.self)
      return text != "C0" && text.wholeMatch(of: /(?:G[UCD]|[UC])\d{1,2}/) != nil ? text : nil
    }
  }
}
