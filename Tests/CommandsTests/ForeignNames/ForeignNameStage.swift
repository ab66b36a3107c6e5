import CommandLine
import ProgramDriver
import Support
import Testing
import Text
import World

@testable import Commands
@testable import Session

/// Runs command lines with unknown names in the sandbox profile, and then the command lines that the errors suggest.
struct ForeignNameStage {
  struct Run {
    let code: ExitCode
    let errors: String

    /// The suggestions in `Did you mean 'a', 'b' or 'c'?`.
    var suggestions: [String] {
      // With --json, the question is the hint of an object.
      let beginnings = ["Did you mean ", #"{"error":{"#]
      guard
        let line = errors.split(separator: "\n").first(where: { line in beginnings.contains { line.hasPrefix($0) } }),
        let question = line.firstRange(ofText: "Did you mean ")
      else { return [] }
      var found: [String] = []
      var rest = line[question.upperBound...]
      while let start = rest.firstIndex(where: { $0 == "'" || $0 == "\u{201c}" }) {
        let mark: Character = rest[start] == "'" ? "'" : "\u{201d}"
        let text = rest[rest.index(after: start)...]
        guard let end = text.firstIndex(of: mark) else { break }
        found.append(String(text[..<end]))
        rest = text[text.index(after: end)...]
      }
      return found
    }
  }

  let folder = TemporaryFolder()

  init() { folder.write("a.file", "{}") }

  func run(_ line: String) -> Run {
    let world = TestWorld(
      environment: ["PATH": folder.path, "IFTTT_PROFILE": "sandbox"], now: Timestamp(milliseconds: 1_772_601_007_250),
      input: .text(""), folder: folder, seed: 7,
      programs: { (_, _) throws(SystemError) in ProcessResult(status: 1, output: []) })
    world.processes.browser = .success(())
    var given = world.world
    given.workingFolder = folder.path
    let code = Program.run(ShellWords.split(line) ?? [], world: given) { _ in NoTransport() }
    _ = world.output.text
    return Run(code: code, errors: world.errors.text)
  }

  /// Runs a suggested command line, with a value for each placeholder.
  func runSuggested(_ suggestion: String) -> Run {
    #expect(suggestion.hasPrefix("ifttt "), "not a complete command line: \(suggestion)")
    var words = suggestion.dropFirst("ifttt ".count).split(separator: " ").map(String.init)
    let command = words.filter { !$0.hasPrefix("-") }.prefix(2).joined(separator: " ")
    let typed = words
    words = words.enumerated().map { index, word in
      if let value = value(of: word, for: command) { return value }
      // The stage provides files by their absolute paths.
      if index > 0, typed[index - 1] == "--file", !word.hasPrefix("/") { return folder[word] }
      guard let sign = word.firstIndex(of: "="),
        let value = value(of: String(word[word.index(after: sign)...]), for: command)
      else { return word }
      return word[...sign] + value
    }
    let noun = command.prefix { $0 != " " }
    let ending = Self.endings[command] ?? (["service", "webhook", "api"].contains(noun) ? " --dry-run" : "")
    return run(words.joined(separator: " ") + ending)
  }

  /// Options that end commands that would otherwise run until they are stopped.
  private static let endings = ["connections watch": " --timeout 0", "connections wait": " --timeout 0"]

  /// A value for a placeholder of a command, given by its first two names; nil for any other word.
  func value(of placeholder: String, for command: String) -> String? {
    if let value = Self.valuesOfCommands[command]?[placeholder] { return value }
    if Self.files.contains(placeholder) { return folder["a.file"] }
    if let name = Self.newFolders[placeholder] { return folder[name] }
    return Self.values[placeholder]
  }

  private static let files: Set = ["FILE", "SOURCE", "PATH", "LOCATION"]
  private static let newFolders = ["DIR": "recorded", "DIRECTORY": "made"]

  /// The values of placeholders that mean something else in other commands.
  private static let valuesOfCommands = [
    "connections wait": ["FIELD=VALUE": "status=enabled"], "service events": ["ID": "1"],
  ]

  private static let values = [
    "ID": "Kd7Rn2Qx", "NAME": "work", "USER": "someone", "EVENT": "enter", "ENDPOINT": "actions/add_entry",
    "URL": "http://127.0.0.1:8976", "STATUS": "enabled", "RUN": "1", "SHELL": "bash",
    "SERVICE.ACTION": "tidebook.add_entry", "SERVICE.QUERY": "tidebook.list_tides",
    "SERVICE.TRIGGER": "location.exit_region_location", "FAULT": "status=503", "REGION": "home", "LABEL": "tides",
    "PUBLIC-KEY-FILE": "tides", "TEXT": "lamp", "N": "5", "FORMAT": "json", "A,B.C": "id", "DURATION": "5s",
    "TAG": "en", "LEVEL": "service", "SLUG": "lampost", "CODE": "lantern-4417",
    "FIELD=VALUE": "scene=Evening", "NAME=VALUE": "note=x", "FEATURE": "mw4tq9hzjc", "FIELD": "name",
    "WHEN": "auto", "CONDITION": "status=enabled", "CMD": "true", "METHOD": "GET", "LANGUAGE": "python",
    "KIND": "provider", "SHA256": String(repeating: "0", count: 64), "TYPE": "enabled",
    "ADDRESS": "127.0.0.1", "PORT": "8976", "IDENTITY": "7d1f0c93", "HOST:PORT": "127.0.0.1:2947", "SPEED": "10",
    "junit=FILE": "junit=r.xml", "ORDER": "enabled_count_desc", "PLATFORM": "ios", "URI": "lampost://done",
    "VERSION": "v2", "STYLE": "dark", "STATE": "initial", "INTEGER": "2", "SEED": "plain",
  ]
}
