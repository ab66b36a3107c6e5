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
    var place = 0
    for entry in entries {
      guard let end = objects[place...].firstIndex(of: UInt8(ascii: "\n")) else { throw .damagedRepository }
      let header = String(decoding: objects[place..<end], as: UTF8.self).split(separator: " ")
      guard header.count == 3, header[0] == entry.id, header[1] == "blob", let size = Int(header[2]), size >= 0,
        size < objects.count - end - 1
      else { throw .damagedRepository }
      let bytes = Array(objects[(end + 1)..<(end + 1 + size)])
      place = end + size + 2
      try contents.add(entry.path, .file(isExecutable: entry.mode & 0o100 != 0)) { bytes }
    }
    return contents.plugin
  }
}

extension PluginContentsError {
  fileprivate static let damagedRepository = PluginContentsError("git listed the repository in an unexpected form")
}
