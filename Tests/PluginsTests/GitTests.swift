import Plugins
import Testing

/// The output of git: tags, and the files of a commit.
@Suite struct GitTests {
  private static let one = String(repeating: "1", count: 40)
  private static let two = String(repeating: "2", count: 40)

  @Test func anAnnotatedTagPointsToItsCommit() {
    let tags = VersionTag.list(
      parsing: Array(
        """
        \(Self.one)\trefs/tags/v1.0.0
        \(Self.two)\trefs/tags/v1.0.0^{}
        \(Self.one)\trefs/heads/main
        \(Self.one)\trefs/tags/-f
        nonsense\trefs/tags/v9

        """.utf8))
    #expect(tags == [VersionTag(name: "v1.0.0", commit: Self.two)])
  }

  @Test func theNewestVersionIsNoPreRelease() {
    let tags = ["v1.9.0", "v1.10.0", "1.9.5", "v2.0.0-rc.1", "latest", "release/3"].map {
      VersionTag(name: $0, commit: Self.one)
    }
    #expect(VersionTag.newest(of: tags)?.name == "v1.10.0")
    #expect(VersionTag.newest(of: [tags[3], tags[4]]) == nil)
    #expect(VersionTag.tag(of: "2.0.0-rc.1", in: tags)?.name == "v2.0.0-rc.1")
    #expect(VersionTag.tag(of: "1.9.5", in: tags)?.name == "1.9.5")
  }

  private func listing(_ entries: [(mode: String, kind: String, size: String, path: String)]) -> [UInt8] {
    entries.flatMap { Array("\($0.mode) \($0.kind) \(Self.one) \($0.size)\t\($0.path)".utf8) + [0] }
  }

  @Test func filesAreReadInOrder() throws {
    let tree = try GitTree(
      listing: listing([
        ("100644", "blob", "      3", "a/x"), ("100755", "blob", "0", "run"), ("120000", "blob", "1", ".hidden"),
      ]))
    #expect(tree.requests == Array("\(Self.one)\n\(Self.one)\n".utf8))
    let objects = "\(Self.one) blob 3\nabc\n\(Self.one) blob 0\n\n"
    #expect(
      try tree.files(in: Array(objects.utf8)) == [
        PluginPackage.File(path: "a/x", isExecutable: false, bytes: Array("abc".utf8)),
        PluginPackage.File(path: "run", isExecutable: true, bytes: []),
      ])
  }

  @Test(arguments: [("120000", "blob", "1"), ("160000", "commit", "-"), ("040000", "tree", "-")])
  func linksAndSubmodulesAreRejected(mode: String, kind: String, size: String) {
    #expect(throws: PluginContentsError.self) { _ = try GitTree(listing: listing([(mode, kind, size, "x")])) }
  }

  @Test(arguments: ["../x", "a/../../x", "/x", "a\u{1}b"]) func pathsOutsideAreRejected(path: String) throws {
    let tree = try GitTree(listing: listing([("100644", "blob", "1", path)]))
    #expect(throws: PluginContentsError.self) { _ = try tree.files(in: Array("\(Self.one) blob 1\nx\n".utf8)) }
  }

  @Test func limitsApplyBeforeAnythingIsRead() {
    let many = (0...PluginContents.fileLimit).map { ("100644", "blob", "0", "f\($0)") }
    #expect(throws: PluginContentsError.self) { _ = try GitTree(listing: listing(many)) }
    let large = listing([("100644", "blob", "\(PluginContents.sizeLimit + 1)", "f")])
    #expect(throws: PluginContentsError.self) { _ = try GitTree(listing: large) }
  }

  @Test(arguments: ["", "\(one) blob 4\nabc\n", "\(two) blob 3\nabc\n", "\(one) missing\n", "\(one) blob -1\n\n"])
  func unexpectedObjectsAreRejected(objects: String) throws {
    let tree = try GitTree(listing: listing([("100644", "blob", "3", "x")]))
    #expect(throws: PluginContentsError.self) { _ = try tree.files(in: Array(objects.utf8)) }
  }
}
