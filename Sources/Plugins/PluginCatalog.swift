package import CommandLine
package import PluginProtocol
package import Text
package import World

/// Finds the plugins in the plugin folders. It reads manifests and executes nothing.
///
/// Nothing is read before it is needed, and a lookup by name reads only one file.
package final class PluginCatalog: @unchecked Sendable {
  // Unchecked: there is no guard, because the program uses the catalog from one thread.
  private let files: any Files
  package let folders: PluginFolders
  package let rules: ReservedNames

  package init(files: any Files, folders: PluginFolders, rules: ReservedNames) {
    (self.files, self.folders, self.rules) = (files, folders, rules)
  }

  /// The plugin with this name; nil if there is none, or if the name is one of the program's own commands.
  package func plugin(named name: String) -> Plugin? {
    guard let parsed = PluginName(parsing: name), rules.problem(ofName: name) == nil else {
      return nil
    }
    if let bundled = folders.bundled, let plugin = read(name, in: bundled, isBundled: true) { return plugin }
    return linked(parsed) ?? read(name, in: folders.installed, isBundled: false)
  }

  /// The plugins that can be reached by name, sorted by name.
  package func found() -> [Plugin] { all().filter { $0.shadow == nil } }

  /// All plugins in the folders, including shadowed ones, sorted by name.
  package func all() -> [Plugin] {
    candidates().map { candidate in
      Plugin(
        name: candidate.name, folder: candidate.folder, isBundled: candidate.isBundled, isLinked: candidate.isLinked,
        manifest: manifest(of: candidate.name, in: candidate.folder, isLinked: candidate.isLinked),
        shadow: candidate.shadow)
    }
  }

  /// Like ``all()``, but reads each manifest only as far as a list of commands needs. Errors further on are reported
  /// when a plugin is used or when plugins are listed.
  ///
  /// - Parameter withShadowed: whether to include shadowed plugins.
  package func outlines(withShadowed: Bool) -> [OutlinedPlugin] {
    candidates().filter { withShadowed || $0.shadow == nil }.map { candidate in
      let outline = (try? Manifest.bytes(inFolder: candidate.folder, files)).flatMap {
        try? ManifestOutline(parsing: $0)
      }
      return OutlinedPlugin(name: candidate.name, outline: outline?.name.description == candidate.name ? outline : nil)
    }
  }

  /// The names of the folders of bundled plugins.
  package var bundledNames: [String] { folders.bundled.map(fileNames) ?? [] }

  /// The reason why plugins cannot be installed or linked under a name; nil if they can.
  package func problem(ofNewName name: String) -> String? {
    rules.problem(ofName: name) ?? (bundledNames.contains(name) ? ReservedNames.isBundledName : nil)
  }

  /// A plugin's folder, and the command or plugin that has precedence for its name.
  private typealias Candidate = (name: String, folder: String, isBundled: Bool, isLinked: Bool, shadow: String?)

  private func candidates() -> [Candidate] {
    let bundled =
      folders.bundled.map { parent in
        bundledNames.compactMap { candidate($0, in: parent, isBundled: true, rules.problem(ofName: $0)) }
      } ?? []
    let names = fileNames(in: folders.installed)
    let linked = names.compactMap { PluginLinkFile.pluginName(in: $0) }.compactMap(linked)
    let installed = names.compactMap { name -> Candidate? in
      let shadow =
        bundled.contains { $0.name == name }
        ? ReservedNames.isBundledName : linked.contains { $0.name == name } ? ReservedNames.isLinkedName : nil
      return candidate(name, in: folders.installed, isBundled: false, rules.problem(ofName: name) ?? shadow)
    }
    let links = linked.map { plugin -> Candidate in
      let shadow =
        bundled.contains { $0.name == plugin.name } ? ReservedNames.isBundledName : rules.problem(ofName: plugin.name)
      return (plugin.name, plugin.folder, false, true, shadow)
    }
    // The standard library's sort is stable: a link precedes the installed plugin that it hides.
    return (bundled + links + installed).sorted(by: \.name)
  }

  private func fileNames(in parent: String) -> [String] { (try? files.names(in: parent)) ?? [] }

  private func candidate(_ name: String, in parent: String, isBundled: Bool, _ shadow: String?) -> Candidate? {
    let folder = "\(parent)/\(name)"
    guard !name.hasPrefix("."), isFolderOrLink(folder) else { return nil }
    return (name, folder, isBundled, false, shadow)
  }

  /// Whether the path is a folder or a link to one. Links are included so that an error can explain why they are not
  /// followed.
  private func isFolderOrLink(_ path: String) -> Bool {
    switch try? files.status(path).kind {
    case .folder: true
    case .link: (try? files.status(path + "/."))?.kind == .folder
    default: false
    }
  }

  /// Reads the plugin in a folder; nil if there is no folder of this name.
  private func read(_ name: String, in parent: String, isBundled: Bool) -> Plugin? {
    let folder = "\(parent)/\(name)"
    guard isFolderOrLink(folder) else { return nil }
    return Plugin(name: name, folder: folder, isBundled: isBundled, manifest: manifest(of: name, in: folder))
  }

  /// The linked plugin with this name; nil if there is none.
  private func linked(_ name: PluginName) -> Plugin? {
    guard let folder = PluginLinkFile(of: name, in: folders).folder(in: files) else { return nil }
    let manifest = manifest(of: name.description, in: folder, isLinked: true)
    return Plugin(name: name.description, folder: folder, isBundled: false, isLinked: true, manifest: manifest)
  }

  private func manifest(
    of name: String, in folder: String, isLinked: Bool = false
  ) -> Result<Manifest, ManifestError> {
    do throws(ManifestError) {
      guard isLinked || (try? files.status(folder).kind) != .link else {
        throw ManifestError("its folder is a symbolic link, which is not followed")
      }
      let manifest = try Manifest(inFolder: folder, files)
      guard manifest.name.description == name else {
        throw ManifestError("its manifest names it '\(manifest.name)', but its folder is '\(name)'")
      }
      if let problem = rules.problem(of: manifest) { throw problem }
      return .success(manifest)
    } catch {
      return .failure(error)
    }
  }
}

