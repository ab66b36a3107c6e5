import PluginProtocol
import World

/// The files that a plugin may open: the files that the user permitted, its own folder, and the programs and libraries
/// of the system. All other files of the user and of this program stay closed, among them the stored credentials.
struct PluginConfinement {
  private let folder: String
  private let executable: String
  private let permitted: [FileAccess]
  private let named: [String]
  private let world: World
  /// The files of the store and its keys. Only `$IFTTT_HOME` permits them.
  private let stored: ProtectedFiles
  /// The files in `stored`, and this program's folders. Only `$IFTTT_HOME` permits them; the permission for a folder
  /// around them does not.
  private let own: ProtectedFiles
  /// The files in `own`, and the home folder. Variables of the user and folders of the system do not open them.
  private let all: ProtectedFiles

  /// - Parameters:
  ///   - named: The paths that the user named in this run, which it may read.
  ///   - storeFiles: The files of the store and its keys.
  init(
    folder: String, executable: String, permitted: [FileAccess], named: [String] = [], storeFiles: [String] = [],
    world: World
  ) {
    (self.folder, self.executable, self.permitted) = (folder, executable, permitted)
    (self.named, self.world) = (named, world)
    let mounts = world.processes.confines ? world.mountPoints : []
    func protect(_ paths: [String]) -> ProtectedFiles {
      ProtectedFiles(world.processes.confines ? paths : [], mounts: mounts, in: world)
    }
    let keys = [EnvironmentVariable.storeKeyFile, .storePassphraseFile].compactMap { world.environment[$0] }
    let files = keys.filter { !$0.isEmpty } + storeFiles
    // Desktop programs store credentials in `.local/share`.
    let userFolders = world.home.map { [$0, "\($0)/.local/share"] } ?? []
    all = protect(files + world.ownFolders + userFolders)
    let isProgram = permitted.contains { $0.root == .program }
    stored = protect(isProgram ? [] : files)
    own = protect(isProgram ? [] : files + world.ownFolders)
  }

  /// The confinement; nil if the system cannot enforce one. Creates the folders that the plugin may write and that do
  /// not exist yet.
  var confinement: Confinement? {
    guard world.processes.confines else { return nil }
    makeFolders()
    var rules = Rules()
    for path in Self.systemFolders { rules.add(location(path).map(all.parts)) }
    for location in interpreterFolders + certificates where !all.areOpened(with: location) && !stored.contain(location)
    {
      rules.add(.init(whole: [location.path]))
    }
    // The plugin's own folder is below this program's.
    rules.add(location(folder).map { own.inside($0).parts(of: $0) })
    rules.add(.init(whole: [executable]))
    for path in named { rules.add(world.location(path).map(permittedParts)) }
    for access in permitted { rules.add(parts(of: access), access.mode) }
    if permitted.contains(where: { $0.root == .program }) { rules.add(.init(whole: program)) }
    return rules.confinement
  }

  private struct Rules {
    var confinement = Confinement(readable: [], writable: [])

    mutating func add(_ parts: ProtectedFiles.Parts?, _ mode: FileAccess.Mode = .read) {
      guard let parts else { return }
      switch mode {
      case .read: append(parts.whole, to: &confinement.readable)
      case .write: append(parts.whole, to: &confinement.writable)
      }
      append(parts.listed, to: &confinement.listable)
    }

    private func append(_ paths: [String], to known: inout [String]) {
      for path in paths where !known.contains(path) { known.append(path) }
    }
  }

  private func location(_ path: String) -> FileLocation? { FileLocation(path, in: world.files) }

  /// Programs, libraries, settings of the system and the state that its libraries read, such as resolv.conf.
  private static let systemFolders = [
    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr", "/etc", "/opt", "/nix/store", "/gnu/store", "/proc", "/sys",
    "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/var/lib/ca-certificates",
  ]

  private var interpreterFolders: [FileLocation] {
    var folders = InterpreterFolders(world: world)
    folders.addPath()
    if let path = PluginInterpreter(of: executable, in: world)?.path { folders.add(path) }
    return folders.locations
  }

  /// The locations of trusted certificates in the user's variables. As for OpenSSL, the variable for folders may name
  /// several.
  private var certificates: [FileLocation] {
    let files = [EnvironmentVariable.certificateFile, .certificateBundle].compactMap { world.environment[$0] }
    let folders = (world.environment[.certificateFolder] ?? "").split(separator: ":").map(String.init)
    return absolute(files).filter { $0.kind == .file } + absolute(folders).filter { $0.kind == .folder }
  }

  private func absolute(_ paths: [String]) -> [FileLocation] { paths.filter { $0.hasPrefix("/") }.compactMap(location) }

  // MARK: Permitted files

