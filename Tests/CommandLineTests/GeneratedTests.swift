import CommandLine
import Support
import Testing

/// Random argument vectors: the parser never traps, its errors are well-formed, and its cost is linear.
@Suite struct GeneratedTests {
  static let pieces: [String] = [
    "connections", "list", "show", "run", "fields", "token", "exchange", "help", "--status", "--status=enabled", "-s",
    "-n5", "-n", "5", "--", "-", "--no-wait", "--wait", "--json", "-qv", "-qh", "--help", "-V", "--output", "csv", "a",
    "--set", "--ids=1,2", "--ids", "1,,", "--user-token", "--all", "--invite-code", "x=y", "", "--=", "-=", "日本", "---",
    "\u{1B}", "--fields", "a,b", "--bogus",
  ]

  static func word(_ random: inout SeededGenerator) -> RawArgument {
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      return RawArgument(
        bytes: (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    case 1:
      let characters = Array("-=,-abhnoqsvVwS5'\" \\é日\n")
      return RawArgument(
        String((0..<Int.random(in: 0...9, using: &random)).map { _ in characters.randomElement(using: &random) ?? "-" })
      )
    case 2:
      return RawArgument(
        String(repeating: pieces.randomElement(using: &random) ?? "", count: Int.random(in: 1...40, using: &random)))
    default: return RawArgument(pieces.randomElement(using: &random) ?? "")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func randomVectorsNeverTrap(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var kinds: Set<String> = []
    for _ in 0..<150 {
      let words = (0..<Int.random(in: 0...12, using: &random)).map { _ in Self.word(&random) }
      let environment = Bool.random(using: &random) ? [:] : ["IFTTT_OUTPUT": Self.word(&random).text]
      switch Sample.read(words, environment).outcome {
      case .run(_, let path, let provenance):
        kinds.insert("run")
        #expect(Sample.parser.page(at: path) != nil)
        for entry in provenance { #expect(entry.line.utf8.count < 500) }
      case .help(let path, _):
        kinds.insert("help")
        #expect(Sample.parser.page(at: path) != nil)
      case .version: kinds.insert("version")
      case .usage(let error):
        kinds.insert("usage")
        try HostileInputTests.checkShape(error)
      }
    }
    #expect(kinds.contains("usage") && kinds.count >= 2)
  }

  /// A valid line has the same result in whatever order its options and arguments are.
  @Test(arguments: 0..<20 as Range<UInt64>) func orderDoesNotMatter(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = [["-q"], ["--output", "csv"], ["--service-key-file=k"], ["--invite-code", "abcde"], ["--retries=2"]]
      .shuffled(using: &random)
    var words: [String] = ["connections", "show"]
    for (part, id) in zip(parts, ["a", "b", "c", "d", "e"]) {
      words += Bool.random(using: &random) ? part + [id] : [id] + part
    }
    let reading = Sample.read(words.map { RawArgument($0) })
    guard case .run(let action, _, _) = reading.outcome else {
      Issue.record("expected a run: \(words)")
      return
    }
    #expect(action == .show(.init(ids: ["a", "b", "c", "d", "e"], keyFile: "k", invite: "abcde")))
    #expect(reading.globals == Sample.Globals(output: .csv, retries: 2, quiet: true))
  }

  /// Counts the parser's work for each argument: a value is parsed once, and its array is copied only in order to
  /// grow.
  enum Many: CommandDefinition {
    struct Options: CommandOptions {
      var values: [Int] = []
      var reads = 0
      var moves = 0
      var base: UInt = 0

      mutating func poll() {
        reads += 1
        let now = values.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        if now != base { (moves, base) = (moves + 1, now) }
      }
    }
    static let name = "many"
    static let summary = "Takes many"
    static var flags: [Flag<Options>] {
      let flag = Flag<Options>.repeated("value", .integer(), into: \.values, help: "")
      return [
        Flag(flag.schema) { (options: inout Options, given: ParsedValue) throws(ValueError) in
          try flag.apply(&options, given)
          options.poll()
        }
      ]
    }
    static var positionals: [Positional<Options>] {
      let positional = Positional<Options>.many(.integer(), into: \.values, help: "")
      return [
        Positional(positional.schema) { (options: inout Options, given: ParsedValue) throws(ValueError) in
          try positional.apply(&options, given)
          options.poll()
        }
      ]
    }
  }

  @Test(arguments: [1_000, 10_000]) func theCostIsLinear(_ count: Int) {
    let parser = Parser(
      root: CommandGroup<Many.Options, Void>("ifttt", summary: "") { [.command(Many.self, facts: ()) { $0 }] },
      globals: Sample.Globals.flags, defaults: Sample.Globals())
    let words =
      [RawArgument("many")]
      + (0..<count).map { $0.isMultiple(of: 2) ? RawArgument("--value=\($0)") : RawArgument("\($0)") }
    var lookups = 0
    let reading = parser.parse(words) { _ in
      lookups += 1
      return nil
    }
    guard case .run(let options, _, _) = reading.outcome else {
      Issue.record("expected a run")
      return
    }
    #expect(options.reads == count)
    #expect(options.values.count == count)
    // An array that doubles its capacity moves about log2(count) times.
    #expect(options.moves < 40)
    // One lookup for each option with a variable.
    #expect(lookups == 4)
  }

  @Test func anErrorAmongTenThousandArgumentsShowsOnlyItsNeighbors() throws {
    let words = ["connections", "show"] + (0..<10_000).map { "id\($0)" } + ["--bogus"]
    let error = try Sample.error(words.map { RawArgument($0) })
    #expect(try #require(error.line).utf8.count < 120)
  }
}
