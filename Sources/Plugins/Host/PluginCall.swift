import CommandLine
import JSON
import Output
package import PluginProtocol
package import Session
import Store
import Text
import World

/// A plugin command to run.
struct PluginCall {
  package let plugin: Plugin
  let invocation: Invocation

  package init(_ plugin: Plugin, _ invocation: Invocation) { (self.plugin, self.invocation) = (plugin, invocation) }

  /// - Throws: ``PluginTrustError`` if the plugin must not be run.
  package func run(in session: Session) throws -> Output {
    let program = try session.plugins.registry.verify(plugin)
    switch program.manifest.kind {
    case .provider where program.manifest.commands == nil:
      throw Problem(
        .refused, "plugin '\(program.name)' has no commands", reason: "it only adds connections",
        hint: "See \(ifttt: "connections list --provider \(program.name)").")
    case .provider: return try runProviderCommand(program, invocation, session)
    case .command: return try become(program, in: session)
    }
  }

  /// Runs a command of a provider and returns its output.
  private func runProviderCommand(
    _ program: TrustedPlugin, _ invocation: Invocation, _ session: Session
  ) throws -> Output {
    let call = CommandCall(
      command: invocation.command,
      options: Value(members: invocation.options.map { ($0.name, Value($0.value)) }),
      arguments: invocation.arguments, words: invocation.rawArguments.map(\.text),
      output: session.options.format.rawValue)
    let named = namedPaths(program.manifest)
    let provider = InstalledProvider(program.manifest) { program.program(in: session.world, reading: named) }
    let shape = program.manifest.commands?.command(at: invocation.command)?.output.map {
      OutputSchema($0)
    }
    return try ProviderCommand(provider: provider, call: call, shape: shape, browser: invocation.browser)
      .run(in: session)
  }

  /// The values of the options and arguments that the manifest describes as files or folders. By naming a file, the
  /// user lets the plugin read it.
  private func namedPaths(_ manifest: Manifest) -> [String] {
    guard let command = manifest.commands?.command(at: invocation.command) else { return [] }
    func isPath(_ value: ManifestCommand.Value?) -> Bool { [.file, .directory].contains(value?.completion) }
    let options = command.options.filter { isPath($0.value) }.map(\.name)
    let values = invocation.options.filter { options.contains($0.name) }.flatMap { option in
      switch option.value {
      case .flag: [String]()
      case .text(let text): [text]
      case .texts(let texts): texts
      }
    }
    // A repeatable argument is the last one in all but unusual manifests.
    let arguments = invocation.arguments.enumerated().filter { index, _ in
      let arguments = command.arguments
      return isPath((index < arguments.count ? arguments[index] : arguments.last)?.value)
    }
    return values + arguments.map(\.element)
  }

  /// Replaces this process with a command plugin, so that the plugin has the terminal, the signals and the exit
  /// status as if it had been started directly.
  private func become(_ program: TrustedPlugin, in session: Session) throws -> Output {
    let name = program.name
    if session.options.isDryRun {
      return session.dryRun(change: "Would run plugin '\(name)', which does not support --dry-run.")
    }
    guard session.recording == nil, session.replay == nil else {
      throw Problem(
        .refused, "plugin '\(name)' cannot be recorded", reason: "it sends its requests itself",
        hint: "Omit --record and --replay.")
    }
    guard session.options.jq == nil else {
      throw Problem(
        .usage, "--jq does not apply to plugin '\(name)'", reason: "it prints its output itself",
        hint: "Pipe its output into jq.")
    }
    let start = program.program(
      in: session.world, adding: try PluginEnvironment.facts(of: session), reading: namedPaths(program.manifest))
    let replacement = ReplacementProgram(
      path: start.path,
      arguments: [Array(program.manifest.executable.utf8)] + invocation.rawArguments.map(\.bytes),
      environment: start.environment, confinement: start.confinement)
    session.storage.close()
    do throws(SystemError) {
      try session.world.processes.become(replacement)
    } catch {
      throw Problem(
        .pluginFailed, "plugin '\(name)' could not be started", reason: error.description,
        hint: "Check the first line of \(program.executable), which names its interpreter.")
    }
    return .nothing
  }
}

extension Invocation {
  /// The value of `--browser` as the user typed it. A value from an environment variable is ignored, because a
  /// manifest may name any variable.
  fileprivate var browser: String? {
    guard case .text(let command)? = self["browser"],
      rawArguments.contains(where: { $0.text == "--browser" || $0.text.hasPrefix("--browser=") })
    else { return nil }
    return command
  }
}