  /// Creates the folders of the user that the plugin may write and that do not exist yet, because the plugin itself
  /// could not create them.
  private func makeFolders() {
    for access in permitted where access.mode == .write && !access.rest.isEmpty {
      guard [.home, .temporaryFolder].contains(access.root) else { continue }
      for path in paths(of: access) {
        guard let location = world.location(path), location.kind == nil, !stored.contain(location),
          !isDiverted(path)
        else { continue }
        try? world.files.makeFolder(path)
      }
    }
  }

  private func parts(of access: FileAccess) -> ProtectedFiles.Parts {
    var parts = ProtectedFiles.Parts()
    for path in paths(of: access) where !isDiverted(path) {
      guard let location = world.location(path) else { continue }
      let additional = permittedParts(of: location)
      parts.whole += additional.whole
      parts.listed += additional.listed
    }
    return parts
  }

  /// The parts of a permitted location. In a folder of this program, only the store and its keys stay closed, because a
  /// user may choose the home folder as that folder.
  private func permittedParts(of location: FileLocation) -> ProtectedFiles.Parts {
    own.areOpened(with: location) ? own.parts(of: location) : stored.parts(of: location)
  }

  /// The permitted paths, with the folders that they begin with. The program's own folders include every stored credential.
  private func paths(of access: FileAccess) -> [String] {
    switch access.root {
    case .absolute: [access.path]
    case .home: world.home.map { [$0 + access.rest] } ?? []
    case .workingFolder: [world.workingFolder + access.rest]
    case .temporaryFolder: [(world.environment[.temporaryFolder] ?? "/tmp") + access.rest]
    case .variable(let name): value(of: name).map { [$0 + access.rest] } ?? []
    case .program: world.ownFolders
    }
  }

  /// The path in a variable that the plugin receives too.
  private func value(of name: String) -> String? {
    world.environment[named: name].flatMap { $0.isEmpty ? nil : world.path($0) }
  }

  /// Whether a path leads out of a folder that the plugin may write, through a link that the plugin could have created.
  private func isDiverted(_ path: String) -> Bool {
    guard let target = world.location(path) else { return false }
    let writable = permitted.filter { $0.mode == .write }.flatMap(paths).compactMap(world.location)
    return pathsAbove(path).compactMap(world.location).contains { folder in
      writable.contains { $0.contains(folder) && !$0.contains(target) }
    }
  }

  /// The paths of all folders above a path.
  private func pathsAbove(_ path: String) -> [String] {
    path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") && $0 > path.startIndex }.map { String(path[..<$0]) }
  }

  /// The files of this program for a plugin that runs it: its executable, and the plugins that came with it.
  private var program: [String] {
    guard let path = world.processes.program, let location = location(path) else { return [] }
    let bundled = PluginFolders(directories: AppDirectories(all: ""), program: location.path).bundled
    return [location.path] + (bundled.map { [$0] } ?? [])
  }
}

extension World {
  /// The user's home folder; nil unless the variable has an absolute path.
  fileprivate var home: String? { environment[.home].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// The folders of this program.
  fileprivate var ownFolders: [String] {
    AppDirectories(environment: environment).map { [$0.config, $0.data, $0.state, $0.cache] } ?? []
  }
}

/// Files and folders that stay closed although a folder that contains them is opened.
///
/// Landlock can only open folders with everything in them. A folder around a protected location is therefore opened
/// piece by piece: its present contents, except for the folders that lead to the protected location.
struct ProtectedFiles {
  private let locations: [FileLocation]
  private let files: any Files

  /// - Parameter mounts: The paths at which file systems are mounted. A folder may be mounted at several.
  init(_ paths: [String], mounts: [String], in world: World) {
    let named = paths.compactMap(world.location)
    self.init(named + named.flatMap { $0.otherMounts(mounts, in: world.files) }, in: world.files)
  }

  private init(_ locations: [FileLocation], in files: any Files) { (self.locations, self.files) = (locations, files) }

  /// Whether a location is protected itself, or in a protected folder.
  func contain(_ location: FileLocation) -> Bool { locations.contains { $0.contains(location) } }

  /// Whether opening a location with everything in it would open a protected location.
  func areOpened(with location: FileLocation) -> Bool { locations.contains { location.contains($0) } }

  /// The protected locations inside a folder.
  func inside(_ folder: FileLocation) -> ProtectedFiles {
    ProtectedFiles(locations.filter { folder.contains($0) }, in: files)
  }

  /// The parts of a location that can be opened.
  struct Parts: Equatable {
    /// The files, and the folders with everything in them.
    var whole: [String] = []
    /// The folders around protected locations, whose names may be listed.
    var listed: [String] = []
  }

  func parts(of location: FileLocation) -> Parts {
    var parts = Parts()
    add(location, to: &parts)
    return parts
  }

  private func add(_ location: FileLocation, to parts: inout Parts) {
    if contain(location) { return }
    guard areOpened(with: location) else { return parts.whole.append(location.path) }
    parts.listed.append(location.path)
    // The target of a link is elsewhere.
    for inner in location.contents(in: files) where inner.kind != .link { add(inner, to: &parts) }
  }
}
