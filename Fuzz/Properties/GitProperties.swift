import Plugins

/// What Git prints: tags and commits have the form that Git's other commands accept, and of a commit exactly the files
/// that are allowed in a plugin are read.
///
/// The input is either the output of `git ls-remote`, or describes the files of a commit.
enum GitProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    for tag in VersionTag.list(parsing: bytes) {
      guard GitReference.isTag(tag.name), VersionTag.isCommit(tag.commit) else { return "a tag that is not one" }
      // Git must not take it for an option, a range or a path.
      guard !tag.name.hasPrefix("-"), !tag.name.hasControls(), !tag.name.utf8.contains(UInt8(ascii: ":")) else {
        return "a tag that Git would misread"
      }
    }
    if let tree = try? GitTree(listing: bytes) { _ = try? tree.files(in: bytes) }
    return treeProblem(in: bytes)
  }

  private static func treeProblem(in bytes: [UInt8]) -> String? {
    var choices = InputChoices(bytes)
    let lie = choices.number(below: 8)
    let members = ArchiveMember.list(&choices)
    var (listing, objects, expected) = ([UInt8](), [UInt8](), ExpectedArchive())
    for (index, member) in members.enumerated() {
      let digits = String(index, radix: 16)
      let id = String(repeating: "0", count: 40 - digits.count) + digits
      let name = member.name
      let (mode, type) = self.mode(of: member)
      let size = type == "blob" ? String(member.content.count) : "-"
      listing += Array("\(mode) \(type) \(id) \(size)\t".utf8) + name + [0]
      if isHidden(name) { continue }
      if type != "blob" || mode.hasPrefix("12") {
        expected.forbid()
      } else {
        let claimed = lie == 1 && index == 0 ? member.content.count + 1 : member.content.count
        let printed = lie == 2 && index == 0 ? String(id.dropLast()) + "f" : id
        if claimed != member.content.count || printed != id { expected.forbid() }
        objects += Array("\(printed) blob \(claimed)\n".utf8) + member.content + [UInt8(ascii: "\n")]
        expected.add(name, isFolder: false, isExecutable: member.isExecutable, member.content)
      }
    }
    let tree = try? GitTree(listing: listing)
    let files = tree.flatMap { try? $0.files(in: objects) }
    switch (files, expected.accepted) {
    case (nil, nil): return nil
    case (let files?, nil): return "a forbidden tree is accepted: \(files.map(\.path))"
    case (nil, let files?): return "a valid tree is rejected: \(files.map(\.path))"
    case (let files?, let others?): return files == others ? nil : "other files than Git lists: \(files.map(\.path))"
    }
  }

  private static func isHidden(_ name: [UInt8]) -> Bool {
    name.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") && $0 != [0x2e, 0x2e] }
  }

  private static func mode(of member: ArchiveMember) -> (mode: String, type: String) {
    switch member.kind {
    case .symbolicLink, .hardLink: ("120000", "blob")
    case .unknown, .device: ("160000", "commit")
    case .folder: ("040000", "tree")
    default: (member.isExecutable ? "100755" : "100644", "blob")
    }
  }
}
