package import CommandLine
package import HTTP
import Output
package import Plugins
package import Session
import Text
package import World

/// The whole program as a function of its arguments and the world.
package enum Program {
  /// Runs one command line, prints the result or the problem, and returns the exit code.
  ///
  /// - Parameters:
  ///   - transport: Creates the transport of requests; called when the first request is made.
  ///   - listener: Creates the listener of servers; called when a server is first started. Without it, no server can
  ///     be started.
  ///   - providers: Finds provider plugins instead of the installed ones; called when connections of other
  ///     providers are first requested.
  package static func run(
    _ arguments: [RawArgument], world: World, transport: @escaping (World) -> any Transport,
    listener: (() -> any LoopbackListener)? = nil, providers: (any ProviderSource)? = nil
  ) -> ExitCode {
    if let first = arguments.first, first.text == CompletionResponse.requestName {
      world.writeOutput(CompletionResponse.lines(for: arguments.dropFirst(), in: world, providers: providers))
      return .success
    }
    let plugins = PluginDiscovery(world, arguments, own: Root.group)
    let tree = Root.tree(adopting: PluginCommandTree(plugins).commands)
    let world = world.redactingErrors { tree.parser.typedSecrets(arguments) { [world] in isPath($0, in: world) } }
    let parsed = tree.parser.parse(arguments, hiding: world.environmentRedactor) { world.environment[named: $0] }
    if let folder = parsed.globals.replayFolder, parsed.globals.recordFolder == nil {
      return replay(folder, arguments, parsed, tree, world: world)
    }
    var startedSession: Session?
    let code = execute(parsed, tree, world: world) { action, path, provenance in
      let recording = try parsed.globals.recordFolder.map {
        let own = tree.ownParser
        return try Recording(
          in: $0, command: own.written(arguments), options: own.globalOptions + Root.options(of: path), world: world)
      }
      let session = Session(
        world: recording?.world ?? world, options: parsed.globals, path: path, provenance: provenance,
        tree: tree, commandLine: { tree.parser.written(arguments) }, recording: recording,
        transport: { _ in transport(world) },
        listener: listener)
      session.pluginAccess = PluginAccess(of: session, plugins, providers: providers)
      startedSession = session
      guard let recording else { return try session.perform(action, in: world) }
      if let name = try? session.profileName, let store = try? session.store {
        recording.begin(profile: name.description, store: store, path: path) { session.credentials.knownSecrets }
      }
      let result = Result { try session.perform(action, in: world) }
      do { session.console.note(try recording.end()) } catch {
        guard case .failure = result else { throw error }
        session.console.note("\(Problem.from(error).summary)")
      }
      try result.get()
    }
    // Everything is printed, and nothing can change the exit code anymore.
    startedSession?.usage.end()
    return code
  }

  /// Runs the command line in the world of a recording. It is parsed again, because the recorded variables may set
  /// other options.
  private static func replay(
    _ folder: String, _ arguments: [RawArgument], _ parsed: ParseResult<GlobalOptions, Action>,
    _ tree: CommandTree, world: World
  ) -> ExitCode {
    let replay: Replay
    switch parsed.outcome {
    case .help, .version: return execute(parsed, tree, world: world) { _, _, _ in }
    case .run, .usage:
      do { replay = try Replay(from: folder, in: world) } catch {
        return Printer(world: world, options: parsed.globals, root: tree.own).report(Problem.from(error))
      }
    }
    let own = Root.tree
    let parsed = own.parser.parse(arguments, hiding: replay.world.environmentRedactor) {
      replay.world.environment[named: $0]
    }
    return execute(parsed, own, world: replay.world) { action, path, provenance in
      let session = Session(
        world: replay.world, options: parsed.globals, path: path, provenance: provenance, tree: own,
        replay: replay
      ) { _ in replay.transport }
      try replay.begin { try session.store }
      if let profile = replay.run.profile, try session.profileName.description != profile {
        session.console.diagnose("the recording was made with profile '\(profile)'")
      }
      let result = Result { try session.perform(action, in: world) }
      // A request without a recorded response explains any other failure, so check for it first.
      try replay.end()
      let unused = replay.transport.unused
      if unused > 0 { session.console.diagnose("\(unused) recorded responses were not used") }
      try result.get()
    }
  }

  /// Whether a text is the path of an existing file, or of a new file in an existing folder. Without a folder in the
  /// path, the file must exist.
  private static func isPath(_ name: String, in world: World) -> Bool {
    guard WebhookAddress.firstKey(in: Array(name.utf8)) == nil else { return false }
    if world.files.exists(world.path(name)) { return true }
    guard let slash = name.lastIndex(of: "/"), slash > name.startIndex else { return false }
    return world.files.exists(world.path(String(name[..<slash])))
  }

  /// - Parameter run: Runs the selected command.
  private static func execute(
    _ parsed: ParseResult<GlobalOptions, Action>, _ tree: CommandTree, world: World,
    run: (_ action: Action, _ path: [String], _ provenance: [Provenance]) throws -> Void
  ) -> ExitCode {
    let printer = Printer(world: world, options: parsed.globals, root: tree.root)
    do {
      switch parsed.outcome {
      case .version: try printer.print("ifttt \(programVersion)\n")
      case .help(let path, let isFull):
        let isNew = path.isEmpty && !isFull && StoreAccess.isNew(parsed.globals, in: world)
        try printer.print(
          Root.helpPage(path: path, isFull ? .full : .brief, isNew: isNew, in: tree.root, world: world))
      case .usage(let error): return printer.report(error)
      case .run(let action, let path, let provenance): try run(action, path, provenance)
      }
      return .success
    } catch is BrokenPipe {
      return .success
    } catch let failure as ReportedFailure {
      return failure.exit
    } catch {
      return printer.report(Problem.from(error))
    }
  }
}

extension World {
  /// Writes bytes and ignores failures: a shell that completes a word cannot show an error.
  fileprivate func writeOutput(_ bytes: [UInt8]) { bytes.withUnsafeBytes { try? output.write($0) } }
}
