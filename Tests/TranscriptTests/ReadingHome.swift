import Foundation
import Support
import Testing

/// Reading from a full or read-only disk.
extension Home {
  /// - Parameter hasCache: Whether the cache contains the last known connections.
  func prepareToRead(hasCache: Bool) throws {
    try keepUserToken()
    #expect(try run("connections", "add", "c1", "c2").status == 0)
    guard !hasCache else { return }
    for name in folder.names where name.hasPrefix("cache.db") {
      try FileManager.default.removeItem(atPath: folder[name])
    }
  }

  static let readingScript = """
    tell token list -o tsv --no-header --fields token; tell token show --print
    tell store info -o tsv --no-header --fields exists,journal_mode,credentials,tracked
    tell connections list --offline -o tsv --no-header --fields id,stale; tell connections list --offline -o json -q
    tell profile list -o tsv --no-header --fields name; tell store check -q; tell privacy show -q; ls "$HOME_FOLDER"
    """

  /// Check the output of the reading script. Without a cache no connection can be shown, and the error is the same as
  /// on any other disk.
  func expectReading(_ lines: [String], hasCache: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    let list = hasCache ? "exit 0" : "exit 5"
    #expect(
      lines.filter { $0.hasPrefix("exit") } == [
        "exit 0", "exit 0", "exit 0", list, list, "exit 0", "exit 0", "exit 0",
      ],
      "\(lines)", sourceLocation: sourceLocation)
    #expect(lines.contains(Known.userToken), sourceLocation: sourceLocation)
    #expect(lines.contains("true\twal\t1\t2"), "\(lines)", sourceLocation: sourceLocation)
    #expect(lines.contains { $0.hasPrefix("c1\t") } == hasCache, "\(lines)", sourceLocation: sourceLocation)
    #expect(!lines.contains { $0.contains("unable to open") || $0.contains("disk") }, "\(lines)")
    #expect(!lines.contains { $0.contains(".new-") }, "\(lines)", sourceLocation: sourceLocation)
  }
}