extension Manifest {
  /// Reads a manifest that its author can still change. An error has all problems, unknown members included.
  /// - Parameter acceptsUnknown: whether a manifest without other problems may have unknown members.
  package init(
    forAuthor bytes: [UInt8], acceptingUnknown acceptsUnknown: Bool = false
  ) throws(ManifestError) {
    let result: Result<Manifest, ManifestError>
    do throws(ManifestError) { result = .success(try Manifest(parsing: bytes)) } catch { result = .failure(error) }
    switch result {
    case .success(let manifest):
      if !acceptsUnknown { try UnknownMembers().reject(in: bytes) }
      self = manifest
    case .failure(let error): throw ManifestError(problems: UnknownMembers().problems(in: bytes) + error.problems)
    }
  }

  /// Reads the manifest in a folder.
  package init(inFolder folder: String, _ files: any Files) throws(ManifestError) {
    try self.init(parsing: Manifest.bytes(inFolder: folder, files))
  }

  package static func bytes(inFolder folder: String, _ files: any Files) throws(ManifestError) -> [UInt8] {
    let path = "\(folder)/\(Manifest.fileName)"
    do throws(SystemError) {
      // Do not follow a link: the manifest must belong to the folder that is checked.
      guard try files.status(path).kind == .file else { throw SystemError(number: SystemError.notRegular, call: path) }
      return try files.readRegular(path, limit: Manifest.sizeLimit + 1)
    } catch {
      throw ManifestError(
        error.isNotRegular
          ? "\(Manifest.fileName) is not a regular file" : "\(Manifest.fileName) cannot be read: \(error)")
    }
  }
}

/// The folders of plugins: those that the user installed, and those that came with the program.
package struct PluginFolders: Sendable, Equatable {
  package let installed: String
  /// The folder of bundled plugins; nil if the program's own location is unknown.
  package let bundled: String?

  /// The lock file that the installation of the program has for its bundled plugins.
  package var bundledLock: String? { bundled.map { "\($0)/\(PluginsLock.fileName)" } }

  package init(installed: String, bundled: String?) { (self.installed, self.bundled) = (installed, bundled) }

  /// Locates the folders. Only the program's own location decides which plugins are bundled, because bundled plugins
  /// run without a trust check.
  ///
  /// - Parameter program: the file that this process was started from.
  package init(directories: AppDirectories, program: String?) {
    installed = directories.data + "/plugins"
    bundled = program.flatMap(Self.folder).flatMap(Self.folder).map { $0 + "/libexec/ifttt" }
  }

  /// The folder that contains a file.
  private static func folder(of path: String) -> String? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
  }

  /// The problem with a link. A link could lead to another user's folder, where that user could add other plugins.
  package static func linkProblem(_ path: String) -> String { "\(path) is a symbolic link" }

  /// A command that replaces the link by a copy of its target.
  package static func linkAdvice(_ path: String) -> Hint {
    let copy = path + ".new"
    let line: SuggestedCommand =
      "cp -RLp \(path: path) \(path: copy) && rm \(path: path) && mv \(path: copy) \(path: path)"
    return "Run: \(shell: line)"
  }
}

