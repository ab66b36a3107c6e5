import CommandLine
import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import Text
import World

@testable import Commands
@testable import Session

/// Invalid input for every option, argument and variable of every command in the tree. The program ends with a
/// documented exit code. If the command line is wrong, the program reports that once, points at the fault, and has
/// done nothing.
@Suite struct InputFaultTests {
  /// A command with its required arguments.
  struct Case: Sendable, CustomTestStringConvertible {
    let path: [String]
    let schema: CommandSchema
    var testDescription: String { path.joined(separator: " ") }

    private static let values = [
      "api": "/v2/me", "applets enable": "mB3xWq7T", "applets disable": "mB3xWq7T", "plugin install": "tides",
    ]

    /// The arguments that the command requires.
    var needed: [String] {
      schema.arguments.filter(\.isRequired).map { argument in
        switch argument.value.completion {
        case .choices(let choices): choices.first?.value ?? "x"
        default: Self.values[testDescription] ?? "Kd7Rn2Qx"
        }
      }
    }

    /// Options without which the command stops before it uses another one, or would wait.
    var neededOptions: [String] {
      switch path {
      case ["connections", "wait"]: ["--for=status=enabled", "--timeout=0"]
      case ["connections", "watch"]: ["--timeout=0"]
      default: []
      }
    }
  }

  /// All commands except those of the store that write files directly, not through the world. ArgumentFaultTests runs
  /// these as processes in folders of their own.
  static let commands: [Case] = {
    func cases(_ node: CommandSchema, _ path: [String]) -> [Case] {
      guard !node.subcommands.isEmpty else { return [Case(path: path, schema: node)] }
      return node.subcommands.flatMap { cases($0, path + [$0.name]) }
    }
    return cases(Root.tree.ownSchema, []).filter { !["backup", "rekey", "restore"].contains($0.path.last) }
  }()

  static let globals = Root.tree.ownParser.globalOptions

  /// The folder of the commands, which is empty before each of them.
  private final class EmptyFolder { var folder = TemporaryFolder() }
  private let empty = EmptyFolder()

  /// The worst values of an argument. One with a NUL is never valid, and one with invalid UTF-8 only as a file name.
  static let faults: [(value: [UInt8], isNeverValid: Bool)] =
    [[0x61, 0, 0x62], [0x61, 0xff, 0xc3]].map { ($0, true) }
    + [
      [], Array("-".utf8), Array("--".utf8), Array("-x".utf8), Array("--help".utf8), Array("--help=x".utf8),
      Array("-\u{1b}]0;x\u{7}".utf8), Array("a\nb".utf8), Array("\n".utf8), Array("\u{202e}\u{9b}2J".utf8),
      Array("99999999999999999999999".utf8),
    ].map { ($0, false) }

  /// Text and invalid UTF-8, longer than an error may be, and than the system accepts a path.
  static let longFaults = longFaults(count: 1 << 15)

  static func longFaults(count: Int) -> [(value: [UInt8], isNeverValid: Bool)] {
    [([UInt8](repeating: 0x61, count: count), false), ([UInt8](repeating: 0xff, count: count), true)]
  }

  /// Whether the value is invalid whatever it names.
  private func isNeverValid(_ fault: (value: [UInt8], isNeverValid: Bool), for values: [ValueSchema]) -> Bool {
    fault.isNeverValid
      && (fault.value.contains(0) || !values.contains { $0.completion == .file || $0.completion == .directory })
  }

  @Test func theCommandsAreComplete() {
    #expect(Self.commands.count > 20)
    #expect(Self.commands.contains { $0.path == ["connections", "open"] && $0.needed == ["Kd7Rn2Qx"] })
  }

