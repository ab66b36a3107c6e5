package import World

/// The program that the first line of an executable names.
package struct PluginInterpreter: Equatable {
  /// The path after `#!`, or the name that `env` searches in PATH.
  package let name: String
  /// The path of the program; nil if it is missing.
  package let path: String?

  /// Whether the first line ends as on Windows, which makes the carriage return a part of the name.
  package var endsWithCarriageReturn: Bool { name.utf8.last == UInt8(ascii: "\r") }

  /// The name without that carriage return.
  package var shownName: String {
    endsWithCarriageReturn ? String(decoding: name.utf8.dropLast(), as: UTF8.self) : name
  }

  /// - Returns: nil for a binary.
  package init?(of executable: String, in world: World) {
    guard let words = Self.firstLine(of: executable, in: world.files), let first = words.first else { return nil }
    let search = ProgramSearch(world.environment[.path], in: world.files, skipsRelative: true)
    name = first.hasSuffix("/env") && search.find(first) != nil ? Self.program(of: words.dropFirst()) ?? first : first
    path = search.find(name)
  }

  /// The program among the arguments of `env`.
  private static func program(of words: ArraySlice<String>) -> String? {
    for word in words {
      // -S, which splits the line into words, may precede the first of them without a space.
      let word = word.hasPrefix("-S") ? String(word.dropFirst(2)) : word
      if !word.isEmpty, !word.hasPrefix("-"), !word.contains("=") { return word }
    }
    return nil
  }

  /// The words after `#!`; nil for a binary.
  private static func firstLine(of executable: String, in files: any Files) -> [String]? {
    guard let reader = try? files.reader(executable), let start = try? reader.read(waits: false),
      start.starts(with: Array("#!".utf8))
    else { return nil }
    return start.dropFirst(2).prefix(255).prefix { $0 != UInt8(ascii: "\n") }
      .split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The folders that programs of PATH and a plugin's interpreter need: the folders that contain the programs, and the
/// libraries of interpreters. Other folders beside them stay closed, because a project may have its `bin` in PATH.
struct InterpreterFolders {
  private let world: World
  private(set) var locations: [FileLocation] = []
  private let search: ProgramSearch
  private var interpreters: [FileLocation] = []

  init(world: World) {
    self.world = world
    search = ProgramSearch(world.environment[.path], in: world.files, skipsRelative: true)
  }

  /// The interpreters whose libraries a plugin may need although another program is its own interpreter.
  private static let interpreters = ["python3", "python", "node", "ruby", "perl", "php"]

  /// Adds the folders of PATH.
  mutating func addPath() {
    for folder in search.folders {
      guard let location = FileLocation(folder, in: world.files), location.kind == .folder else { continue }
      locations.append(location)
      addShims(location)
      addUserPackages(location)
      for name in Self.interpreters { add("\(location.path)/\(name)") }
    }
  }

  /// Adds an interpreter with its libraries, as named and with links resolved.
  mutating func add(_ program: String) {
    guard search.problem(with: program) == nil, let target = FileLocation(program, in: world.files),
      let folder = FileLocation(folderOf: target.path, in: world.files)
    else { return }
    if let named = FileLocation(folderOf: program, in: world.files), named != folder, holdsPrograms(named) {
      locations.append(named)
      addEnvironment(named)
    }
    guard !interpreters.contains(target) else { return }
    interpreters.append(target)
    // A link may lead to any file. Only a folder of programs is opened because one of them is an interpreter.
    guard holdsPrograms(folder) else { return locations.append(target) }
    locations.append(folder)
    addEnvironment(folder)
    addShims(folder)
    addLibraries(folder)
  }

  private func holdsPrograms(_ folder: FileLocation) -> Bool { ["bin", "sbin", "shims"].contains(folder.name) }

  /// The folders of an installation that interpreters read, beside the folder of programs. Homebrew links to `Cellar`.
  private static let libraries = [
    "lib", "lib32", "lib64", "libexec", "share", "ssl", "etc/openssl@3", "etc/ca-certificates", "opt", "Cellar",
  ]

  private mutating func addLibraries(_ folder: FileLocation) {
    guard folder.name != "shims" else { return }
    // If the installation is the home folder, the other folders are the user's own.
    let isHome = home.map { FileLocation(folder.folder, in: world.files)?.contains($0) ?? true } ?? false
    add(isHome ? ["lib"] : Self.libraries, beside: folder)
  }

  /// Adds a virtual environment of Python, and the installation that it was made from.
  private mutating func addEnvironment(_ folder: FileLocation) {
    let file = "\(folder.folder)/pyvenv.cfg"
    guard !locations.contains(where: { $0.path == file }), let text = try? world.files.readRegular(file, limit: 1 << 16)
    else { return }
    add(["pyvenv.cfg", "lib", "lib64", "share"], beside: folder)
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].split(separator: " ") == ["home"] else { continue }
      for name in ["python3", "python"] { add("\(parts[1].drop { $0 == " " })/\(name)") }
    }
  }

  /// Adds the folders of a version manager (pyenv, rbenv, asdf, mise), because its programs are shims: each starts one
  /// of the installed versions.
  private mutating func addShims(_ folder: FileLocation) {
    guard folder.name == "shims", let parent = FileLocation(folder.folder, in: world.files) else { return }
    let manager = parent.name.drop { $0 == "." }
    add(
      ["bin", "lib", "libexec", "share", "versions", "version", "installs", "plugins", "\(manager).d"], beside: folder)
  }

  /// Adds the user's packages of Python, beside the folder of their programs.
  private mutating func addUserPackages(_ folder: FileLocation) {
    guard let home, let programs = FileLocation("\(home.path)/.local/bin", in: world.files), programs == folder else {
      return
    }
    add(["lib"], beside: folder)
  }

  private mutating func add(_ names: [String], beside folder: FileLocation) {
    for name in names {
      guard let location = FileLocation("\(folder.folder)/\(name)", in: world.files), location.kind != nil else {
        continue
      }
      locations.append(location)
    }
  }

  private var home: FileLocation? {
    world.environment[.home].flatMap { $0.hasPrefix("/") ? FileLocation($0, in: world.files) : nil }
  }
}
