import CommandLine
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// `--sort`, `--limit` and `--search` of the commands that print a list.
@Suite struct RowSelectionProgramTests {
  private let home = Home()

  private func ids(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    let run = home.sandbox("\(line) --fields id -o tsv --no-header", sourceLocation: sourceLocation)
    #expect(run.exit == .success, "\(run.errors)", sourceLocation: sourceLocation)
    return run.lines
  }

  // MARK: The commands

  /// Every command that prints several rows, and whether they are a list. The rows of the others report what the
  /// command did or saw: each counts, and the work must not end with the last one shown.
  private static let isList: [String: Bool] = [
    "applets fetch": true, "connections diff": true, "connections history": true, "connections list": true,
    "connections options": true, "connections query": true, "location events list": true, "location regions": true,
    "plugin index list": true, "plugin list": true, "plugin outdated": true, "plugin search": true,
    "plugin trust list": true, "profile list": true, "sandbox activity": true, "sandbox faults list": true,
    "sandbox requests": true, "sandbox status": true, "sandbox users": true, "schema": true, "service call": true,
    "service events list": true,
    "token list": true,
    "applets disable": false, "applets enable": false, "configure": false, "connections add": false,
    "connections apply": false, "connections disable": false, "connections enable": false, "connections redo": false,
    "connections remove": false, "connections undo": false, "connections wait": false, "connections watch": false,
    "doctor": false, "location events clear": false, "location events flush": false, "location off": false,
    "location on": false, "location replay": false, "plugin index update": false, "plugin test": false,
    "plugin upgrade": false, "plugin verify": false, "sandbox faults clear": false, "sandbox faults set": false,
    "service events replay": false, "service listen": false, "service notify": false, "service test": false,
    "store check": false, "token remove": false,
  ]

  @Test func everyCommandWithRowsIsKnown() {
    let positions = CommandPosition(root: Root.tree.ownSchema).subtree.filter { $0.isRunnable && !$0.isRoot }
    var found: [String: Bool] = [:]
    for position in positions {
      let options = Set(position.command.options.map(\.name))
      let path = position.path.joined(separator: " ")
      if let shape = Root.group.outputSchema(of: position.path), shape.form == .many {
        found[path] = options.isSuperset(of: ["sort", "limit", "search"])
      } else {
        #expect(options.isDisjoint(with: ["sort", "limit", "search"]), "\(path)")
      }
    }
    #expect(found == Self.isList)
  }

  // MARK: Rows

