import CommandLine
import ConnectionCommands
import DeveloperCommands
import HTTP
import IFTTT
import JSON
import Location
import PluginProtocol
import Plugins
import Sandbox
import Session
import Store
import World

enum CompletionCommand: Command {
  struct Options: CommandOptions {
    var shell = Required<CompletionShell>()
  }

  static let name = "completion"
  static let summary = "Print a shell completion script"
  static let group: String? = "Help"
  static var discussion: [String] {
    [
      """
      For bash, source the script from ~/.bashrc: source <(ifttt completion bash). For zsh, save it as _ifttt in a \
      folder of $fpath. For fish, save it as ~/.config/fish/completions/ifttt.fish.
      """,
      "The script includes the commands of installed plugins. Print it again after you install a plugin.",
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.oneOf(CompletionShell.self, placeholder: "SHELL"), into: \.shell, help: "Shell that loads the script")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("completion bash", "print the script for bash")] }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .text(Completion.script(for: options.shell.value, root: session.tree.schema))
  }
}

/// Responds to a completion script. It reads only stored data, never the network, and reports no errors.
///
/// It is separate from the command tree. A command could fail because of its options, the environment or a missing
/// profile, and a shell has no room for an error message while the user types.
struct CompletionResponse {
  /// The first argument of a completion request.
  static let requestName = "__complete"

  private let request: CompletionRequest
  private let world: World
  /// The provider plugins to use; nil to use the installed ones.
  private let givenProviders: (any ProviderSource)?
  private let directories: AppDirectories?
  /// The store, with a short timeout: completion must not wait for another process.
  private let store: Store?

  private init(_ request: CompletionRequest, in world: World, providers: (any ProviderSource)?) {
    (self.request, self.world, givenProviders) = (request, world, providers)
    directories = AppDirectories(environment: world.environment)
    store = directories.map { Store(directories: $0, world: world, busyTimeout: .milliseconds(100)) }
  }

  /// The lines to print, as UTF-8; empty if the arguments are not a completion request.
  static func lines(
    for arguments: some Sequence<RawArgument>, in world: World, providers: (any ProviderSource)? = nil
  ) -> [UInt8] {
    guard let request = CompletionRequest(arguments: arguments.map(\.text)) else { return [] }
    let response = CompletionResponse(request, in: world, providers: providers)
    return response.candidates.flatMap { Array("\($0.line)\n".utf8) }
  }

  private var candidates: [CompletionCandidate] {
    switch CompletionCandidates(rawValue: request.kind) {
    case .connectionID: connections
    case .appletID: applets
    case .setting: fields.compactMap { CompletionCandidate($0.value + "=", $0.description) }
    case .fieldAddress: fields
    case .feature: (connection?.features ?? []).compactMap { CompletionCandidate($0.id, $0.title) }
    case .trigger: steps(.trigger)
    case .query: steps(.query)
    case .action: steps(.action)
    case .region: regions
    case .profile: profiles
    case .tokenUser: (queries?.tokenUsers(profile: profile) ?? []).compactMap { CompletionCandidate($0) }
    case .field: outputFields.compactMap { CompletionCandidate($0) }
    case .sortField: outputFields.compactMap { CompletionCandidate((request.prefix.hasPrefix("-") ? "-" : "") + $0) }
    case .condition: WaitCondition.samples.compactMap { CompletionCandidate($0) }
    case .schema: schemas
    case .language: Language.candidates
    case .plugin: plugins.compactMap { CompletionCandidate($0.name, $0.outline?.summary) }
    case .pluginIndex: pluginIndexes.compactMap { CompletionCandidate($0.name) }
    case .serviceCheck:
      ServicePart.allCases.compactMap { CompletionCandidate($0.rawValue) }
        + ServiceCheck.all.compactMap { CompletionCandidate($0.name, $0.proves) }
    case .serviceEndpoint:
      ServiceEndpoint.all(in: serviceDefinition).compactMap {
        CompletionCandidate($0.endpoint.path.description, $0.name)
      }
    case nil: pluginValues
    }
  }

  private var outputFields: [String] { Root.group.outputSchema(of: request.command)?.fields ?? [] }

  private var plugins: [OutlinedPlugin] {
    PluginDiscovery(world, [], own: Root.group).catalog?.outlines(withShadowed: true) ?? []
  }

