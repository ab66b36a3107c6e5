import CommandLine
import Foundation
import PluginProtocol
import Support
import Testing

@testable import Commands
@testable import Plugins
@testable import Session

/// The options shown in every page and completion equal those of the tree.
@Suite struct TreePageTests {
  static let positions = CommandPosition(root: Root.tree.ownSchema).subtree
  /// The commands that the committed scripts complete, including those of the bundled plugin.
  static let completed = Result {
    CommandPosition(
      root: Root.tree.ownSchema.with([try Manifest(parsing: Array(Checkout.text(PagesCommand.bundledManifest).utf8))])
    ).subtree
  }

  @Test(arguments: positions.map(\.path)) func help(path: [String]) throws {
    let position = try #require(Self.positions.first { $0.path == path })
    let own = position.command.options.filter { $0.group == nil }
    let grouped = position.command.options.filter { $0.group != nil }
    let heading = position.isRoot ? "Global options" : "Options"
    for columns in [40, 80, 200] {
      let brief = try printed(path + ["-h"], columns: columns)
      let full = try printed(path + ["--help"], columns: columns)
      #expect(PageReader.helpSpellings(brief, under: heading) == own.filter { !$0.isAdvanced }.flatMap { shown($0) })
      #expect(PageReader.helpSpellings(full, under: heading) == own.flatMap { shown($0) })
      for option in grouped { #expect(PageReader.foldedNames(full).contains(option.name), "\(option.name)") }
      if !position.isRoot { #expect(full.contains("\nGlobal options: ifttt help options\n")) }
      let complete = try printed(["help"] + path + ["--all"], columns: columns)
      #expect(PageReader.helpSpellings(complete, under: heading) == own.flatMap { shown($0) })
      let described = Set(grouped.map(\.group)).flatMap { PageReader.helpSpellings(complete, under: $0 ?? "") }
      #expect(Set(described) == Set(grouped.flatMap { shown($0) }))
    }
  }

  /// The options of the sign-in protocol are named, but described only by `help grab login --all`.
  @Test func theBundledPluginFoldsItsProtocolOptions() throws {
    let login = try #require(Self.completed.get().first { $0.path == ["grab", "login"] })
    let page = try #require(HelpPage(root: login.root, path: login.path))
    let folded = login.command.options.filter { $0.group != nil }
    #expect(folded.count >= 12)
    for option in folded {
      #expect(PageReader.foldedNames(page.text(.full)).contains(option.name), "\(option.name)")
      #expect(!page.text(.full).contains("--\(option.name) "))
      let described = PageReader.helpSpellings(page.text(.complete), under: option.group ?? "")
      #expect(described.contains("--\(option.name)"))
    }
    #expect(login.command.options.contains { $0.name == "client-id" && $0.group == nil })
  }

  @Test(arguments: [40, 80, 200]) func helpOptionsListsAllGlobalOptions(columns: Int) throws {
    let page = try printed(["help", "options"], columns: columns).replacing("options:\n\n", with: "options:\n")
    let global = Root.tree.ownSchema.options
    #expect(PageReader.helpSpellings(page, under: "Global options") == global.flatMap { shown($0) })
  }

  @Test(arguments: positions.map(\.path)) func theHelpCommandPrintsFullHelp(path: [String]) throws {
    #expect(try printed(["help"] + path, columns: nil) == printed(path + ["--help"], columns: nil))
  }

  @Test(.enabled(if: Tool.isInstalled("mandoc"), "skipped: needs mandoc"), arguments: positions.map(\.path))
  func man(path: [String]) throws {
    let position = try #require(Self.positions.first { $0.path == path })
    let page = try printed(["man"] + path, columns: nil)
    // The program's own page also lists the bundled plugin.
    if !position.isRoot { #expect(try page == Checkout.text("man/man1/\(position.pageName).1")) }
    let section = position.isRoot ? "GLOBAL OPTIONS" : "OPTIONS"
    #expect(
      try Set(PageReader.mandocSpellings(page, in: section)) == Set(position.command.options.flatMap { shown($0) }))
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bash() throws {
    let script = try Checkout.text("completions/ifttt.bash")
    try checkOptions(Shells.bashCompletions(script: script, lines: lines("-")))
    try checkNames(Shells.bashCompletions(script: script, lines: lines("")))
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fish() throws {
    let script = try Checkout.text("completions/ifttt.fish")
    let options = try Shells.fishCompletions(script: script, lines: lines("-"))
    try checkOptions(options.map { $0.map(\.value) })
    for (position, offered) in zip(try Self.completed.get(), options) {
      let helps = position.acceptedOptions.flatMap { option in option.spellings.map { ($0, option.help(for: $0)) } }
      let expected = Dictionary(uniqueKeysWithValues: helps)
      for option in offered { #expect(option.description == expected[option.value]) }
    }
    let names = try Shells.fishCompletions(script: script, lines: lines(""))
    try checkNames(names.map { $0.map(\.value) })
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zsh() throws {
    let script = try Checkout.text("completions/_ifttt")
    let options = try Shells.zshCompletions(script: script, lines: lines("-"))
    try checkOptions(options.map { $0.map(\.value) })
    let names = try Shells.zshCompletions(script: script, lines: lines(""))
    try checkNames(names.map { $0.map(\.value) })
  }

  /// The output for these arguments. The run must succeed and change nothing.
  private func printed(_ words: [String], columns: Int?) throws -> String {
    let page = PrintedPages.page(words, columns: columns)
    #expect(page.code == .success)
    return page.text
  }

  private func lines(_ word: String) throws -> [String] { try Self.completed.get().map { "\($0.line) \(word)" } }

  private func checkOptions(_ offered: [[String]]) throws {
    let positions = try Self.completed.get()
    try #require(offered.count == positions.count)
    for (position, names) in zip(positions, offered) {
      #expect(Set(names) == Set(position.acceptedOptions.flatMap(\.spellings)), "\(position.line)")
      #expect(Set(names).count == names.count, "offered twice by \(position.line)")
    }
  }

  /// Checks that a noun offers only its commands, by both names.
  private func checkNames(_ offered: [[String]]) throws {
    let positions = try Self.completed.get()
    try #require(offered.count == positions.count)
    let aliases = Self.positions.flatMap(\.command.aliases)
    for (position, names) in zip(positions, offered) where !position.isRunnable {
      let second = aliases.filter { $0.dropLast() == position.path[...] }.compactMap(\.last)
      #expect(Set(names) == Set(position.subcommands.map(\.command.name) + second), "\(position.line)")
    }
  }

  /// The spellings in the order of the pages: the short name first.
  private func shown(_ option: OptionSchema) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + option.spellings.filter { $0.hasPrefix("--") }
  }
}