extension PluginEnvironment {
  /// The facts about a run that a command plugin receives.
  package static func facts(of session: Session) throws -> [(name: String, value: String)] {
    [
      (name: EnvironmentVariable.program.name, value: session.world.processes.program ?? "ifttt"),
      (name: EnvironmentVariable.profile.name, value: try session.profileName.description),
      (name: EnvironmentVariable.output.name, value: session.options.format.rawValue),
    ]
  }
}

extension Value {
  fileprivate init(_ value: Invocation.Value) {
    switch value {
    case .flag(let isOn): self = .init(isOn)
    case .text(let text): self = .init(text)
    case .texts(let texts): self = .init(texts.map { Value($0) })
    }
  }
}

/// Runs a command that a provider plugin defines in its manifest.
struct ProviderCommand {
  package let provider: InstalledProvider
  package let call: CommandCall
  /// The output schema of its rows; nil for a command that returns text.
  package let shape: OutputSchema?
  /// The browser command that the user typed.
  package let browser: String?

  package func run(in session: Session) throws -> Output {
    guard let shape else {
      let text = try withProvider(in: session) { plugin in
        try plugin.ask(.runCommand, call.params)["text"]?.string ?? ""
      }
      return Self.output(text, in: session)
    }
    if case .one = shape.form { return try one(shape, in: session) }
    let rows = Rows(isReiterable: false) { body in
      try withProvider(in: session) { plugin in
        _ = try plugin.ask(.runCommand, call.params, holding: false) { item in try item.bytes.withUnsafeBytes(body) }
      }
    }
    return Output(body: .rows(rows, shape))
  }

  /// The output of a command with a single row. Depending on its arguments, the command may return text and no row
  /// instead.
  private func one(_ shape: OutputSchema, in session: Session) throws -> Output {
    var (row, count, text) = ([UInt8](), 0, String?.none)
    var failure: (any Error)?
    do {
      text = try withProvider(in: session) { plugin in
        try plugin.ask(.runCommand, call.params, holding: false) { item in
          count += 1
          if count == 1 { row = item.bytes }
        }["text"]?.string
      }
    } catch { failure = error }
    if count == 0 {
      if let failure { throw failure }
      if let text { return Self.output(text, in: session) }
      if session.options.isDryRun { return .nothing }
    }
    guard count == 1 else {
      throw Problem(
        .pluginFailed, "plugin '\(provider.name)' failed",
        reason: "the command returned \(count == 0 ? "no result" : "\(count) results") instead of one")
    }
    let firstRow = row
    let rows = Rows(isReiterable: false) { body in
      try firstRow.withUnsafeBytes(body)
      // The row is printed before the error.
      if let failure { throw failure }
    }
    return Output(body: .rows(rows, shape))
  }

  private static func output(_ text: String, in session: Session) -> Output {
    text.isEmpty ? .nothing : .text(session.world.terminal.outputIsTerminal ? escaped(text) : text)
  }

  private func withProvider<Result>(in session: Session, _ body: (ProviderSession) throws -> Result) throws -> Result {
    let plugin = try ProviderSession(with: provider, browser: browser, in: session)
    defer {
      plugin.close()
      // A command may have changed any of the provider's connections.
      _ = try? plugin.expireList()
    }
    return try body(plugin)
  }

  /// Escapes the text line by line: line breaks are preserved, and control characters have no effect on the terminal.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.escaped(String($0)) }
      .joined(separator: "\n")
  }
}

extension OutputSchema {
  /// The output of a plugin's command, as described by its manifest.
  package init(_ output: ManifestOutput) {
    let one = output.schema ?? #"{"type":"object"}"#
    let list: JSONValue = ["type": "array", "items": .written(one)]
    self.init(
      one: one, list: list.text,
      columns: output.columns.compactMap { column in
        (try? FieldPath(parsing: column.field)).map {
          Column(
            column.title, $0, style: column.field == "status" ? .status : .plain,
            overflow: column.isKept ? .keep : .truncate)
        }
      },
      form: output.form == .one ? .one : .many)
  }

  /// The schema for checking `--fields` before the command runs; nil if the manifest has no schema, because the
  /// fields are then unknown.
  package init?(checking output: ManifestOutput) {
    guard output.schema != nil else { return nil }
    self.init(output)
  }
}