  @Test(arguments: commands) func everyOptionHandlesInvalidValues(_ command: Case) {
    let sandbox = TemporaryFolder()
    let globals = command.path == ["connections", "show"] ? Self.globals : []
    for option in command.schema.options + globals {
      // A redirect is compared with the redirect URI.
      let needed =
        command.needed + command.neededOptions.filter { !$0.hasPrefix("--\(option.name)=") }
        + (option.name == "finish" ? ["--redirect-uri", "http://127.0.0.1:8976/done"] : [])
      func check(_ words: [RawArgument], mustFail: Bool, isPointedAt: Bool = false, then rest: [String] = []) {
        let line = command.path.map(RawArgument.init) + words + rest.map(RawArgument.init)
        let code = self.check(line, mustFail: mustFail, isPointedAt: isPointedAt)
        // Without a profile, most commands stop before they use the value. `--record` creates a folder of any name.
        guard code != .usage, option.name != "record" else { return }
        self.check(line, mustFail: false, inSandbox: sandbox)
      }
      for each in Self.faults + Self.longFaults {
        let (fault, isNeverValid) = (each.value, isNeverValid(each, for: [option.value].compactMap(\.self)))
        let joined = RawArgument(bytes: Array("--\(option.name)=".utf8) + fault)
        check([joined], mustFail: option.value == nil || isNeverValid, isPointedAt: true, then: needed)
        guard option.value != nil else { continue }
        let apart = [RawArgument("--\(option.name)"), RawArgument(bytes: fault)]
        check(apart, mustFail: isNeverValid, isPointedAt: true, then: needed)
        if let short = option.short {
          check([RawArgument(bytes: Array("-\(short)".utf8) + fault)], mustFail: false)
        }
      }
      if option.value != nil {
        check((needed + ["--\(option.name)"]).map(RawArgument.init), mustFail: true, isPointedAt: true)
      }
    }
  }

  @Test(arguments: commands) func everyArgumentHandlesInvalidValues(_ command: Case) {
    for position in 0...command.needed.count {
      // As long as Linux passes an argument (MAX_ARG_STRLEN in execve(2)), and longer.
      for each in Self.faults + Self.longFaults(count: 1 << 17) + Self.longFaults(count: 1 << 20).prefix(1) {
        let fault = each.value
        var words = (command.path + command.needed).map(RawArgument.init)
        words.insert(RawArgument("--"), at: command.path.count)
        let target = command.path.count + 1 + position
        let argument = RawArgument(bytes: fault)
        if target < words.count { words[target] = argument } else { words.append(argument) }
        check(words, mustFail: isNeverValid(each, for: command.schema.arguments.map(\.value)))
      }
    }
  }

  /// The variables of options, of credentials and of base URLs, and those of the system.
  @Test(arguments: commands) func everyVariableHandlesInvalidValues(_ command: Case) {
    let isFirst = command.path == Self.commands[0].path
    var names = (command.schema.options + Self.globals).compactMap(\.environment)
    names += BaseURL.allCases.map(\.variable.name) + CredentialName.allCases.map(\.variable.name)
    if isFirst { names += ["NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS", "LC_ALL", "LANG", "CI", "TMPDIR"] }
    for name in Set(names) {
      // No variable can contain a NUL, and the test must stay in its own folder.
      for (fault, _) in Self.faults.dropFirst() + Self.longFaults.prefix(1) {
        check(
          (command.path + command.needed).map(RawArgument.init), [name: String(decoding: fault, as: UTF8.self)],
          mustFail: false)
      }
    }
  }

