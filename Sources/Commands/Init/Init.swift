import CommandLine
import Plugins
import Session
import Store
import Text
import World

enum Init: Command {
  static let name = "init"
  static let summary = "Set up a profile for your service, step by step"
  static let group: String? = "Setup"
  static var discussion: [String] {
    [
      """
      Prompts for what your service needs, one step after another: the service's slug, its service key, a user token, \
      and the connections to track. The service key is verified with IFTTT before it is stored. Each step stores its \
      result in the profile, and prints the command that does the same in a script.
      """,
      """
      An empty line skips a step. After an error the step can be repeated. Ctrl-C ends the command; everything stored \
      so far is kept. Secrets are typed without echo, or read from a file if its path is typed. An existing profile is \
      shown first; skipped steps keep its values.
      """,
      """
      Without a terminal, the command stores nothing, lists the commands for a script, and exits with code 2.
      """,
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("init", "set up the default profile"),
      ExampleSchema("init --profile staging", "create or complete another profile"),
    ]
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profileName
    guard !profile.isSandbox else {
      throw Problem(
        .refused, "profile 'sandbox' needs no setup", reason: "its service, credentials and connections are built in",
        hint:
          "Try \(ifttt: "--profile sandbox connections list"), or set up another profile: "
          + "\(ifttt: "--profile NAME init")"
      )
    }
    guard session.recording == nil else {
      throw Problem(
        .refused, "'init' cannot be recorded", reason: "each of its steps is a command of its own",
        hint: "Omit --record.")
    }
    let steps = SetupSteps(profile, in: session)
    guard session.console.mayPrompt else {
      throw Problem(
        .usage, "'init' needs a terminal",
        hint: "In a script, run the listed commands instead, with your own values.",
        details: try steps.script.map { Problem.Detail(parameter: nil, message: $0) })
    }
    try SetupDialog(steps, in: session).run()
    return .nothing
  }
}

/// The commands that `init` runs and shows for use in a script.
final class SetupSteps {
  let profile: ProfileName
  private let session: Session
  /// Whether the name of the profile can be omitted from the commands.
  private let isDefault: Bool

  init(_ profile: ProfileName, in session: Session) {
    (self.profile, self.session) = (profile, session)
    isDefault = session.options.profile == nil && profile == .standard
  }

  // MARK: The commands

  /// The command that stores settings or secrets in the profile. It creates the profile if it does not exist.
  func storeCommand(_ words: [String]) throws -> [String] {
    let exists = try profile == .standard || stored != nil
    return ["profile", exists ? "set" : "create", profile.description] + words
  }

  func verifyCommand(keyFile: String) -> [String] {
    withProfile(["token", "verify", "--as", "service", "--service-key-file", keyFile])
  }

  func exchangeCommand(user: String, tokenFile: String, _ more: [String]) -> [String] {
    withProfile(["token", "exchange", "--user-id", user, "--access-token-file", tokenFile] + more)
  }

  func activateCommand(_ id: String, _ more: [String]) -> [String] {
    withProfile(["connections", "activate", id] + more)
  }

  func addCommand(_ ids: [String], _ more: [String]) -> [String] { withProfile(["connections", "add"] + ids + more) }

  func listCommand(_ more: [String]) -> [String] { withProfile(["connections", "list"] + more) }

  var checkCommand: [String] { withProfile(["doctor"]) }

  /// The commands with placeholders, in the order of the steps.
  var script: [String] {
    get throws {
      try [
        storeCommand(["--service", "SLUG", "--service-key-file", "FILE"]),
        exchangeCommand(user: "ID", tokenFile: "FILE", []), addCommand(["ID"], []), listCommand([]),
      ].map { Self.suggestion($0).text }
    }
  }

  private func withProfile(_ words: [String]) -> [String] {
    (isDefault ? [] : ["--profile", profile.description]) + words
  }

  static func suggestion(_ commandLine: [String]) -> SuggestedCommand { "\(typed: commandLine)" }

  // MARK: Running the commands

  /// The stored profile; nil if it is not stored.
  var stored: Profile? { get throws { try session.store.profile(profile.description) } }

  var hasTracked: Bool { get throws { try session.store.hasTracked(profile: profile.description) } }

  func hasStored(_ kind: CredentialKind) throws -> Bool { try !stored(kind).isEmpty }

  func stored(_ kind: CredentialKind) throws -> [CredentialRecord] {
    try session.store.credentials(profile: profile.description).filter { $0.kind == kind }
  }

  /// Runs a command and prints its result or its error.
  /// - Returns: whether it succeeded.
  func run(_ commandLine: [String]) throws -> Bool {
    let (world, root) = (session.world, session.tree.root)
    let parsed = session.tree.parser.parse(commandLine.map { RawArgument($0) }) { world.environment[named: $0] }
    let printer = Printer(world: world, options: session.options, root: root)
    switch parsed.outcome {
    case .usage(let error):
      _ = printer.report(error)
      return false
    case .help, .version: return false
    case .run(let action, let path, let provenance):
      do {
        try session.withSession(path, provenance) { step in
          step.pluginAccess = PluginAccess(of: step, (session.pluginAccess as? PluginAccess)?.discovery)
          try step.perform(action, in: world)
        }
        return true
      } catch let error where !(error is BrokenPipe) && Problem.from(error).code != .interrupted {
        _ = printer.report(Problem.from(error))
        return false
      }
    }
  }

  /// Creates the profile if it is not stored, because the commands for it fail without it.
  func ensureProfile() throws {
    guard profile != .standard, try stored == nil else { return }
    let creation = ["profile", "create", profile.description]
    if try run(creation) { show(creation) }
  }

  /// Shows the command to use in a script.
  func show(_ commandLine: [String]) { session.console.say("In a script: \(ifttt: Self.suggestion(commandLine))") }
}