  @Test func sortsLimitsAndSearches() throws {
    let all = ids("connections list")
    #expect(all.count > 4)
    #expect(ids("connections list --sort id") == all.sorted { $0.lowercased() < $1.lowercased() })
    #expect(ids("connections list --sort -id --limit 2") == Array(ids("connections list --sort -id").prefix(2)))
    #expect(ids("connections list --limit 3") == Array(all.prefix(3)))
    #expect(ids("connections list --limit 0") == [])
    #expect(ids("connections list --limit 9999") == all)
    #expect(ids("connections list --search KD7RN2QX") == ["Kd7Rn2Qx"])
    #expect(ids("connections list --search never_enabled") == ids("connections list --status never_enabled"))
    #expect(
      ids("connections list --search enabled --sort status,-id --limit 1")
        == ids(
          "connections list --sort status,-id --search enabled"
        ).prefix(1).map(\.self))
  }

  /// The fields that are printed need not be those that the selection reads.
  @Test func fieldsAndSelectionAreIndependent() {
    let byStatus = home.sandbox("connections list --sort status,id --fields status -o tsv --no-header").lines
    #expect(byStatus == byStatus.sorted() && Set(byStatus).count > 1)
    #expect(
      home.sandbox("connections list --search Kd7Rn2Qx --fields status --json").output
        == "[\n{\"status\":\"enabled\"}\n]\n")
  }

  @Test func everyFormatHasTheSameRows() {
    let wanted = ids("connections list --sort -id --limit 3")
    for format in ["json", "jsonl", "csv", "tsv", "table"] {
      let run = home.sandbox("connections list --sort -id --limit 3 --fields id -o \(format)")
      let found = run.lines.compactMap { line in wanted.first { line.contains($0) } }
      #expect(found == wanted, "\(format): \(run.output)")
    }
    #expect(home.sandbox("connections list --limit 0 --json").output == "[]\n")
    #expect(home.sandbox("connections list --limit 0 -o csv --fields id").output == "id\n")
  }

  /// Commands know nothing about the selection, whatever the form of their rows.
  @Test(arguments: [
    "profile list", "schema", "applets fetch", "connections options Kd7Rn2Qx", "location regions", "token list",
    "connections query Kd7Rn2Qx list_tides --all", "plugin list",
  ])
  func listsOfAllKinds(line: String) throws {
    func rows(_ options: String) throws -> [JSONValue] {
      let run = home.sandbox("\(line) -o jsonl \(options)")
      #expect(run.exit == .success, "\(run.errors)")
      return try run.lines.map { try JSONValue(parsing: Array($0.utf8)) }
    }
    let all = try rows("")
    #expect(try rows("--limit 1").count == min(all.count, 1))
    #expect(try rows("--search 'no row has this text'") == [])
    guard let key = all.first?.object?.members.first(where: { $0.value.string != nil })?.key else { return }
    let sorted = try rows("--sort -\(key)").compactMap { $0[key]?.string?.lowercased() }
    let texts = all.compactMap { $0[key]?.string?.lowercased() }
    #expect(sorted == texts.sorted { $1.utf8.lexicographicallyPrecedes($0.utf8) })
  }

  /// A dry run shows every request.
  @Test func aDryRunIsNotAList() {
    let all = home.sandbox("connections list --refresh --dry-run -o jsonl")
    #expect(all.exit == .success && all.lines.count > 4)
    let some = home.sandbox("connections list --refresh --dry-run -o jsonl --limit 1 --sort id --search x")
    #expect(some.exit == .success && some.lines.count == all.lines.count)
  }

  @Test func manyUsers() {
    let home = Home()
    home.environment["IFTTT_SERVICE_KEY"] = "key-of-the-tests-0123456789"
    home.secrets.append("key-of-the-tests-0123456789")
    let users = home.folder.write("users", "user_id\nu-1\nu-2\nu-3\n")
    home.run("connections add a1 --as anonymous", answers: Server().answering(200, Server.connection("a1")))
    func listed(_ options: String, _ statuses: [String]) -> [String] {
      let server = statuses.reduce(Server()) { $0.answering(200, Server.connection("a1", status: $1)) }
      let line = "connections list --users \(users) --jobs 1 -o tsv --no-header --fields user_id"
      let run = home.run("\(line) \(options)", answers: server)
      #expect(run.exit == .success, "\(run.errors)")
      return run.lines
    }
    let statuses = ["enabled", "disabled", "enabled"]
    #expect(listed("--sort -user_id", statuses) == ["u-3", "u-2", "u-1"])
    #expect(listed("--sort status,-user_id --limit 2", statuses) == ["u-2", "u-3"])
    #expect(listed("--search DISABLED", statuses) == ["u-2"])
    // The requests end with the last row. Another one would have no response.
    #expect(listed("--limit 1", ["enabled"]) == ["u-1"])
  }

  // MARK: Notes

  @Test func aTerminalShowsHowManyRowsThereAre() {
    let count = ids("connections list").count
    home.terminal = Terminal(
      inputIsTerminal: false, outputIsTerminal: true, errorIsTerminal: true, columns: 80)
    #expect(home.sandbox("connections list --sort id --limit 2").errors.contains("Showing 2 of \(count) rows."))
    #expect(!home.sandbox("connections list --sort id").errors.contains("Showing"))
    #expect(!home.sandbox("connections list --limit 2").errors.contains("Showing"), "counting would read all rows")
    #expect(!home.sandbox("connections list --sort id --limit 2 -q").errors.contains("Showing"))
    home.terminal = .none
    #expect(home.sandbox("connections list --sort id --limit 2").errors == "")
  }

  @Test func aSearchWithoutResultIsExplained() {
    #expect(home.sandbox("connections list --search nothing").errors == "No row contains the text of --search.\n")
    #expect(home.sandbox("connections list --search nothing --json").errors == "")
  }

  // MARK: Usage

  @Test(arguments: ["--limit -1", "--limit x", "--limit ''", "--search ''", "--sort ''", "--sort id,,name", "--sort -"])
  func invalidValuesAreUsageErrors(options: String) {
    let run = Home().run("connections list \(options)")
    #expect(run.exit == .usage && run.output == "", "\(run.errors)")
  }

  @Test func unknownFieldsAreUsageErrorsBeforeAnythingIsSent() {
    let home = Home()
    let run = home.run("connections list --sort id,-nmae")
    #expect(run.exit == .usage)
    #expect(run.errors.contains("invalid value 'nmae' for '--sort': no such field"), "\(run.errors)")
    #expect(run.errors.contains("Did you mean 'name'?") && run.errors.contains("Accepted values: id, name, "))
    #expect(home.folder.names == [])
    // A field of the other output of the same command.
    let other = home.sandbox("connections history --sort before")
    #expect(other.exit == .usage && other.errors.contains("unknown field 'before'"), "\(other.errors)")
  }

  @Test func textIsNotAList() {
    let run = home.sandbox("schema connection --limit 3")
    #expect(run.exit == .usage && run.errors.contains("this output is not a list"), "\(run.errors)")
  }

  @Test(arguments: ["sandbox activity", "sandbox requests", "service call http://127.0.0.1:9 triggers/a"])
  func followedRowsCannotBeSorted(line: String) {
    let run = Home().run("\(line) --follow --sort -number")
    #expect(run.exit == .usage && run.errors.contains("--sort cannot be combined with --follow"), "\(run.errors)")
  }

  // MARK: Completion

  @Test func completionOffersFieldsInBothDirections() {
    func candidates(_ prefix: String) -> [String] {
      home.run("__complete sort-field '--command=connections list' -- '\(prefix)'").lines
    }
    #expect(candidates("na").contains("name") && !candidates("na").contains("-name"))
    #expect(candidates("-na").contains("-name"))
    let sort = Root.tree.ownSchema.subcommands.first { $0.name == "connections" }?.subcommands.first {
      $0.name == "list"
    }?
    .options.first { $0.name == "sort" }
    #expect(sort?.value == ValueSchema(placeholder: "FIELD,-FIELD", completion: .dynamicList("sort-field")))
  }
}
