import Pages
import Support
import Testing

/// What each shell offers at the end of a line, where one rule holds for all three.
@Suite struct CompletionTests {
  struct Case: Sendable {
    let line: String
    /// Whole values; the cases hold what a shell repeats before them.
    let offers: [String]
    /// What bash leaves out since readline keeps it: the part up to the last `=` or `:`.
    var kept = ""
    init(_ line: String, _ offers: [String], kept: String = "") {
      (self.line, self.offers, self.kept) = (line, offers, kept)
    }
  }

  static let cases = [
    Case("ifttt con", ["connections", "configure"]),
    Case("ifttt __", []),
    Case("ifttt --output js", ["json"]),
    Case("ifttt --output=", ["--output=table", "--output=json", "--output=csv"], kept: "--output="),
    Case("ifttt -oj", ["-ojson"]),
    Case("ifttt -o j", ["json"]),
    Case("ifttt connections list -qoj", ["-qojson"]),
    Case("ifttt -o json con", ["connections", "configure"]),
    Case("ifttt -qo json con", ["connections", "configure"]),
    Case("ifttt --output json connections l", ["list"]),
    Case("ifttt connections list --outp", ["--output"]),
    // Given once is enough, in whichever form; what may be repeated is offered again.
    Case("ifttt connections list --output=csv --outp", []),
    Case("ifttt -o csv connections list --outp", []),
    Case("ifttt connections list --no-track --tr", []),
    Case("ifttt connections list -s enabled --st", ["--status"]),
    Case("ifttt -v --verb", ["--verbose"]),
    // An option of the same name hides the global one.
    Case("ifttt connections disable --qui", ["--quiet"]),
    Case("ifttt connections disable -q --qui", []),
    // After `--` there are only arguments.
    Case("ifttt connections list -- --st", []),
    Case("ifttt connections export -- js", ["json"]),
    Case("ifttt connections export js", ["json"]),
    Case("ifttt connections export json js", []),
    Case("ifttt connections export --output csv js", ["json"]),
    Case("ifttt help con", ["connections", "configure"]),
    Case("ifttt help connections e", ["export"]),
    Case("ifttt 'connections' \"li", ["list"]),
    Case("ifttt connections list --limit ", []),
    Case("ifttt connections list --unknown=", []),
    Case("ifttt connections list --raw=", []),
    Case("ifttt nonsense con", []),
  ]

  private func script(_ shell: CompletionShell) -> String { Completion.script(for: shell, root: SampleTree.root) }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bash() throws {
    let offered = try Shells.bashCompletions(script: script(.bash), lines: Self.cases.map(\.line))
    try #require(offered.count == Self.cases.count)
    for (expected, offers) in zip(Self.cases, offered) {
      #expect(offers.map { expected.kept + $0 } == expected.offers, "\(expected.line)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fish() throws {
    let offered = try Shells.fishCompletions(script: script(.fish), lines: Self.cases.map(\.line))
    try #require(offered.count == Self.cases.count)
    for (expected, offers) in zip(Self.cases, offered) {
      // Where nothing begins with the word, fish offers what resembles it.
      let word = expected.line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
      let fitting = offers.map(\.value).filter { $0.hasPrefix(word.filter { $0 != "\"" }) }
      #expect(Set(fitting) == Set(expected.offers), "\(expected.line)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zsh() throws {
    let offered = try Shells.zshCompletions(script: script(.zsh), lines: Self.cases.map(\.line))
    try #require(offered.count == Self.cases.count)
    for (expected, offers) in zip(Self.cases, offered) {
      #expect(Set(offers.map(\.value)) == Set(expected.offers), "\(expected.line)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zshShowsDescriptions() throws {
    let offered = try Shells.zshCompletions(script: script(.zsh), lines: ["ifttt ", "ifttt -o j"])
    #expect(offered.first?.first?.description == "connections  -- Track, list and switch connections")
    #expect(offered.last?.first?.description == "json  -- one document: an array [or an object]")
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash"))
  func bashShowsDescriptionsOnlyWhereItInsertsNothing() throws {
    let program = try FakeProgram()
    let line = "ifttt --profile a"
    let listed = try Shells.bashCompletions(script: script(.bash), lines: [line], programs: program.path, type: 63)
    #expect(listed.first?.first == "alpha  (words: on $(touch ran) alpha)")
    let inserted = try Shells.bashCompletions(script: script(.bash), lines: [line], programs: program.path)
    #expect(inserted.first?.first == "alpha")
  }
}
