import HTTP
import PluginProtocol
import Plugins

/// An index of plugins that is accepted can be shown, leads only below itself or to https URLs, keeps its limits,
/// and is the same after an entry is written again. The newest version is one that no other release succeeds.
enum IndexProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard let index = try? PluginIndex(parsing: bytes) else { return nil }
    guard index.entries.count <= PluginIndex.entryLimit else { return "too many entries" }
    let keys = index.entries.map { "\($0.name) \($0.platform) \($0.version)" }
    guard Set(keys).count == keys.count else { return "a repeated entry" }
    for entry in index.entries {
      if let problem = problem(of: entry, in: index) ?? locationProblem(of: entry) { return problem }
    }
    return writingProblem(of: index, bytes) ?? newestProblem(in: index)
  }

  private static func problem(of entry: IndexEntry, in index: PluginIndex) -> String? {
    for text in [index.name, entry.version, entry.summary, entry.platform.description, entry.url] {
      if text.isEmpty || text.hasControls() || ManifestText.problem(in: text) != nil {
        return "a text that cannot be shown"
      }
    }
    let digits = Set("0123456789abcdef")
    for sum in [entry.sha256, entry.contentSHA256] where sum.count != 64 || !sum.allSatisfy(digits.contains) {
      return "an invalid checksum"
    }
    return index.entry(named: entry.name, version: entry.version, for: entry.platform) == nil
      ? "an entry that cannot be found" : nil
  }

  private static func locationProblem(of entry: IndexEntry) -> String? {
    for base in ["https://a.test/x/index.json", "http://127.0.0.1:4/x/index.json", "/srv/index.json"] {
      guard let location = try? IndexLocation(parsing: base).archive(at: entry.url) else { continue }
      let (text, folder) = (location.description, base.prefix { $0 != "i" })
      let isPlain = text.hasPrefix("http://") && !base.hasPrefix("https://")
      guard text.hasPrefix("https://") || isPlain || text.hasPrefix(folder) else {
        return "an archive elsewhere: \(text)"
      }
      if text.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) {
        return "an archive outside of the index's folder: \(text)"
      }
      guard (try? IndexLocation(parsing: text)) == location else { return "a location that changes: \(text)" }
    }
    return nil
  }

  private static func writingProblem(of index: PluginIndex, _ bytes: [UInt8]) -> String? {
    guard let first = index.entries.first else { return nil }
    let written = try? PluginIndex.adding(first, to: bytes, named: "x")
    guard let written, let again = try? PluginIndex(parsing: written) else { return "an index that cannot be extended" }
    guard again.requiresSignatures == index.requiresSignatures, again.name == index.name else {
      return "an index that demands something else"
    }
    return again.entries.contains(first) && again.entries.count == index.entries.count ? nil : "an entry is lost"
  }

  private static func newestProblem(in index: PluginIndex) -> String? {
    for platform in [PluginPlatform.current, .any] {
      for entry in index.entries {
        guard let newest = index.entry(named: entry.name, for: platform) else { continue }
        guard newest.name == entry.name, VersionOrder.isRelease(newest.version) else {
          return "no release is the newest"
        }
        guard newest.platform == platform || newest.platform == .any else { return "an entry for another platform" }
        let fits = entry.platform == platform || entry.platform == .any
        if fits, VersionOrder.isRelease(entry.version),
          VersionOrder.isOlder(newest.version, than: entry.version) == true
        {
          return "\(newest.version) is newer than \(entry.version)"
        }
        if VersionOrder.isOlder(entry.version, than: entry.version) == true { return "a version is older than itself" }
      }
    }
    return nil
  }
}