  /// Several faults in one line, at random places.
  @Test(arguments: commands) func randomFaultsAreHandled(_ command: Case) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      var words = (command.path + command.needed).map(RawArgument.init)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let fault = Self.faults.randomElement(using: &generator)?.value ?? []
        let option = (command.schema.options + Self.globals).randomElement(using: &generator)?.name ?? "x"
        let word: [UInt8] =
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: fault
          case 1: Array("--\(option)".utf8)
          case 2: Array("--\(option)=".utf8) + fault
          default: Array("--no-\(option)".utf8)
          }
        words.insert(RawArgument(bytes: word), at: Int.random(in: 0...words.count, using: &generator))
      }
      check(words, mustFail: false, note: "seed \(seed): ")
    }
  }

  /// - Parameters:
  ///   - mustFail: Whether only exit code 2 is accepted.
  ///   - isPointedAt: Whether a fault of the line must have a caret under it.
  ///   - sandbox: The home of the sandbox profile, if the command line runs in it.
  @discardableResult private func check(
    _ words: [RawArgument], _ environment: [String: String] = [:], mustFail: Bool, isPointedAt: Bool = false,
    inSandbox sandbox: TemporaryFolder? = nil, note: String = ""
  ) -> ExitCode {
    let folder = sandbox ?? empty.folder
    let environment = sandbox == nil ? environment : ["IFTTT_PROFILE": "sandbox"]
    let test = TestWorld(
      environment: environment, now: Timestamp(milliseconds: 1_800_000_000_000), input: .text(""), folder: folder,
      seed: 1, programs: { (_, _) throws(SystemError) in ProcessResult(status: 1, output: []) })
    test.processes.browser = .success(())
    test.processes.background = { _, _ throws(SystemError) in
      throw SystemError(number: ENOENT, call: "start this program again")
    }
    // A command that runs until it is stopped is interrupted.
    test.interruption.interrupt(afterChecks: 1000)
    test.files.elsewhere = { SystemError(number: ENOENT, call: $0) }
    var world = test.world
    // In the sandbox, the commands get far enough to open the files that the values name, none of which exists.
    if sandbox != nil { world.files = LiveFiles(interruption: test.interruption) }
    let sent = Sent(world: world)
    let code = Program.run(words, world: world) { _ in sent }
    let (output, errors) = (test.output.text, test.errors.text)
    let isUntouched = sandbox != nil || (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == []
    // Most commands write nothing, and leave the folder to the next one.
    if !isUntouched { empty.folder = TemporaryFolder() }
    var wrong: [String] = []
    if mustFail, code != .usage { wrong.append("it is not rejected") }
    // A problem in JSON has its values as they are.
    let isJSON = errors.hasPrefix("{")
    if !(isJSON ? errors.isWithoutControlCharacters : errors.isSafeForTerminal) {
      wrong.append("stderr contains a control character")
    }
    if errors.utf8.count > 20_000 { wrong.append("\(errors.utf8.count) bytes on stderr") }
    if code == .usage {
      if !output.isEmpty { wrong.append("something is printed") }
      if sent.count > 0 { wrong.append("something is sent") }
      if !isUntouched { wrong.append("something is written: \(folder.names)") }
      let lines = errors.split(separator: "\n")
      if !isJSON, lines.count(where: { $0.hasPrefix("ifttt: ") }) != 1 {
        wrong.append("there is not exactly one problem")
      }
      if !isJSON, isPointedAt, !lines.contains(where: { $0.drop { $0 == " " }.first == "^" }) {
        wrong.append("there is no caret")
      }
    }
    guard !wrong.isEmpty else { return code }
    let shown = words.map { String(decoding: $0.bytes.prefix(60), as: UTF8.self).debugDescription }
    Issue.record(
      "\(note)\(environment.mapValues { $0.prefix(60) }) \(shown.joined(separator: " ")): exit \(code.rawValue), \(wrong.joined(separator: ", ")):\n\(errors.prefix(600))"
    )
    return code
  }
}

/// Counts requests and never responds.
private final class Sent: Transport {
  private(set) var count = 0
  private let offline: OfflineTransport

  init(world: World) { offline = OfflineTransport(world: world) }

  func start(_ request: Request, as ticket: Int, limit: Duration) {
    count += 1
    offline.start(request, as: ticket, limit: limit)
  }

  func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [HTTP.TransportResult] {
    offline.wait(atMost: limit, orReadable: descriptor)
  }
  func cancel(_ ticket: Int) { offline.cancel(ticket) }
}
