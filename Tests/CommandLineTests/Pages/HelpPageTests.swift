import CommandLine
import Testing

/// How help fits the terminal, and how it shows unusual text.
@Suite struct HelpPageTests {
  private static let positions = CommandPosition(root: SampleTree.root).subtree

  @Test(arguments: [40, 60, 80, 100, 200]) func linesFitTheWidth(columns: Int) throws {
    for position in Self.positions {
      let page = try #require(HelpPage(root: SampleTree.root, path: position.path, columns: columns))
      // Examples are not wrapped, because they are pasted; other lines are never wider than 100 columns.
      let lines = (page.text(.brief) + page.text(.full)).split(separator: "\n").filter { !$0.hasPrefix("    $ ") }
      for line in lines { #expect(line.count <= min(columns, 100), "\(line)") }
    }
  }

  @Test func unknownAndHiddenCommandsHaveNoPage() {
    #expect(HelpPage(root: SampleTree.root, path: ["conections"]) == nil)
    #expect(HelpPage(root: SampleTree.root, path: ["connections", "list", "more"]) == nil)
    #expect(HelpPage(root: SampleTree.root, path: ["__complete"]) == nil)
  }

  @Test func onlyHeadingsAreStyled() throws {
    let plain = try #require(HelpPage(root: SampleTree.root, path: ["connections", "list"]))
    let styled = try #require(HelpPage(root: SampleTree.root, path: ["connections", "list"], isStyled: true))
    var bold: [Substring] = []
    var unstyled = ""
    for part in styled.text(.full).split(separator: "\u{1b}", omittingEmptySubsequences: false) {
      if part.hasPrefix("[1m") { bold.append(part.dropFirst(3)) }
      unstyled += part.hasPrefix("[1m") ? part.dropFirst(3) : part.hasPrefix("[0m") ? part.dropFirst(3) : part
    }
    #expect(unstyled == plain.text(.full))
    #expect(bold == ["Usage:", "Examples:", "Arguments:", "Options:", "Global options:"])
  }

  /// 18 options and two groups exceed a screen with their choices and blank lines, but not without.
  @Test func briefPageDropsBlankLinesBeforeItExceedsAScreen() throws {
    let choices = (1...12).map { Choice("choice-number-\($0)") }
    let options = (1...3).map { number in
      OptionSchema(
        name: "option-\(number)", help: "Does a thing",
        value: ValueSchema(placeholder: "THING", completion: .choices(choices)))
    }
    let groups = ["One", "Two", "Three", "Four"].map { CommandSchema(name: $0, summary: "A command", group: $0) }
    let root = CommandSchema(name: "ifttt", summary: "Many things", options: options, subcommands: groups)
    let page = try #require(HelpPage(root: root))
    #expect(page.text(.brief).split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 24)
    for option in options {
      #expect(page.text(.brief).split(separator: "\n").contains { $0.hasPrefix("      --\(option.name) ") })
    }
  }

  @Test func controlCharactersAreEscaped() throws {
    let root = CommandSchema(name: "ifttt", summary: "Red \u{1b}[31m\talert\r\nand \u{9b}more\u{7f}")
    let page = try #require(HelpPage(root: root))
    #expect(page.text(.full).hasPrefix("ifttt: Red \\u{1b}[31m alert and \\u{9b}more\\u{7f}\n"))
  }

  @Test func wideCharactersCountTwice() throws {
    let argument = ArgumentSchema(value: ValueSchema(placeholder: "日本"), help: "wide", isRequired: false)
    let other = ArgumentSchema(value: ValueSchema(placeholder: "ABCDE"), help: "narrow", isRequired: false)
    let root = CommandSchema(name: "ifttt", summary: "Widths", arguments: [argument, other])
    let page = try #require(HelpPage(root: root))
    #expect(page.text(.brief).split(separator: "\n").contains("  日本   wide"))
    #expect(page.text(.brief).split(separator: "\n").contains("  ABCDE  narrow"))
  }
}
