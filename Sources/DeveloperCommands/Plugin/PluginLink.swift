import CommandLine
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

enum PluginLink: Command {
  struct Options: CommandOptions {
    var path = Required<String>()
  }

  static let name = "link"
  static let summary = "Run a plugin from its folder while you develop it"
  static var discussion: [String] {
    [
      """
      A linked plugin runs in place, and changes in its folder take effect at once: its content is not checked. Its \
      status is 'linked'. It keeps the credentials, variables and use of the browser that its manifest had when it was \
      linked; to grant more, link it again.
      """,
      """
      Linked plugins are not run if CI is set, with --no-linked-plugins, or if a plugins lock file is in effect. A \
      linked plugin hides an installed one of the same name until it is unlinked.
      """,
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.directory.named("PATH"), into: \.path, help: "Folder of the plugin")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("plugin link ./ifttt-feeds --yes", "link without confirmation")]
  }
  static var shape: OutputSchema? { .one(PluginDetails.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let registry = try session.plugins.registry
    let linkage = try PluginLinkage(options.path.value, on: registry, in: session)
    let name = linkage.manifest.name
    let lines = try linkage.lines()
    session.console.present(lines)
    if session.options.isDryRun { return session.dryRun(change: "Would link plugin '\(name)'.") }
    try session.console.confirm("Link plugin '\(name)'?", details: lines)
    try linkage.link()
    return .one(try PluginDetails(registry.entry(named: name.description), in: session, after: .linked))
  }
}

/// The link to a plugin's folder.
private final class PluginLinkage {
  let manifest: Manifest
  let folder: String
  private let registry: PluginRegistry
  private let session: Session

  /// - Throws: ``Problem`` if the plugin cannot be linked.
  init(_ path: String, on registry: PluginRegistry, in session: Session) throws {
    (self.registry, self.session) = (registry, session)
    do throws(SystemError) { folder = try session.world.files.resolved(session.world.path(path)) } catch {
      throw Problem(.notFound, "no plugin at \(path)", reason: error.description, hint: "Pass the plugin's folder.")
    }
    do throws(ManifestError) {
      if let problem = ManifestText.problem(in: folder) { throw ManifestError("the path of its folder has \(problem)") }
      manifest = try Manifest(forAuthor: Manifest.bytes(inFolder: folder, session.world.files))
      if let problem = registry.catalog.rules.problem(of: manifest) { throw problem }
    } catch {
      throw Problem.invalidManifest("\(path) cannot be linked", error, in: folder, session.world.files)
    }
    try BuiltExecutable(path: path, session: session).check(for: manifest, in: folder, by: ["plugin", "link"])
    let name = manifest.name.description
    if let reason = registry.catalog.problem(ofNewName: name) {
      throw Problem(
        .refused, "plugin '\(name)' cannot be linked", reason: reason,
        hint: "Give it another name in its plugin.json.")
    }
    try checkVendor()
  }

  /// The present plugin of the same name: the linked one, or else the installed one.
  private var old: Plugin? {
    registry.catalog.all().first { $0.name == manifest.name.description && !$0.isBundled }
  }

  /// Whether a plugin of another vendor has the same name, or credentials of an unknown vendor are stored for it.
  private var isOfAnotherVendor: Bool {
    get throws {
      let credentials = try PluginRecords(session.store).credentialNames(of: manifest.name.description)
      return manifest.isOfAnotherVendor(than: try? old?.manifest.get(), hasCredentials: !credentials.isEmpty)
    }
  }

  /// - Throws: `refused` if a plugin of another vendor has the same name. Credentials without a plugin are removed
  ///   instead.
  private func checkVendor() throws {
    guard let old, try isOfAnotherVendor else { return }
    let (name, state) = (manifest.name, old.isLinked ? "linked" : "installed")
    throw Problem(
      .refused, "plugin '\(name)' cannot be linked",
      reason: old.isReadable
        ? "a plugin of another vendor with this name is \(state)"
        : "the \(state) plugin with this name is unreadable, and it has stored credentials",
      hint: old.isLinked
        ? "Unlink it first: \(ifttt: "plugin unlink \(name)")" : "Remove it first: \(ifttt: "plugin remove \(name)")")
  }

  /// The lines that the user confirms.
  func lines() throws -> [String] {
    let description = ManifestDescription(
      manifest: manifest, origin: folder, enforcesFiles: session.world.processes.confines)
    let removal = try isOfAnotherVendor ? [ManifestDescription.line("removes", "credentials of an unknown vendor")] : []
    return [description.title] + description.permissions + removal + [
      ManifestDescription.line("content", "not checked: changes in its folder take effect at once")
    ]
  }

  func link() throws {
    try session.store.checkCache()
    let record = PluginTrust(manifest, sha256: "", files: "", origin: folder, at: session.world.clock.now())
    try registry.changes.exclusively {
      // Check again, because another process may have installed or linked a plugin in the meantime.
      try checkVendor()
      try registry.changes.perform(PluginChange(.linked, record, keepsCredentials: !isOfAnotherVendor))
    }
  }
}

enum PluginUnlink: Command {
  struct Options: CommandOptions {
    var name = Required<String>()
  }

  static let name = "unlink"
  static let summary = "Remove the link to a plugin's folder"
  static var discussion: [String] {
    [
      """
      The folder itself is not changed. An installed plugin of the same name can be used again. If there is none, the \
      credentials that the plugin stored are deleted too, in every profile.
      """
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.pluginName, into: \.name, help: "Name of the plugin")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin unlink feeds", "remove a link")] }
  static var shape: OutputSchema? { .one(ChangedItem.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let registry = try session.plugins.registry
    let plugins = registry.catalog.all().filter { $0.name == name }
    let isLinked = try plugins.contains(where: \.isLinked) || PluginRecords(session.store).linked(name) != nil
    guard isLinked else {
      throw Problem(.notFound, "no linked plugin '\(name)'", hint: "See \(ifttt: "plugin list").")
    }
    let isAlone = !plugins.contains { !$0.isLinked }
    let credentials = try isAlone ? PluginRecords(session.store).credentialNames(of: name).count : 0
    if session.options.isDryRun { return session.dryRun(change: "Would unlink plugin '\(name)'.") }
    if credentials > 0 {
      try session.console.confirm("Unlink plugin '\(name)' and delete its \(credentials) stored credentials?")
    }
    try session.store.checkCache()
    let record = try PluginRecords(session.store).linked(name) ?? .unknown(name)
    try registry.changes.exclusively {
      try registry.changes.perform(PluginChange(.unlinked, record, keepsCredentials: !isAlone))
    }
    session.console.note("Unlinked plugin '\(name)'.")
    return .changed(ChangedItem(name), in: session)
  }
}
