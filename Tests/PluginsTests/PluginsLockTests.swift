import Plugins
import Testing

/// The lock file: written for easy diffs, and read strictly.
@Suite struct PluginsLockTests {
  private let one = String(repeating: "1", count: 64)
  private let two = String(repeating: "2", count: 64)

  @Test func isReadBackAsWritten() throws {
    let lock = PluginsLock(pins: [
      "tides": .init(version: "0.1.0", sha256: two), "shelf": .init(version: "1.2.0", sha256: one),
    ])
    #expect(
      String(decoding: lock.bytes, as: UTF8.self) == """
        {
          "version": 1,
          "plugins": {
            "shelf": {"version":"1.2.0","sha256":"\(one)"},
            "tides": {"version":"0.1.0","sha256":"\(two)"}
          }
        }

        """)
    #expect(try PluginsLock(parsing: lock.bytes) == lock)
    #expect(try PluginsLock(parsing: PluginsLock(pins: [:]).bytes) == PluginsLock(pins: [:]))
  }

  @Test func originsAreOptional() throws {
    let commit = String(repeating: "c", count: 40)
    let lock = PluginsLock(pins: [
      "shelf": .init(version: "1.2.0", sha256: one, origin: "git+https://host/shelf@v1.2.0", commit: commit)
    ])
    let text = String(decoding: lock.bytes, as: UTF8.self)
    #expect(text.contains(#""sha256":"\#(one)","origin":"git+https://host/shelf@v1.2.0","commit":"\#(commit)"}"#))
    #expect(try PluginsLock(parsing: lock.bytes) == lock)
    // A file of an earlier version has neither.
    let old = #"{"version":1,"plugins":{"shelf":{"version":"1.2.0","sha256":"\#(one)"}}}"#
    #expect(try PluginsLock(parsing: Array(old.utf8)).pins["shelf"] == .init(version: "1.2.0", sha256: one))
  }

  @Test func forbidsOtherVersionsContentsAndPlugins() {
    let lock = PluginsLock(pins: ["shelf": .init(version: "1.2.0", sha256: one)])
    #expect(lock.problem(of: "shelf", version: "1.2.0", sha256: one) == nil)
    #expect(
      lock.problem(of: "shelf", version: "1.3.0", sha256: one) == "it pins version 1.2.0 of 'shelf', not 1.3.0")
    #expect(lock.problem(of: "shelf", version: "1.2.0", sha256: two) == "it pins a different SHA-256 for 'shelf' 1.2.0")
    #expect(lock.problem(of: "tides", version: "1", sha256: two) == "it does not contain 'tides'")
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"version":2,"plugins":{}}"#, #"{"version":1,"plugins":[]}"#,
    #"{"version":1,"plugins":{"shelf":{"version":"1"}}}"#,
    #"{"version":1,"plugins":{"shelf":{"version":"1","sha256":"abc"}}}"#,
    #"{"version":1,"plugins":{"é":{"version":"1","sha256":"\#(String(repeating: "1", count: 64))"}}}"#,
    #"{"version":1,"plugins":{"../shelf":{"version":"1","sha256":"\#(String(repeating: "1", count: 64))"}}}"#,
  ])
  func rejectsInvalidLockFiles(text: String) {
    #expect(throws: PluginContentsError.self) { _ = try PluginsLock(parsing: Array(text.utf8)) }
  }
}
