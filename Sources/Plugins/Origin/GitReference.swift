import HTTP
import Text

/// A Git repository and a tag in it: `git+https://HOST/PATH@TAG`, `git+ssh://USER@HOST/PATH@TAG` or `git+file:///PATH@TAG`.
package struct GitReference: Sendable, Equatable {
  package static let prefix = "git+"

  /// The URL for Git.
  package let repository: String
  /// The tag; nil for the tag of the newest version.
  package let tag: String?

  /// - Throws: ``PluginReferenceError`` for another scheme, a user name in an https URL, and a tag that Git would reject.
  package init(parsing text: String) throws(PluginReferenceError) {
    let address = text.dropFirst(Self.prefix.count)
    // A tag contains no at sign, but a path may. Before the path, it ends a user name.
    let path = Self.pathStart(of: address) ?? address.endIndex
    let at = address[path...].lastIndex(of: "@")
    repository = String(address[..<(at ?? address.endIndex)])
    tag = at.map { String(address[address.index(after: $0)...]) }
    try Self.check(repository)
    if let tag, !Self.isTag(tag) { throw PluginReferenceError("the tag after '@' is not a valid Git tag") }
  }

  /// The text that the user would enter for this repository and a tag.
  package static func text(of repository: String, at tag: String) -> String { "\(prefix)\(repository)@\(tag)" }

  private static func pathStart(of address: Substring) -> Substring.Index? {
    var slashes = 0
    return address.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes == 3
    }
  }

  private static func check(_ repository: String) throws(PluginReferenceError) {
    if repository.hasPrefix("file:///") {
      guard repository.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != "%" }) else {
        throw PluginReferenceError("the path of the repository contains a control character or '%'")
      }
      return
    }
    if repository.hasPrefix("ssh://") { return try checkSSH(repository) }
    guard repository.hasPrefix("https://") else {
      throw PluginReferenceError("a repository's URL begins with git+https://, git+ssh:// or git+file:///")
    }
    let url: WebURL
    do throws(WebURLError) { url = try WebURL(parsing: repository) } catch {
      throw PluginReferenceError(error.description)
    }
    guard url.query.isEmpty, url.path.utf8.count > 1 else {
      throw PluginReferenceError("the URL of a repository has a path and no query")
    }
  }

  /// Git passes the user, the host and the port to ssh, and the path to a shell of the server.
  private static func checkSSH(_ repository: String) throws(PluginReferenceError) {
    let address = repository.dropFirst("ssh://".utf8.count)
    let slash = address.firstIndex(of: "/") ?? address.endIndex
    let parts = address[..<slash].split(separator: "@", omittingEmptySubsequences: false)
    let host = (parts.last ?? "").split(separator: ":", omittingEmptySubsequences: false)
    let user = parts.count > 1 ? [parts[0]] : []
    let isPort = host.count < 2 || host[1].utf8.allSatisfy(\.isDigit)
    guard parts.count <= 2, host.count <= 2, isPort, (user + host).allSatisfy(isWord),
      address[slash...].utf8.count > 1,
      address[slash...].unicodeScalars.allSatisfy({
        $0.isASCII && (isWord(String($0)) || "/~+-".unicodeScalars.contains($0))
      })
    else {
      throw PluginReferenceError(
        "a repository's URL with git+ssh:// has the form git+ssh://USER@HOST/PATH, without a password")
    }
  }

  /// Whether the text has only letters, digits, dots, hyphens and underscores, and does not begin with a hyphen.
  private static func isWord(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && !text.hasPrefix("-")
      && text.utf8.allSatisfy { byte in
        byte.isLetterOrDigit || "._-".utf8.contains(byte)
      }
  }

  /// Whether Git accepts the text as the name of a tag. The rules are stricter than Git's own.
  package static func isTag(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last, bytes.count <= 200 else { return false }
    guard first.isLetterOrDigit, last != UInt8(ascii: "/"), last != UInt8(ascii: "."), !text.hasSuffix(".lock"),
      bytes.allSatisfy({ $0.isLetterOrDigit || "._/+-".utf8.contains($0) })
    else { return false }
    return zip(bytes, bytes.dropFirst()).allSatisfy { current, next in
      !(current == UInt8(ascii: ".") && next == current)
        && !(current == UInt8(ascii: "/") && [current, UInt8(ascii: ".")].contains(next))
    }
  }
}

