import CommandLine
import Testing

/// The committed files.
@Suite struct PagesBundleTests {
  @Test func containsEveryPageOnce() {
    let bundle = PagesBundle(root: SampleTree.root, contents: SampleTree.contents)
    let manual = CommandPosition(root: SampleTree.root).subtree.map { "man/man1/\($0.pageName).1" }
    let scripts = ["completions/ifttt.bash", "completions/_ifttt", "completions/ifttt.fish"]
    #expect(bundle.files.map(\.path).sorted() == (manual + scripts + ["docs/commands.md"]).sorted())
  }

  @Test func theSameTreeProducesTheSamePages() {
    let first = PagesBundle(root: SampleTree.root, contents: SampleTree.contents)
    let second = PagesBundle(root: SampleTree.root, contents: SampleTree.contents)
    #expect(first.files.map(\.text) == second.files.map(\.text))
  }

  @Test func thePageOfAllCommandsHasTheTable() {
    let page = CommandTable.page(root: SampleTree.root)
    #expect(page.hasPrefix("# Commands\n\n") && page.hasSuffix("\n\n" + CommandTable.table(root: SampleTree.root)))
  }

  @Test(arguments: [(2026, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31), (2026, 1, 0)])
  func rejectsBadDates(year: Int, month: Int, day: Int) { #expect(PageDate(year: year, month: month, day: day) == nil) }

  @Test func acceptsALeapDay() { #expect(PageDate(year: 2028, month: 2, day: 29) != nil) }
}
