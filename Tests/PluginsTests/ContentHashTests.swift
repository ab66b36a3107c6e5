import Foundation
import Plugins
import Support
import Testing
import World

/// The hash of a folder's content: it matches the documentation and changes with every relevant change.
@Suite struct ContentHashTests {
  let home = PluginFolder()

  private func hash(_ path: String) throws -> String {
    try ContentHash.of(home.contents(path), in: path, home.files)
  }

  /// Compares with the Python program in docs/plugins.md.
  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) func matchesDocumentedAlgorithm() throws {
    let path = try home.add("shelf")
    try home.files.makeFolder(path + "/lib")
    home.folder.write("plugins/shelf/lib/é.txt", "ü\n")
    home.folder.write("plugins/shelf/lib.txt", "")
    let page = try Checkout.text("docs/plugins.md")
    let script = try #require(
      page.components(separatedBy: "```python\n").first { $0.contains("import hashlib") }?
        .components(separatedBy: "```").first)
    let outcome = try Tool.required("python3").run(["-c", script, path], in: ScratchFolder())
    #expect(try hash(path) + "\n" == outcome.output)
  }

  @Test func changesWithEveryRelevantChange() throws {
    let path = try home.add("shelf")
    var seen = [try hash(path)]
    home.folder.write("plugins/shelf/run", "#!/bin/sh\necho hallo\n", mode: 0o700)
    seen.append(try hash(path))
    home.folder.write("plugins/shelf/new", "")
    seen.append(try hash(path))
    chmod(path + "/new", 0o700)
    seen.append(try hash(path))
    rename(path + "/new", path + "/newer")
    seen.append(try hash(path))
    #expect(Set(seen).count == 5)
    #expect(seen.allSatisfy(ContentHash.isOne))
    // The permissions of others are not part of the content.
    chmod(path + "/newer", 0o750)
    #expect(try hash(path) == seen[4])
  }

  @Test func rejectsInvalidHashes() {
    for text in ["", "abc", String(repeating: "A", count: 64), String(repeating: "g", count: 64)] {
      #expect(!ContentHash.isOne(text))
    }
  }
}