/// The files of a commit, as `git ls-tree -r -z --long` lists them and `git cat-file --batch` prints them.
package struct GitTree: Sendable {
  private struct Entry: Sendable {
    let path: [UInt8]
    let mode: Int
    let id: String
  }

  private let entries: [Entry]

  /// - Throws: ``PluginContentsError`` for links and submodules, and if a limit is exceeded.
  package init(listing: [UInt8]) throws(PluginContentsError) {
    var (entries, size) = ([Entry](), 0)
    for line in listing.split(separator: 0) {
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { throw .damagedRepository }
      let path = Array(line[(tab + 1)...])
      // As in a folder, hidden files belong to the author and are skipped.
      if path.split(separator: UInt8(ascii: "/")).contains(where: {
        $0.first == UInt8(ascii: ".") && $0 != [0x2e, 0x2e]
      }) {
        continue
      }
      let facts = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      guard facts.count == 4, let mode = Int(facts[0], radix: 8), VersionTag.isCommit(facts[2]) else {
        throw .damagedRepository
      }
      guard facts[1] == "blob", mode & 0o170000 == 0o100000, let bytes = Int(facts[3]) else {
        throw PluginContentsError("'\(String(decoding: path, as: UTF8.self))' is a link or a submodule")
      }
      size += bytes
      guard size <= PluginContents.sizeLimit else { throw .largeArchive }
      entries.append(Entry(path: path, mode: mode, id: String(facts[2])))
      guard entries.count <= PluginContents.fileLimit else { throw .manyFiles }
    }
    self.entries = entries
  }

  /// The input of `git cat-file --batch` that requests all files.
  package var requests: [UInt8] { Array(entries.map { "\($0.id)\n" }.joined().utf8) }

  /// The files, from the output of `git cat-file --batch`: for each a line `ID blob SIZE`, the content and a line feed.
  package func files(in objects: [UInt8]) throws(PluginContentsError) -> [PluginPackage.File] {
    var contents = ArchiveContents()
    var offset = 0
    for entry in entries {
      guard let end = objects[offset...].firstIndex(of: UInt8(ascii: "\n")) else { throw .damagedRepository }
      let header = String(decoding: objects[offset..<end], as: UTF8.self).split(separator: " ")
      guard header.count == 3, header[0] == entry.id, header[1] == "blob", let size = Int(header[2]), size >= 0,
        size < objects.count - end - 1
      else { throw .damagedRepository }
      let bytes = Array(objects[(end + 1)..<(end + 1 + size)])
      offset = end + size + 2
      try contents.add(entry.path, .file(isExecutable: entry.mode & 0o100 != 0)) { bytes }
    }
    return contents.pluginFiles
  }
}

extension PluginContentsError {
  fileprivate static let damagedRepository = PluginContentsError("git listed the repository in an unexpected form")
}

/// A tag of a Git repository, and the commit it points to.
package struct VersionTag: Sendable, Equatable {
  package let name: String
  package let commit: String
  package init(name: String, commit: String) { (self.name, self.commit) = (name, commit) }

  /// Parses the output of `git ls-remote --tags`. An annotated tag has a second line, with the commit it points to.
  package static func list(parsing bytes: [UInt8]) -> [VersionTag] {
    var tags: [VersionTag] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 1)
      guard fields.count == 2, isCommit(fields[0]), fields[1].hasPrefix("refs/tags/") else { continue }
      let isPeeled = fields[1].hasSuffix("^{}")
      let name = String(fields[1].dropFirst("refs/tags/".count).dropLast(isPeeled ? 3 : 0))
      guard GitReference.isTag(name) else { continue }
      if isPeeled { tags.removeAll { $0.name == name } }
      tags.append(VersionTag(name: name, commit: String(fields[0])))
    }
    return tags
  }

  /// The tag of the newest version that is not a pre-release, among those named `1.2.3` or `v1.2.3`.
  package static func newest(of tags: [VersionTag]) -> VersionTag? {
    tags.filter { VersionOrder.isRelease($0.name) }.max { VersionOrder.isOlder($0.name, than: $1.name) == true }
  }

  /// The tag of a version: its name, with or without a `v` before it.
  package static func tag(of version: String, in tags: [VersionTag]) -> VersionTag? {
    tags.first { $0.name == version } ?? tags.first { $0.name == "v\(version)" }
  }

  /// Whether the text is the id of a commit: SHA-1 or SHA-256 in hexadecimal digits.
  package static func isCommit(_ text: some StringProtocol) -> Bool {
    [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy(\.isLowercaseHexadecimal)
  }
}
