import Foundation
import ProgramDriver
import Support
import Testing

/// `script/lint --strays` finds files that a run may leave in a checkout and that must not be committed.
@Suite struct StrayFilesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func strays() throws -> Tool.Outcome {
    let script = try #require(Tool(path: Checkout.path("script/lint")))
    return try script.run(["--strays", folder.path], in: ScratchFolder())
  }

  @Test func aCheckoutOfSourcesHasNone() throws {
    try folder.write("let magic = \"SQLite format 3\\0\"\n", to: "Sources/Store/Opening.swift")
    try folder.write("The database `ifttt.db` and the archive `x.tar.gz`.\n", to: "README.md")
    try folder.write("", to: "Sources/Empty.swift")
    try folder.write("SQLite format 3\u{0}", to: "Tests/StoreTests/Releases/v1.db")
    try folder.write("SQLite format 3\u{0}", to: ".build/debug/x.db")
    try folder.write("SQLite format 3\u{0}", to: ".git/x.db")
    let outcome = try strays()
    #expect(outcome == Tool.Outcome(status: 0), "\(outcome)")
  }

  @Test(arguments: [
    "ifttt-backup.db", "docs/x.sqlite3", "a/b.db-wal", "b.db-journal", "store.key", "server.pem", "Examples/x.tar.gz",
    "x.zip", "x.tgz", "names with blanks.zip",
  ])
  func findsFilesByName(_ name: String) throws {
    try folder.write("", to: name)
    let outcome = try strays()
    #expect(outcome.status == 1)
    #expect(outcome.output == "\(name)\n")
  }

  @Test(arguments: [
    "SQLite format 3\u{0}and more", "PK\u{3}\u{4}", "-----BEGIN EC PRIVATE" + " KEY-----\nMHcCAQ\n",
    "text before\n-----BEGIN OPENSSH PRIVATE" + " KEY-----\n", String(repeating: "0123456789abcdef", count: 4) + "\n",
    "name\u{0}\u{0}0000644\u{0}ustar\u{0}00",
  ])
  func findsFilesByContent(_ text: String) throws {
    try folder.write(text, to: "docs/notes.txt")
    let outcome = try strays()
    #expect(outcome.status == 1)
    #expect(outcome.output == "docs/notes.txt\n")
  }

  @Test func findsCompressedFilesByContent() throws {
    try folder.write("words\n", to: "words.txt")
    let gzip = try Tool.required("gzip").run([folder.url.appendingPathComponent("words.txt").path], in: folder)
    #expect(gzip.status == 0)
    try FileManager.default.moveItem(atPath: folder.path + "/words.txt.gz", toPath: folder.path + "/words.txt")
    #expect(try strays().output == "words.txt\n")
  }

  @Test func thisCheckoutHasNone() throws {
    let script = try #require(Tool(path: Checkout.path("script/lint")))
    #expect(try script.run(["--strays"], in: ScratchFolder()) == Tool.Outcome(status: 0))
  }
}