/// The file that names the folder of a linked plugin: `plugins/NAME.link`, with the absolute path.
///
/// It makes the plugin's commands known without opening the store. The plugin runs only if the store has the same
/// folder for it.
package struct PluginLinkFile: Sendable {
  package let path: String
  private static let suffix = ".link"

  package init(of name: PluginName, in folders: PluginFolders) { path = "\(folders.installed)/\(name)\(Self.suffix)" }

  /// The plugin's name in the name of a link file; nil for any other file.
  static func pluginName(in fileName: String) -> PluginName? {
    guard fileName.hasSuffix(suffix) else { return nil }
    return PluginName(parsing: String(fileName.dropLast(suffix.count)))
  }

  /// The folder of the plugin; nil if the file is missing or invalid.
  package func folder(in files: any Files) -> String? {
    guard let bytes = try? files.readRegular(path, limit: Self.limit),
      let line = String(validating: bytes, as: UTF8.self), line.hasPrefix("/"), line.last == "\n"
    else { return nil }
    return String(line.dropLast())
  }

  package func write(_ folder: String, in files: any Files) throws(SystemError) {
    try files.replace(path, with: Array((folder + "\n").utf8), mode: 0o600)
  }

  private static let limit = 8192
}

/// Names that the program reserves, and that plugins may not use.
package final class ReservedNames: @unchecked Sendable {
  // Unchecked: there is no guard, because the program uses it from one thread.
  private let makeCommands: () -> [String]
  private let makeOptions: () -> [OptionSchema]
  private let meaning: (_ name: String) -> String?

  /// Built on first use, because this takes longer than reading a plugin's manifest.
  private lazy var commands = Set(makeCommands())
  private lazy var options = makeOptions()

  /// - Parameters:
  ///   - commands: the names of the program's own commands.
  ///   - options: the options that every command has.
  ///   - meaning: Returns the other meaning of a name in the program; nil if it has none.
  package init(
    commands: @escaping () -> [String], options: @escaping () -> [OptionSchema],
    meaning: @escaping (_ name: String) -> String? = { _ in nil }
  ) {
    (makeCommands, makeOptions, self.meaning) = (commands, options, meaning)
  }

  /// The reason why a plugin cannot have a name, as a sentence without a period; nil if it can.
  package func problem(ofName name: String) -> String? {
    if commands.contains(name) { return "'ifttt \(name)' is a command of the program itself" }
    return meaning(name).map { "'\(name)' is \($0)" }
  }

  package static let isBundledName = "a plugin with this name is included with the program"
  package static let isLinkedName = "a linked plugin has this name"

  /// The conflict between a manifest that is valid on its own and this program; nil if absent.
  package func problem(of manifest: Manifest) -> ManifestError? {
    for name in manifest.environment where PluginEnvironment.isWithheld(name, from: manifest.name.description) {
      return ManifestError("'environment' lists \(name), which is hidden from plugins")
    }
    if manifest.kind == .provider, Set(manifest.protocols).isDisjoint(with: ProtocolVersion.supported) {
      return ManifestError(
        "it supports protocol \(Self.list(manifest.protocols)), but this program supports "
          + Self.list(ProtocolVersion.supported))
    }
    return manifest.commands.flatMap { problem(of: $0, path: []) }
  }

  private static func list(_ versions: [String]) -> String { versions.map { "'\($0)'" }.joined(separator: ", ") }

  private func problem(of command: ManifestCommand, path: [String]) -> ManifestError? {
    let path = path + [command.name]
    for option in command.options {
      let names = option.isNegatable ? [option.name, "no-\(option.name)"] : [option.name]
      let conflict = options.first { global in
        names.contains(global.name) || global.isNegatable && names.contains("no-\(global.name)")
          || global.short != nil && global.short == option.short
      }
      guard let conflict else { continue }
      return ManifestError(
        "option '--\(option.name)' of '\(path.joined(separator: " "))' conflicts with the global option "
          + "'--\(conflict.name)'")
    }
    for option in command.options {
      guard let variable = option.environment, PluginEnvironment.isWithheld(variable, from: path[0]) else { continue }
      return ManifestError("option '--\(option.name)' names the variable \(variable), which is hidden from plugins")
    }
    return command.subcommands.lazy.compactMap { self.problem(of: $0, path: path) }.first
  }
}
