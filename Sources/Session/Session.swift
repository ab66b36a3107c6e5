package import CommandLine
package import HTTP
import IFTTT
package import Output
package import Store
package import Text
package import World

/// One run of one command: the given options and everything derived from them, computed on first use.
///
/// Help, versions and completions open no store, a fresh list creates no transport, and secrets are decrypted only
/// when a credential is needed.
package final class Session {
  package let world: World
  package let options: GlobalOptions
  package let provenance: [Provenance]
  /// The path of the command, for errors and pages: `["connections", "list"]`.
  package let path: [String]
  /// The commands, for pages, completion and suggestions.
  package let tree: CommandTree
  /// The command line as it was typed, without secrets; empty if it is unknown.
  package private(set) lazy var commandLine = makeCommandLine()
  private let makeCommandLine: () -> [String]
  private let makeTransport: (World) -> any Transport
  private let makeListener: (() -> any LoopbackListener)?
  package let recording: Recording?
  package let replay: Replay?
  package let console: Console
  package let storage: StoreAccess
  package let credentials: CredentialAccess
  package let network: Network
  /// The options in effect, for the commands that hints suggest.
  package private(set) lazy var suggestions = SuggestedCommands(
    options, environment: { world.environment[$0] }, root: tree.root, path: path, provenance: provenance)
  /// The selection of rows, if the command prints a list.
  package internal(set) var rowSelection = RowSelection()
  /// Arguments that match no tracked connection; ``suggesting(_:)`` finds similar names.
  var unresolvedNames: [String] = []
  /// The part of the connections or users that this run is for; nil for all of them.
  package internal(set) var shard: Shard?
  /// The reports of this run; nil if none was requested, and with `--dry-run`.
  package internal(set) var report: BatchReport?
  /// Whether this run has written a job summary.
  var hasStepSummary = false
  /// The events recorded in this run for IFTTT, if the user enabled them.
  package private(set) lazy var usage = UsageEvents(
    storage, network, console, isRecorded: recording != nil, isReplay: replay != nil)
  /// The plugins: the `PluginAccess` of `Plugins`, a higher module, which defines their operations.
  package var pluginAccess: AnyObject?

  package init(
    world: World, options: GlobalOptions, path: [String], provenance: [Provenance], tree: CommandTree,
    commandLine: @escaping () -> [String] = { [] },
    recording: Recording? = nil, replay: Replay? = nil, transport: @escaping (World) -> any Transport,
    listener: (() -> any LoopbackListener)? = nil
  ) {
    self.world = world
    self.options = options
    self.path = path
    self.provenance = provenance
    self.tree = tree
    (makeCommandLine, makeTransport, makeListener) = (commandLine, transport, listener)
    self.recording = recording
    self.replay = replay
    console = Console(world, options, isReplay: replay != nil)
    storage = StoreAccess(world, options, console)
    credentials = CredentialAccess(
      storage, console, command: "'\(path.joined(separator: " "))'", recording: recording, replay: replay)
    network = Network(
      credentials, storage, console, recording: recording, replay: replay, transport: transport, listener: listener)
    maskSecrets()
    console.complete = { [unowned self] in suggestions.completed($0) }
    network.identity = { [unowned self] in usage.identity }
  }

  /// Masks the credentials of this session on stderr, instead of those of the session that called it last.
  private func maskSecrets() {
    world.redact { [weak credentials] in credentials?.knownSecrets(decrypting: $0) ?? [] }
  }

  /// Runs another command of the same run, such as a step of `init`, in its own session. That session has the secrets
  /// that were typed in this one, and its profile need not exist yet.
  package func withSession<Result>(
    _ path: [String], _ provenance: [Provenance], _ body: (Session) throws -> Result
  ) throws -> Result {
    let session = Session(
      world: world, options: options, path: path, provenance: provenance, tree: tree, transport: makeTransport,
      listener: makeListener)
    session.storage.allowsNewProfile = true
    session.credentials.adoptSecrets(of: credentials)
    session.network.plainHTTP.share(with: network.plainHTTP)
    defer { maskSecrets() }
    let result = try body(session)
    session.usage.end()
    return result
  }

  package var store: Store { get throws { try storage.store } }
  package var profile: Profile { get throws { try storage.profile } }
  package var profileName: ProfileName { get throws { try storage.profileName } }
}

extension Session {
  /// Whether stdout has text for people instead of the requested rows and fields.
  package var printsText: Bool { options.printsText && rowSelection.isEverything }

  /// Whether text on stdout has color.
  package var colorsOutput: Bool {
    useColor(options.color, environment: world.environment, isTerminal: world.terminal.outputIsTerminal)
  }

  /// The same command with `--yes`.
  package var confirmingHint: Hint {
    guard !commandLine.isEmpty else { return "Pass --yes." }
    let command: SuggestedCommand = "\(typed: commandLine) --yes"
    return readsInput ? "Run \(ifttt: command), and pass the input again." : "Run \(ifttt: command)."
  }

  /// Whether ids or users are read from stdin.
  private var readsInput: Bool { commandLine.contains { $0 == "-" || $0 == "--stdin" || $0.hasSuffix("=-") } }

  /// The output schema of a command that takes several ids. Data is always an array, so that scripts need no special
  /// case for one id; for people, a single row is a card.
  package func shape(_ many: OutputSchema, of count: Int, card one: OutputSchema? = nil) -> OutputSchema {
    count == 1 && options.format == .table ? one ?? many.single : many
  }
}