  private var pluginIndexes: [StoredPluginIndex] { (try? store.map { try PluginRecords($0).indexes() }) ?? [] }

  /// The service definition that the environment names; nil without one, or if it cannot be read.
  private var serviceDefinition: ServiceDefinition? {
    guard let file = world.environment[.serviceDefinition], !file.isEmpty,
      let bytes = try? world.files.readRegular(file, limit: 1 << 20)
    else { return nil }
    return try? ServiceDefinition(parsing: bytes)
  }

  /// The candidates for a plugin's own kinds of values, as returned by the plugin.
  private var pluginValues: [CompletionCandidate] {
    guard let word = request.command.first, let store,
      let name = PluginName(parsing: word),
      let provider = try?
        (givenProviders ?? FoundProviders(PluginDiscovery(world, [], own: Root.group), { store }, in: world)).named(
          name)
    else { return [] }
    let question = CompletionQuestion(
      kind: request.kind, command: Array(request.command.dropFirst()), profile: profile, prefix: request.prefix)
    return ProviderCompletion(provider: provider, question: question, world: world, store: store).candidates
      .compactMap { CompletionCandidate($0.value, $0.description) }
  }

  private var connections: [CompletionCandidate] {
    let tracked = queries?.connections(profile: profile, prefix: request.prefix) ?? []
    // The sandbox's first command tracks its connections; before that the cache is empty.
    if tracked.isEmpty, profile == ProfileName.sandbox.description {
      return SandboxFixtures.connectionIDs.compactMap { CompletionCandidate($0) }
    }
    return tracked.compactMap { CompletionCandidate($0.id, $0.name) }
  }

  /// The connection in the command line, as last fetched.
  private var connection: Connection? {
    guard let argument = request.argument, let id = ConnectionID(parsing: argument),
      let raw = queries?.connectionResponse(id.description, profile: profile)
    else { return nil }
    return try? FetchedConnection(Response(status: 200, body: raw), for: id).connection
  }

  /// The fields, by the names that `configure --set` accepts.
  private var fields: [CompletionCandidate] {
    guard let connection else { return [] }
    return ConfigurationForm(connection, connection.userConnection ?? UserConnection()).entries.compactMap {
      $0.field.isHidden == true ? nil : CompletionCandidate($0.address, $0.field.label)
    }
  }

  private func steps(_ kind: ConfigurationStep.Kind) -> [CompletionCandidate] {
    connection?.stepIDs(kind).compactMap { CompletionCandidate($0) } ?? []
  }

  private var regions: [CompletionCandidate] {
    (queries?.enabledConnections(profile: profile) ?? []).flatMap { connection -> [Region] in
      guard let json = try? JSONValue(parsing: connection.raw) else { return [] }
      return RegionReading.regions(of: json, id: connection.id).regions
    }.compactMap { CompletionCandidate($0.id, $0.label) }
  }

  private var applets: [CompletionCandidate] {
    (queries?.appletDocuments(profile: profile) ?? []).compactMap { applet in
      // The stored document lacks its closing brace, because the time of fetching is appended to it.
      let whole = try? JSONValue(parsing: applet.document + [UInt8(ascii: "}")])
      return CompletionCandidate(applet.id, whole?["name"]?.string)
    }
  }

  /// The names of schemas. After a word such as `connections`, only the remainders of names that begin with it, such
  /// as `list`.
  private var schemas: [CompletionCandidate] {
    let typed = request.argument.map { "\($0)-" } ?? ""
    return (SchemaDocument.all + [SchemaDocument.openAPI]).compactMap { schema in
      schema.name.hasPrefix(typed)
        ? CompletionCandidate(String(schema.name.dropFirst(typed.count)), schema.summary) : nil
    }
  }

  private var profiles: [CompletionCandidate] {
    let builtIn = [ProfileName.standard, .sandbox].map(\.description)
    return Set((queries?.profileNames() ?? []) + builtIn).sorted().compactMap {
      CompletionCandidate($0, $0 == ProfileName.sandbox.description ? "built in; needs no network" : nil)
    }
  }

  /// The profile of the command line, selected by the same rules as in ``Session``.
  private var profile: String {
    let selected = request.profile ?? world.environment[.profile].flatMap { $0.isEmpty ? nil : $0 }
    return selected ?? queries?.currentProfileName() ?? ProfileName.standard.description
  }

  private var queries: CompletionQueries? { store.map { CompletionQueries($0) } }
}
