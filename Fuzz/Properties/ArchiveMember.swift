import Plugins

/// One member of an archive that a fuzzer describes, with everything that its list of members may say.
struct ArchiveMember {
  enum Kind: CaseIterable {
    case file, folder
    /// A regular file without a type, as before POSIX.
    case untyped
    case hardLink, symbolicLink, device, pipe, sparse, unknown
    /// A header that renames or resizes the next member: GNU's long name, or a pax record.
    case longName, longLink, paxPath, paxSize, paxOther, paxSparse, globalPath
    case label
  }

  var kind: Kind
  var name: [UInt8]
  var isExecutable: Bool
  var content: [UInt8]

  init(_ choices: inout InputChoices) {
    kind = choices.one(of: Kind.allCases)
    isExecutable = choices.flag()
    name = choices.piece().filter { $0 != 0 }
    content = choices.piece()
  }

  /// Members until the input ends, and at most so many that their archive stays small.
  static func list(_ choices: inout InputChoices) -> [ArchiveMember] {
    var members: [ArchiveMember] = []
    while !choices.isAtEnd, members.count < 20 { members.append(ArchiveMember(&choices)) }
    return members
  }
}

/// What an archive must contain to be accepted, written from the documented rules and not from the program.
struct ExpectedArchive {
  private var files: [PluginPackage.File] = []
  private var fileNames: Set<String> = []
  private var folderNames: Set<String> = []
  /// Whether a rule forbids the archive.
  private(set) var isForbidden = false

  mutating func forbid() { isForbidden = true }

  mutating func add(_ name: [UInt8], isFolder: Bool, isExecutable: Bool, _ content: [UInt8]) {
    guard String(validating: name, as: UTF8.self) != nil, name.first != UInt8(ascii: "/"),
      name.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") })
    else { return forbid() }
    let parts = name.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }.filter {
      $0 != "."
    }
    guard !parts.contains("..") else { return forbid() }
    for end in 1..<max(1, parts.count) { addFolder(parts[..<end].joined(separator: "/")) }
    let path = parts.joined(separator: "/")
    if isFolder {
      if !path.isEmpty { addFolder(path) }
      return
    }
    guard !path.isEmpty, fileNames.insert(path).inserted, !folderNames.contains(path) else { return forbid() }
    if parts.contains(where: { $0.utf8.first == UInt8(ascii: ".") }) { return }
    files.append(PluginPackage.File(path: path, isExecutable: isExecutable, bytes: content))
  }

  private mutating func addFolder(_ path: String) {
    folderNames.insert(path)
    if fileNames.contains(path) { forbid() }
  }

  /// The files; nil if the archive must be rejected. A single folder around all of them does not count.
  var accepted: [PluginPackage.File]? {
    if isForbidden { return nil }
    let tops = files.map { $0.path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) } }
    guard let top = tops.first?.first, tops.allSatisfy({ $0.count > 1 && $0[0].utf8.elementsEqual(top.utf8) }) else {
      return files
    }
    return files.map {
      PluginPackage.File(
        path: String(Substring($0.path.utf8.dropFirst(top.utf8.count + 1))), isExecutable: $0.isExecutable,
        bytes: $0.bytes)
    }
  }
}
