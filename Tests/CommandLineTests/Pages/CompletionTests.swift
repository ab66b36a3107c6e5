import CommandLine
import Support
import Testing

/// The candidates of each shell at the end of a line, for rules that are the same in all three.
@Suite struct CompletionTests {
  struct Case: Sendable {
    let line: String
    /// The complete values; a shell may add a repeated prefix.
    let offers: [String]
    /// The prefix that bash omits because readline keeps it: the part up to the last `=` or `:`.
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
    // An option is offered only once, in any of its forms, unless it is repeatable.
    Case("ifttt connections list --output=csv --outp", []),
    Case("ifttt -o csv connections list --outp", []),
    Case("ifttt connections list --no-track --tr", []),
    Case("ifttt connections list -s enabled --st", ["--status"]),
    Case("ifttt -v --verb", ["--verbose"]),
    // An option of the same name hides the global one.
    Case("ifttt connections disable --qui", ["--quiet"]),
    Case("ifttt connections disable -q --qui", []),
    // Only arguments follow `--`.
    Case("ifttt connections list -- --st", []),
    Case("ifttt connections export -- js", ["json"]),
    Case("ifttt connections export js", ["json"]),
    Case("ifttt connections export json js", []),
    Case("ifttt connections export --output csv js", ["json"]),
    Case("ifttt help con", ["connections", "configure"]),
    Case("ifttt help exit", ["exit-codes"]),
    Case("ifttt help connections exit", []),
    Case("ifttt help connections e", ["export"]),
    Case("ifttt 'connections' \"li", ["list"]),
    Case("ifttt connections list --limit ", []),
    Case("ifttt connections list --unknown=", []),
    Case("ifttt connections list --raw=", []),
    Case("ifttt nonsense con", []),
  ]

  private func script(_ shell: CompletionShell) -> String { Completion.script(for: shell, root: SampleTree.root) }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bashOffersTheCandidates() throws {
    let offered = try Shells.bashCompletions(script: script(.bash), lines: Self.cases.map(\.line))
    try #require(offered.count == Self.cases.count)
    for (expected, offers) in zip(Self.cases, offered) {
      #expect(offers.map { expected.kept + $0 } == expected.offers, "\(expected.line)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fishOffersTheCandidates() throws {
    let offered = try Shells.fishCompletions(script: script(.fish), lines: Self.cases.map(\.line))
    try #require(offered.count == Self.cases.count)
    for (expected, offers) in zip(Self.cases, offered) {
      // If no candidate has this prefix, fish offers similar ones.
      let word = expected.line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
      let fitting = offers.map(\.value).filter { $0.hasPrefix(word.filter { $0 != "\"" }) }
      #expect(Set(fitting) == Set(expected.offers), "\(expected.line)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zshOffersTheCandidates() throws {
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
  func bashShowsDescriptionsOnlyWhenListing() throws {
    let program = try FakeProgram()
    let line = "ifttt --profile a"
    let listed = try Shells.bashCompletions(script: script(.bash), lines: [line], programs: program.path, type: 63)
    #expect(listed.first?.first == "alpha  (words: on $(touch ran) alpha)")
    let inserted = try Shells.bashCompletions(script: script(.bash), lines: [line], programs: program.path)
    #expect(inserted.first?.first == "alpha")
  }
}
