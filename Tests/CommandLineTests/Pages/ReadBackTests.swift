import CommandLine
import Support
import Testing

/// The displayed options must be exactly those of the tree: none missing, none added.
@Suite struct ReadBackTests {
  static let positions = CommandPosition(root: SampleTree.root).subtree

  private func spellings(_ options: [OptionSchema]) -> Set<String> { Set(options.flatMap(\.spellings)) }

  @Test(arguments: positions.map(\.path)) func helpShowsAllOptions(path: [String]) throws {
    let position = try #require(CommandPosition(root: SampleTree.root, path: path))
    let own = position.command.options
    let heading = position.isRoot ? "Global options" : "Options"
    for columns in [40, 80, 100] {
      let page = try #require(HelpPage(root: SampleTree.root, path: path, columns: columns))
      let brief = PageReader.helpSpellings(page.text(.brief), under: heading)
      #expect(brief == own.filter { !$0.isAdvanced }.flatMap { shown($0) })
      for detail in [HelpDetail.full, .complete] {
        #expect(PageReader.helpSpellings(page.text(detail), under: heading) == own.flatMap { shown($0) })
        if !position.isRoot {
          #expect(page.text(detail).contains("\nGlobal options: \(SampleTree.root.name) help options\n"))
        }
      }
    }
  }

  /// A command with two groups of options, one of them interrupted by an option of the other.
  private static let grouped = CommandSchema(
    name: "ifttt", summary: "Work with lamps",
    subcommands: [
      CommandSchema(
        name: "list", summary: "List lamps",
        options: [
          OptionSchema(name: "as", help: "Authentication level", isAdvanced: true, group: "Credentials"),
          OptionSchema(name: "ordered", help: "In the order of the users", isNegatable: true, group: "Many users"),
          OptionSchema(name: "status", short: "s", help: "Only this status"),
          OptionSchema(
            name: "key-file", short: "k", help: "Read the key from here", value: ValueSchema(placeholder: "FILE"),
            group: "Credentials"),
        ])
    ])

  /// Brief and full pages name each option of a group in one paragraph; only the complete page describes it.
  @Test(arguments: [40, 80, 100]) func groupsOfOptionsAreFolded(columns: Int) throws {
    let page = try #require(HelpPage(root: Self.grouped, path: ["list"], columns: columns))
    let (brief, full, complete) = (page.text(.brief), page.text(.full), page.text(.complete))
    for text in [brief, full, complete] {
      #expect(PageReader.helpSpellings(text, under: "Options") == ["-s", "--status"])
    }
    for text in [brief, full] {
      #expect(text.contains("\nCredentials: --as, --key-file\nMany users: --[no-]ordered\n"))
      #expect(!text.contains("Authentication level"))
    }
    #expect(PageReader.helpSpellings(complete, under: "Credentials") == ["--as", "-k", "--key-file"])
    #expect(PageReader.helpSpellings(complete, under: "Many users") == ["--ordered", "--no-ordered"])
    #expect(complete.contains("Authentication level"))
    #expect(full.contains("ifttt help list --all\n") && !complete.contains("--all"))
  }

  @Test(.enabled(if: Tool.isInstalled("mandoc"), "skipped: needs mandoc")) func manPagesDescribeGroupsLast() throws {
    let contents = SampleTree.contents
    let page = try #require(ManPage.text(root: Self.grouped, path: ["list"], contents: contents))
    let shown = try PageReader.mandocSpellings(page, in: "OPTIONS")
    #expect(shown == ["-s", "--status", "--as", "-k", "--key-file", "--ordered", "--no-ordered"])
    #expect(try PageReader.mandocComplaints([("ifttt-list.1", page)]) == [])
  }

  @Test(.enabled(if: Tool.isInstalled("mandoc"), "skipped: needs mandoc"), arguments: positions.map(\.path))
  func manPageShowsAllOptions(path: [String]) throws {
    let position = try #require(CommandPosition(root: SampleTree.root, path: path))
    let page = try #require(ManPage.text(root: SampleTree.root, path: path, contents: SampleTree.contents))
    let section = position.isRoot ? "GLOBAL OPTIONS" : "OPTIONS"
    #expect(try PageReader.mandocSpellings(page, in: section) == position.command.options.flatMap { shown($0) })
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bashOffersAllOptions() throws {
    let offered = try Shells.bashCompletions(script: script(.bash), lines: lines("-"))
    try check(offered) { spellings($0.acceptedOptions) }
    let names = try Shells.bashCompletions(script: script(.bash), lines: lines(""))
    try checkNames(names)
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fishOffersAllOptions() throws {
    let offered = try Shells.fishCompletions(script: script(.fish), lines: lines("-"))
    try check(offered.map { $0.map(\.value) }) { spellings($0.acceptedOptions) }
    let names = try Shells.fishCompletions(script: script(.fish), lines: lines(""))
    try checkNames(names.map { $0.map(\.value) })
    for (position, shown) in zip(Self.positions, offered) {
      let helps = position.acceptedOptions.flatMap { option in option.spellings.map { ($0, option.help(for: $0)) } }
      let expected = Dictionary(uniqueKeysWithValues: helps)
      for candidate in shown { #expect(candidate.description == expected[candidate.value]) }
    }
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zshOffersAllOptions() throws {
    let offered = try Shells.zshCompletions(script: script(.zsh), lines: lines("-"))
    try check(offered.map { $0.map(\.value) }) { spellings($0.acceptedOptions) }
    let names = try Shells.zshCompletions(script: script(.zsh), lines: lines(""))
    try checkNames(names.map { $0.map(\.value) })
  }

  private func script(_ shell: CompletionShell) -> String { Completion.script(for: shell, root: SampleTree.root) }

  private func lines(_ word: String) -> [String] { Self.positions.map { "\($0.line) \(word)" } }

  private func check(_ offered: [[String]], against expected: (CommandPosition) -> Set<String>) throws {
    try #require(offered.count == Self.positions.count)
    for (position, names) in zip(Self.positions, offered) {
      #expect(Set(names) == expected(position), "\(position.line)")
      #expect(Set(names).count == names.count, "offered twice by \(position.line)")
    }
  }

  /// Groups without arguments offer only their subcommands.
  private func checkNames(_ offered: [[String]]) throws {
    try #require(offered.count == Self.positions.count)
    for (position, names) in zip(Self.positions, offered) where !position.isRunnable {
      #expect(Set(names) == Set(position.subcommands.map(\.command.name)), "\(position.line)")
    }
  }

  /// The spellings in the order of the pages: the short name first.
  private func shown(_ option: OptionSchema) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + option.spellings.filter { $0.hasPrefix("--") }
  }
}
