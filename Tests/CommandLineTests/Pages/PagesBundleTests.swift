import CommandLine
import Testing

/// The committed files, including the README.
@Suite struct PagesBundleTests {
  private static let readme = """
    # ifttt

    <!-- commands -->
    old
    <!-- /commands -->

    The end.

    """

  @Test func containsEveryPageOnce() throws {
    let bundle = try PagesBundle(root: SampleTree.root, contents: SampleTree.contents, readme: Self.readme)
    let manual = CommandPosition(root: SampleTree.root).subtree.map { "man/man1/\($0.pageName).1" }
    let scripts = ["completions/ifttt.bash", "completions/_ifttt", "completions/ifttt.fish"]
    #expect(bundle.files.map(\.path).sorted() == (manual + scripts + ["README.md"]).sorted())
  }

  @Test func theSameTreeProducesTheSamePages() throws {
    let first = try PagesBundle(root: SampleTree.root, contents: SampleTree.contents)
    let second = try PagesBundle(root: SampleTree.root, contents: SampleTree.contents)
    #expect(first.files.map(\.text) == second.files.map(\.text))
  }

  @Test func replacesOnlyTheTable() throws {
    let updated = try ReadmeTable.updated(Self.readme, root: SampleTree.root)
    let table = ReadmeTable.table(root: SampleTree.root)
    #expect(updated == "# ifttt\n\n<!-- commands -->\n\n\(table)\n<!-- /commands -->\n\nThe end.\n")
    #expect(try ReadmeTable.updated(updated, root: SampleTree.root) == updated)
  }

  @Test(arguments: [
    ("no table", ReadmeTable.opening),
    ("<!-- commands -->", ReadmeTable.closing),
    ("<!-- /commands -->\n<!-- commands -->", ReadmeTable.closing),
    ("in `<!-- commands -->` a line", ReadmeTable.opening),
  ]) func refusesReadmeWithoutMarkers(readme: String, missing: String) {
    #expect(throws: ReadmeError(missing: missing)) {
      try ReadmeTable.updated(readme, root: SampleTree.root)
    }
  }

  @Test(arguments: [(2026, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31), (2026, 1, 0)])
  func rejectsBadDates(year: Int, month: Int, day: Int) { #expect(PageDate(year: year, month: month, day: day) == nil) }

  @Test func acceptsALeapDay() { #expect(PageDate(year: 2028, month: 2, day: 29) != nil) }
}
