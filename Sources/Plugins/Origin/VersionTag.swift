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
    [40, 64].contains(text.utf8.count)
      && text.utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }
}
