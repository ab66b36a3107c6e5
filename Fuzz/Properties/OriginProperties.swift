import HTTP
import PluginProtocol
import Plugins

/// What is read before a plugin is installed: an accepted index can be shown and leads only to places below it or to https
/// URLs; checksums, keys and references mean the same when they are written and read again.
enum OriginProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    indexProblem(in: bytes) ?? checksumProblem(in: bytes) ?? keyProblem(in: bytes) ?? gitProblem(in: bytes)
      ?? referenceProblem(in: String(decoding: bytes, as: UTF8.self))
  }

  private static func indexProblem(in bytes: [UInt8]) -> String? {
    guard let index = try? PluginIndex(parsing: bytes) else { return nil }
    for entry in index.entries {
      for text in [index.name, entry.version, entry.summary, entry.platform.description, entry.url] {
        if text.isEmpty || ManifestText.problem(in: text) != nil { return "a text that cannot be shown" }
      }
      guard ContentHash.isOne(entry.sha256), ContentHash.isOne(entry.contentSHA256) else {
        return "an invalid checksum"
      }
      for base in ["https://a.test/x/index.json", "/srv/index.json"] {
        guard let location = try? IndexLocation(parsing: base).archive(at: entry.url) else { continue }
        let place = location.description
        let folder = base.prefix { $0 != "i" }
        guard
          place.hasPrefix("https://") || place.hasPrefix("http://") && base.hasPrefix("/") || place.hasPrefix(folder)
        else { return "an archive elsewhere: \(place)" }
        if place.split(separator: "/").contains("..") { return "an archive outside of the index's folder: \(place)" }
      }
      guard index.entry(named: entry.name, version: entry.version, for: entry.platform) != nil else {
        return "an entry that cannot be found"
      }
    }
    guard let first = index.entries.first else { return nil }
    let written = try? PluginIndex.adding(first, to: bytes, named: "x")
    guard let written, let again = try? PluginIndex(parsing: written) else { return "an index that cannot be extended" }
    return again.entries.contains(first) && again.entries.count == index.entries.count ? nil : "an entry is lost"
  }

  private static func checksumProblem(in bytes: [UInt8]) -> String? {
    guard let list = try? ChecksumList(parsing: bytes) else { return nil }
    guard let again = try? ChecksumList(parsing: list.bytes) else {
      return "a list of checksums that cannot be read again"
    }
    return list.sums.allSatisfy { again[$0.name] == $0.sha256 } ? nil : "a checksum that changes"
  }

  private static func keyProblem(in bytes: [UInt8]) -> String? {
    for key in [try? SigningKey(publicKeyFile: bytes), (try? SignatureFile(parsing: bytes))?.key].compactMap(\.self) {
      guard (try? SigningKey(publicKeyFile: Array(key.text.utf8))) == key else { return "a key that changes" }
      guard key.fingerprint.utf8.count == 50 else { return "a fingerprint of another length" }
    }
    return nil
  }

  private static func gitProblem(in bytes: [UInt8]) -> String? {
    for tag in VersionTag.list(parsing: bytes) where !GitReference.isTag(tag.name) || !VersionTag.isCommit(tag.commit) {
      return "a tag that is not one"
    }
    guard let tree = try? GitTree(listing: bytes), let files = try? tree.files(in: bytes) else { return nil }
    return files.allSatisfy { !$0.path.hasPrefix("/") && !$0.path.split(separator: "/").contains("..") }
      ? nil : "a path outside of the folder"
  }

  private static func referenceProblem(in text: String) -> String? {
    guard case .git(let git)? = try? PluginReference(parsing: text, exists: { _ in false }), let tag = git.tag else {
      return nil
    }
    guard GitReference.isTag(tag), !git.repository.hasPrefix("-") else { return "an argument that git would misread" }
    return GitReference.text(of: git.repository, at: tag) == text ? nil : "a reference that changes"
  }
}
