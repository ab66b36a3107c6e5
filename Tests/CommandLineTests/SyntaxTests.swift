import CommandLine
import Testing
import Text

/// The ways to write options, and their results.
@Suite struct SyntaxTests {
  @Test(arguments: [
    "--limit=5", "--limit 5", "-n5", "-n 5", "--limit=4 --limit=5", "-n4 --limit 5", "-n=4 -n5", "--limit=+5",
    "--limit=005",
  ])
  func acceptsEveryFormOfAValue(_ options: String) throws {
    guard options != "-n=4 -n5" else {
      let error = try Sample.error("connections list \(options)")
      #expect(error.hints.map(\.text) == ["After a short option, write the value without '='."])
      return
    }
    #expect(try Sample.action("connections list \(options)") == .list(.init(limit: 5)))
  }

  @Test func joinsShortSwitches() throws {
    let reading = try Sample.read("connections list -qvn5")
    #expect(reading.globals.quiet && reading.globals.verbose)
    #expect(try Sample.action("connections list -qvwn 5") == .list(.init(limit: 5, wait: true)))
    #expect(try Sample.action("connections list -wS-q -S '' -S=x") == .list(.init(wait: true, sets: ["-q", "", "=x"])))
  }

  @Test func doubleDashEndsOptions() throws {
    #expect(try Sample.action("connections show -- --all -q --") == .show(.init(ids: ["--all", "-q", "--"])))
    #expect(try Sample.action("connections show a -- -h") == .show(.init(ids: ["a", "-h"])))
    #expect(try Sample.action("-- connections show --all") == .show(.init(ids: ["--all"])))
  }

  @Test func aLoneDashIsAnArgument() throws {
    #expect(try Sample.action("connections fields - a b") == .fields(.init(first: "-", middle: ["a"], last: "b")))
    #expect(
      try Sample.action("connections show a --service-key-file -") == .show(.init(ids: ["a"], keyFile: "-")))
  }

  /// An id is never read from stdin by a dash.
  @Test func aLoneDashIsNotAnId() throws {
    #expect(
      try Sample.error("connections show - a").message
        == "invalid value '-' for 'ID': it is not an id, and this command does not read ids from stdin")
  }

  @Test func emptyDiffersFromAbsent() throws {
    #expect(try Sample.action("connections list --set=") == .list(.init(sets: [""])))
    #expect(try Sample.action("connections list --set ''") == .list(.init(sets: [""])))
    #expect(try Sample.action("connections list") == .list(.init()))
    #expect(
      try Sample.error("connections list --profile=").message
        == "invalid value '' for '--profile': it must not be empty")
    #expect(try Sample.action("connections fields '' '' d") == .fields(.init(first: "", middle: [""], last: "d")))
  }

  @Test func aSwitchRejectsAValue() throws {
    let error = try Sample.error("connections list --quiet=yes")
    #expect(error.kind == .unwantedValue)
    #expect(error.message == "option '--quiet' does not accept a value")
    #expect(error.carets == "                              ^^^^")
    #expect(error.hints.isEmpty)
    #expect(try Sample.error("connections list --no-wait=").hints.map(\.text) == ["Use '--no-wait' to turn it off."])
    #expect(try Sample.error("connections list -q=yes").kind == .unwantedValue)
    #expect(try Sample.error("connections list --help=yes").kind == .unwantedValue)
  }

  @Test func switchesCanBeNegated() throws {
    #expect(try Sample.action("connections list --no-header") == .list(.init(header: false)))
    #expect(try Sample.action("connections list --no-header --header") == .list(.init(header: true)))
    #expect(try Sample.action("connections list --wait") == .list(.init(wait: true)))
    #expect(try Sample.action("connections list --no-wait") == .list(.init(wait: false)))
    #expect(try Sample.error("connections list --no-quiet").kind == .unknownOption)
    #expect(try Sample.error("connections list --no-no-header").kind == .unknownOption)
    #expect(try Sample.error("connections list --no-").kind == .unknownOption)
  }

  @Test(arguments: ["--lim=5", "--statu enabled", "--stat", "--hea", "--no-hea", "--hel", "--vers", "--Limit=5", "-N5"])
  func optionsAreNotAbbreviated(_ option: String) throws {
    #expect(try Sample.error("connections list \(option)").kind == .unknownOption)
  }

  /// As in getopt, so that the meaning of a value does not depend on the existing options.
  @Test func theNextArgumentIsAlwaysTheValue() throws {
    #expect(try Sample.action("connections list --set --wait") == .list(.init(sets: ["--wait"])))
    #expect(try Sample.action("connections list --set -- --wait") == .list(.init(wait: true, sets: ["--"])))
    #expect(try Sample.action("connections list --set --help") == .list(.init(sets: ["--help"])))
    #expect(try Sample.action("connections list -S -5") == .list(.init(sets: ["-5"])))
    let error = try Sample.error("connections list --status --wait")
    #expect(error.hints.map(\.text) == ["The argument after '--status' is its value, even if it begins with a dash."])
  }

  @Test func theLastValueWinsAndAnEarlierInvalidOneIsReported() throws {
    #expect(try Sample.action("connections list --ids 1,2 --ids 3") == .list(.init(ids: [3])))
    #expect(
      try Sample.error("connections list --limit x --limit 3").message
        == "invalid value 'x' for '--limit': expected a whole number of at least 0")
    #expect(try Sample.error("connections list --limit 3 --limit x").kind == .invalidValue)
    #expect(try Sample.action("connections list --set a --set b -Sc") == .list(.init(sets: ["a", "b", "c"])))
    #expect(try Sample.action("connections list --as-csv") == .list(.init(sort: .csv)))
  }

  @Test func reportsAMissingValue() throws {
    let error = try Sample.error("connections list --status")
    #expect(error.kind == .missingValue)
    #expect(error.message == "option '--status' requires a value (VALUE)")
    #expect(error.accepted == ["enabled", "disabled", "never_enabled"])
    #expect(error.carets == "                       ^^^^^^^^")
    #expect(try Sample.error("connections list -wn").carets == "                         ^")
    #expect(try Sample.error("connections list -n").accepted.isEmpty)
  }
}
