import EnvironmentVariables
import PluginProtocol
import World

/// The files that a plugin may open: those that the user permitted, its own folder, and the programs and libraries of the
/// system. Not those of the user and of this program, among them the stored credentials.
struct PluginConfinement {
  let folder: String
  let executable: String
  let permitted: [FileAccess]
  let world: World

  /// Nil if the system cannot enforce it.
  var confinement: Confinement? {
    guard world.processes.confines else { return nil }
    makeFolders()
    let search = searchPath
    return Confinement(
      readable: [folder] + Self.systemFolders.filter { !holdsOwnFiles($0) }
        + (search + interpreterFolders(search)).flatMap(installation)
        + certificates + programFolder + paths(.read),
      writable: paths(.write))
  }

  /// Makes the folders of the user that the plugin may write and that do not exist yet: it could not make them itself.
  private func makeFolders() {
    for access in permitted where access.mode == .write && !access.rest.isEmpty {
      guard [.home, .temporaryFolder].contains(access.root) else { continue }
      for path in paths(of: access) where (try? world.files.facts(path)) == nil { try? world.files.makeFolder(path) }
    }
  }

  /// Programs, libraries, settings of the system and the state that its libraries read, such as resolv.conf.
  private static let systemFolders = [
    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr", "/etc", "/opt", "/nix/store", "/gnu/store", "/proc", "/sys",
    "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/var/lib/ca-certificates",
  ]

  /// Where the user's variables say that trusted certificates are.
  private var certificates: [String] {
    [EnvironmentVariable.certificateFile, .certificateFolder, .certificateBundle].compactMap { world.environment[$0] }
      .filter { $0.hasPrefix("/") }
  }

  /// The permitted paths, with the folders that they begin with. The program's own folders include every stored credential.
  private func paths(_ mode: FileAccess.Mode) -> [String] {
    permitted.filter { $0.mode == mode }.flatMap(paths)
  }

  private func paths(of access: FileAccess) -> [String] {
    switch access.root {
    case .absolute: [access.path]
    case .home: home.map { [$0 + access.rest] } ?? []
    case .workingFolder: [world.workingFolder + access.rest]
    case .temporaryFolder: [(world.environment[.temporaryFolder] ?? "/tmp") + access.rest]
    case .variable(let name): value(of: name).map { [$0 + access.rest] } ?? []
    case .program: ownFolders
    }
  }

  private var home: String? { world.environment[.home].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  private var ownFolders: [String] {
    AppDirectories(environment: world.environment).map { [$0.config, $0.data, $0.state, $0.cache] } ?? []
  }

  /// The folder of this program, if the plugin runs it.
  private var programFolder: [String] {
    guard permitted.contains(where: { $0.root == .program }) else { return [] }
    return world.processes.program.flatMap(Self.parent).map { [$0] } ?? []
  }

  /// The path in a variable that the plugin receives too.
  private func value(of name: String) -> String? {
    guard let value = world.environment[named: name], !value.isEmpty else { return nil }
    return value.hasPrefix("/") ? value : "\(world.workingFolder)/\(value)"
  }

  // MARK: Interpreters

  private var searchPath: [String] {
    let path = world.environment[.path] ?? ""
    return path.utf8.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.hasPrefix("/") }
  }

  /// The folders of the interpreter that the first line of the executable names, as named and with links resolved.
  private func interpreterFolders(_ search: [String]) -> [String] {
    guard let words = firstLine, let first = words.first else { return [] }
    var path = first
    if first.hasSuffix("/env"), let name = words.dropFirst().first(where: { !$0.hasPrefix("-") }) {
      guard let found = search.map({ "\($0)/\(name)" }).first(where: { (try? world.files.facts($0)) != nil }) else {
        return []
      }
      path = found
    }
    return [path, try? world.files.resolved(path)].compactMap { $0.flatMap(Self.parent) }
  }

  /// The words after `#!`; nil for a binary.
  private var firstLine: [String]? {
    guard let reader = try? world.files.reader(executable), let start = try? reader.read(waits: false),
      start.starts(with: Array("#!".utf8))
    else { return nil }
    return start.dropFirst(2).prefix(255).prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// A folder of programs, and the folder of the installation that it belongs to, such as `~/.pyenv` for `~/.pyenv/shims`,
  /// unless the user's own files are there too.
  private func installation(_ folder: String) -> [String] {
    guard !holdsOwnFiles(folder) else { return [] }
    guard let parent = Self.parent(folder), ["/bin", "/sbin", "/shims"].contains(where: folder.hasSuffix) else {
      return [folder]
    }
    guard parent != "/", !holdsOwnFiles(parent) else {
      // ~/.local/bin: Python's packages of the user are beside it.
      return parent == "/" ? [folder] : [folder, parent + "/lib"]
    }
    return [parent]
  }

  /// Whether a folder contains the store or other files of the user.
  private func holdsOwnFiles(_ folder: String) -> Bool {
    let own = ownFolders + (home.map { [$0, "\($0)/.local/share"] } ?? [])
    return folder == "/" || own.contains { $0 == folder || $0.hasPrefix(folder + "/") }
  }

  private static func parent(_ path: String) -> String? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
  }
}
