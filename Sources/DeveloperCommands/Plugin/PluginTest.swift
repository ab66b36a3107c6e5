import CommandLine
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// The result of one conformance check.
private struct ConformanceRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue { case pass, fail, skip }

  let check: ConformanceCheck
  let status: Status
  var reason: String?

  init(_ check: ConformanceCheck, _ outcome: ConformanceCheck.Outcome) {
    self.check = check
    switch outcome {
    case .pass: status = .pass
    case .fail(let reason): (status, self.reason) = (.fail, reason)
    case .skip(let reason): (status, self.reason) = (.skip, reason)
    }
  }

  static let fields: Fields = [
    Field(
      "name", "The name of the check", column: "CHECK", overflow: .keep,
      width: ConformanceCheck.all.map(\.name.count).max()
    ) { $0.check.name },
    Field(
      "status", "The result of the check", column: "STATUS", overflow: .keep,
      width: Status.allCases.map(\.rawValue.count).max()
    ) { $0.status },
    Field("reason", "Why the check failed or was skipped", column: "REASON") { $0.reason },
    Field("summary", "What the check tests") { $0.check.summary },
  ]
}

enum PluginTest: Command {
  struct Options: CommandOptions {
    var path = Required<String>()
    var checks: [String] = []
    var answers: String?
  }

