import Foundation
import Support
import Testing

/// Every option of every command of the built program with unsuitable values: the exit code is a documented one, and
/// stderr contains nothing that a terminal would interpret. InputFaultTests tries more values, in process.
@Suite struct ArgumentFaultTests {
  /// One option of one command, as described by `help --json`.
  struct Case: CustomTestStringConvertible {
    let path: [String]
    let options: [String]
    var testDescription: String { path.joined(separator: " ") }
  }

  static let values: [[UInt8]] = [
    [], Array("-".utf8), Array("--help".utf8), Array("-x".utf8), Array("a\nb".utf8), Array("\u{1b}[2J\u{7}".utf8),
    [0xff, 0xfe], [0x61, 0xc3], Array("\u{202e}x".utf8), Array("99999999999999999999999".utf8),
    Array(repeating: 0x61, count: 130_000), Array(repeating: 0xff, count: 130_000),
  ]

  /// The commands, read once from the program itself.
  static let commands: [Case] = {
    guard let outcome = try? Home().run("help", "--json"),
      let tree = try? JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    else { return [] }
    let globals = names(tree["options"])
    return cases(tree, path: []).map { Case(path: $0.path, options: $0.options + ($0.path.isEmpty ? [] : globals)) }
  }()

  private static func cases(_ node: [String: Any], path: [String]) -> [Case] {
    let below = (node["subcommands"] as? [[String: Any]] ?? []).flatMap { child in
      cases(child, path: path + [child["name"] as? String ?? ""])
    }
    return [Case(path: path, options: names(node["options"]))] + below
  }

  /// All options except the one that creates a folder with any name. That one is tested without real files.
  private static func names(_ options: Any?) -> [String] {
    (options as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }.filter { $0 != "record" }.map { "--" + $0 }
  }

  /// The further arguments that a command needs to reach the invalid value.
  private static func arguments(of path: [String]) -> [String] {
    switch path {
    case ["api"]: ["GET", "/v2/me"]
    case ["applets", "fetch"], ["connections", "list"]: []
    case ["applets", "enable"], ["applets", "disable"]: ["mB3xWq7T"]
    case ["connections", "wait"]: ["Kd7Rn2Qx", "--for", "status=enabled"]
    case let path where path.first == "connections" && path.count == 2: ["Kd7Rn2Qx"]
    case ["profile", "create"], ["profile", "set"], ["profile", "use"], ["profile", "remove"]: ["work"]
    default: []
    }
  }

  /// The command's arguments, with an option that ends it if it would otherwise run forever.
  private static func start(of path: [String]) -> [String] {
    path.last == "watch" || path.last == "wait" ? path + ["--timeout", "0"] : path
  }

  @Test func readsTheCommandTree() {
    #expect(Self.commands.count > 30)
    #expect(Self.commands.contains { $0.path == ["connections", "show"] && $0.options.contains("--user-token-file") })
  }

  /// Every option once, with one value after another.
  @Test func everyOptionFailsCleanly() throws {
    let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])
    var values = Self.values.makeIterator()
    // A server runs until it is stopped, so its options are tested elsewhere.
    for command in Self.commands where ![["sandbox", "start"], ["service", "listen"]].contains(command.path) {
      let own = command.options.filter { option in
        command.path.isEmpty || !Self.commands[0].options.contains(option)
      }
      for option in own + [""] {
        let value = values.next() ?? []
        if value.isEmpty { values = Self.values.dropFirst().makeIterator() }
        let word = option.isEmpty ? value : Array("\(option)=".utf8) + value
        let words = (Self.start(of: command.path) + Self.arguments(of: command.path)).map { Array($0.utf8) } + [word]
        let outcome = try home.run(bytes: words)
        evaluate(outcome.status, outcome.errors, words)
      }
    }
    #expect(try home.isIntact())
  }

  private func evaluate(_ status: Int32, _ errors: String, _ words: [[UInt8]]) {
    let isKnown = (0...8).contains(status)
    guard !isKnown || !errors.isSafeForTerminal || errors.utf8.count > 20_000 else { return }
    let shown = words.map { String(decoding: $0.prefix(60), as: UTF8.self).debugDescription }.joined(separator: " ")
    Issue.record("\(shown): exit \(status), \(errors.utf8.count) bytes: \(errors.prefix(1000).debugDescription)")
  }
}