  static let name = "test"
  static let summary = "Run the conformance tests on a plugin"
  static var discussion: [String] {
    [
      """
      Checks the manifest and the name, then starts a provider several times to test how it handles another protocol \
      version, unknown requests, split and joined messages, a huge message, invalid messages, cancellation, slow \
      responses, and the end of its stdin in the middle of a list. A command plugin is run once, without arguments and \
      input.
      """,
      """
      The methods that the manifest declares are called on listed connections: the first one is shown, the first \
      disabled one is enabled and disabled again, and the first enabled one is disabled and enabled again. If that is \
      not possible, a connection that already has the status is enabled or disabled. A method that does not respond in \
      one check is not called in later checks.
      """,
      """
      --answers names a JSON file with scripted user input, so that a sign-in can be tested: credentials (an object of \
      the stored values), prompts and confirms (arrays of the answers, in order), redirects (an array of queries; \
      {state} stands for the state), input (the text of stdin), activate and configure (objects with id and values) \
      and commands (an array of objects with command, options and arguments).
      """,
      """
      The plugin's stderr is shown, with the plugin's name before each line. Nothing is installed. The plugin runs \
      with your permissions, so test only plugins that you trust.
      """,
      """
      Each check passes, fails with a reason, or is skipped if the plugin does not offer a method that the check \
      needs. If a check fails, the exit code is 1. --timeout limits the time of one list request. ifttt-plugin(5) \
      describes the protocol.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeatedList(
        "check", .conformanceCheck, into: \.checks, help: "Run only this check"),
      .value("answers", .file, into: \.answers, help: "JSON file with the answers of the user and stored credentials"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.directory.named("PATH"), into: \.path, help: "Folder of the plugin")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin test ./ifttt-feeds", "run all checks"),
      ExampleSchema("plugin test ./ifttt-feeds --json", "print the results as JSON, for CI"),
      ExampleSchema("plugin test ./ifttt-feeds --check cancel", "run one check"),
      ExampleSchema("plugin test ./ifttt-feeds --report junit=report.xml", "write a report for CI"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? { .many(ConformanceRow.self).report }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let plugin = try TestedPlugin(at: options.path.value, in: session)
    if session.options.isDryRun { return session.dryRun(change: "Would run \(plugin.program.path) several times.") }
    var greeting = Greeting()
    (greeting.hostVersion, greeting.timeout) = (programVersion, session.options.timeout)
    var subject = ConformanceSubject(
      plugin.program, kind: plugin.kind, greeting: greeting, timeout: session.options.timeout, in: session.world)
    subject.problem = plugin.problem
    subject.answers = try answers(in: options.answers, session)
    subject.trace = try session.plugins.trace
    let checks = ConformanceCheck.all.filter { check in
      options.checks.isEmpty ? check.kind == nil || check.kind == plugin.kind : options.checks.contains(check.name)
    }
    var failures: [Problem.Detail] = []
    let progress = BatchProgress(of: checks.map(\.name), in: session)
    progress.begin("Testing \(plugin.program.name)", of: checks.count)
    subject.report = { line in
      session.console.makeRoom()
      session.console.note("\(plugin.program.name): \(line)")
    }
    let tested = subject
    let rows = Rows(isReiterable: false) { body in
      for check in checks {
        progress.starting(check.name)
        let outcome = check.run(on: tested)
        guard !session.world.interruption.isInterrupted else {
          try progress.end()
          throw Problem.interrupted
        }
        progress.report(check.name, outcome.problem)
        if case .fail(let reason) = outcome {
          // The table may cut the reason.
          failures.append(Problem.Detail(parameter: check.name, message: reason))
        }
        session.console.makeRoom()
        try ConformanceRow(check, outcome).bytes.withUnsafeBytes(body)
      }
      try progress.end()
    }
    var output = Output(body: .rows(rows, .many(ConformanceRow.self)), isFollowed: true)
    output.verdict = {
      guard !failures.isEmpty else { return }
      throw Problem(
        .refused, "plugin '\(plugin.program.name)' fails \(failures.count) of \(checks.count) checks",
        hint: "See ifttt-plugin(5) for the protocol.", details: failures)
    }
    return output
  }

  private static func answers(in file: String?, _ session: Session) throws -> ConformanceAnswers {
    guard let file else { return ConformanceAnswers() }
    let bytes = try session.console.text(of: file, for: "--answers", limit: 1 << 20)
    do throws(ConformanceAnswersError) { return try ConformanceAnswers(parsing: bytes) } catch {
      throw Problem(
        .refused, "'\(file)' is not a valid answers file", reason: error.description,
        hint: "\(ifttt: "help plugin test") describes the file.")
    }
  }
}

extension ValueKind<String> {
  fileprivate static var conformanceCheck: ValueKind {
    let choices = ConformanceCheck.all.map { Choice($0.name, $0.summary) }
    return ValueKind(ValueSchema(placeholder: "CHECK", completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      guard choices.contains(where: { $0.value == text }) else {
        throw ValueError("expected one of \(choices.map(\.value).joined(separator: ", "))")
      }
      return text
    }
  }
}

extension ConformanceCheck.Outcome {
  /// The outcome as a report shows it; nil for a pass.
  fileprivate var problem: Problem? {
    switch self {
    case .pass: return nil
    case .fail(let reason): return Problem(.refused, reason)
    case .skip(let reason):
      var problem = Problem(.refused, reason)
      problem.isSkip = true
      return problem
    }
  }
}

/// A plugin that is tested in place, without being installed. Passing its path permits running it.
struct TestedPlugin {
  let program: PluginProgram
  let kind: Manifest.Kind
  /// Why the plugin cannot be installed; nil if it can.
  let problem: String?

  /// - Parameter path: The path of its folder, its `plugin.json` or its executable.
  /// - Throws: `not_found` if nothing exists at the path, `refused` if it is not a plugin.
  init(at path: String, in session: Session) throws {
    let world = session.world
    let folder = try Self.folder(of: path, in: world)
    let manifest: Manifest
    do throws(ManifestError) {
      manifest = try Manifest(forAuthor: Manifest.bytes(inFolder: folder, world.files), acceptingUnknown: true)
    } catch {
      throw Problem.invalidManifest("there is no plugin at '\(path)'", error, in: folder, world.files)
    }
    try BuiltExecutable(path: folder, session: session).check(for: manifest, in: folder, by: ["plugin", "test"])
    kind = manifest.kind
    problem =
      session.plugins.discovery.reserved.problem(ofName: manifest.name.description)
      ?? session.plugins.discovery.reserved.problem(of: manifest)?.description
      ?? Self.unknownMemberError(in: folder, world.files)
    var plugin = TrustedPlugin(
      manifest: manifest, folder: folder, credentials: manifest.credentials, environment: manifest.environment,
      usesBrowser: manifest.usesBrowser, files: manifest.files)
    plugin.storeFiles = (try? session.store.privateFiles) ?? []
    program = plugin.program(
      in: world, adding: manifest.kind == .command ? try PluginEnvironment.facts(of: session) : [])
  }

  /// The error for unknown members of the manifest; nil if it has none.
  private static func unknownMemberError(in folder: String, _ files: any Files) -> String? {
    do throws(ManifestError) { try UnknownMembers().reject(in: Manifest.bytes(inFolder: folder, files)) } catch {
      return error.description
    }
    return nil
  }

  private static func folder(of path: String, in world: World) throws -> String {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    // A name without a slash would be searched on PATH.
    let qualified = path.hasPrefix("/") || path.hasPrefix("./") || path.hasPrefix("../") ? path : "./\(path)"
    guard let kind = (try? world.files.status(qualified))?.kind else {
      throw Problem(
        .notFound, "no file or folder at '\(path)'", hint: "Pass the folder that contains the plugin's plugin.json.")
    }
    guard kind != .folder else { return qualified }
    guard let slash = qualified.lastIndex(of: "/") else { return "." }
    return slash == qualified.startIndex ? "/" : String(qualified[..<slash])
  }
}
