package import JSON
package import PluginProtocol
import Text

/// An index of plugins: a JSON file with the versions that can be installed by name.
package struct PluginIndex: Sendable, Equatable {
  package static let sizeLimit = 4 << 20
  package static let entryLimit = 10_000

  /// The name that the index gives itself.
  package let name: String
  /// Whether only signed plugins can be installed from it.
  package let requiresSignatures: Bool
  package let entries: [IndexEntry]

  /// Parses an index. One invalid entry makes the whole index invalid, so that its publisher notices it.
  /// - Throws: ``PluginContentsError`` if it is not an index of this version.
  package init(parsing bytes: [UInt8]) throws(PluginContentsError) {
    guard bytes.count <= Self.sizeLimit else {
      throw PluginContentsError("it is larger than \(Self.sizeLimit >> 20) MiB")
    }
    guard let value = try? JSONValue(document: bytes, values: JSONValue.maximumValues), value.object != nil else {
      throw PluginContentsError("it is not a JSON object")
    }
    guard value["schema_version"]?.int == 1 else { throw PluginContentsError("its 'schema_version' is not 1") }
    name = try Self.text("name", in: value, limit: 100)
    switch value["require_signatures"] {
    case nil, .bool(false)?: requiresSignatures = false
    case .bool(true)?: requiresSignatures = true
    // An index that demands signatures in a way that is not understood must not be read as one that does not.
    default: throw PluginContentsError("'require_signatures' is neither true nor false")
    }
    guard let plugins = value["plugins"]?.array else { throw PluginContentsError("'plugins' is not an array") }
    guard plugins.count <= Self.entryLimit else {
      throw PluginContentsError("it has more than \(Self.entryLimit) entries")
    }
    var (entries, seen) = ([IndexEntry](), Set<String>())
    for (index, plugin) in plugins.enumerated() {
      do throws(PluginContentsError) { entries.append(try IndexEntry(plugin)) } catch {
        throw PluginContentsError("entry \(index + 1): \(error)")
      }
      let entry = entries[index]
      guard seen.insert("\(entry.name) \(entry.platform) \(entry.version)").inserted else {
        throw PluginContentsError(
          "entry \(index + 1): \(entry.name) \(entry.version) for \(entry.platform) is repeated")
      }
    }
    self.entries = entries
  }

  /// The newest version of a plugin for a platform.
  /// - Parameter version: the exact version; nil for the newest one that is not a pre-release.
  package func entry(named name: PluginName, version: String? = nil, for platform: PluginPlatform) -> IndexEntry? {
    let matching = entries.filter { $0.name == name && ($0.platform == platform || $0.platform == .any) }
    let chosen =
      version.map { version in matching.filter { $0.version == version } }
      ?? matching.filter { VersionOrder.isRelease($0.version) }
    // Of two archives of the same version, the archive for this platform is preferred.
    return chosen.max { first, second in
      if VersionOrder.isOlder(first.version, than: second.version) == true { return true }
      if VersionOrder.isOlder(second.version, than: first.version) == true { return false }
      return first.platform == .any && second.platform != .any
    }
  }

  /// A text member that is not empty and can be shown.
  static func text(_ key: String, in value: JSONValue, limit: Int) throws(PluginContentsError) -> String {
    guard let text = value[key]?.string, !text.isEmpty else { throw PluginContentsError("it has no '\(key)'") }
    guard text.utf8.count <= limit else { throw PluginContentsError("'\(key)' is longer than \(limit) bytes") }
    if let problem = ManifestText.problem(in: text) { throw PluginContentsError("'\(key)' has \(problem)") }
    return text
  }
}

/// One version of a plugin for one platform, as an index lists it.
package struct IndexEntry: Sendable, Equatable {
  package let name: PluginName
  package let version: String
  package let summary: String
  package let platform: PluginPlatform
  /// The URL of the archive: absolute, or relative to the index.
  package let url: String
  /// The SHA-256 of the archive.
  package let sha256: String
  /// The hash of the plugin's files, in the form of ``ContentHash``.
  package let contentSHA256: String

  package init(
    name: PluginName, version: String, summary: String, platform: PluginPlatform, url: String, sha256: String,
    contentSHA256: String
  ) {
    (self.name, self.version, self.summary, self.platform) = (name, version, summary, platform)
    (self.url, self.sha256, self.contentSHA256) = (url, sha256, contentSHA256)
  }

  init(_ value: JSONValue) throws(PluginContentsError) {
    func text(_ key: String, _ limit: Int) throws(PluginContentsError) -> String {
      try PluginIndex.text(key, in: value, limit: limit)
    }
    guard let name = PluginName(parsing: try text("name", 100)) else {
      throw PluginContentsError("'name' is not the name of a plugin")
    }
    guard let platform = PluginPlatform(parsing: try text("platform", 100)) else {
      throw PluginContentsError("'platform' is not the name of a platform")
    }
    let (url, sha256, content) = (try text("url", 2000), try text("sha256", 100), try text("content_sha256", 100))
    guard ContentHash.isOne(sha256), ContentHash.isOne(content) else {
      throw PluginContentsError("a checksum does not have 64 lowercase hexadecimal digits")
    }
    try IndexLocation.check(url)
    self.init(
      name: name, version: try text("version", 64), summary: try text("summary", 500), platform: platform, url: url,
      sha256: sha256, contentSHA256: content)
  }

  /// The entry as it is written to an index.
  package var json: JSONValue {
    [
      "name": .string(name.description), "version": .string(version), "summary": .string(summary),
      "platform": .string(platform.description), "url": .string(url), "sha256": .string(sha256),
      "content_sha256": .string(contentSHA256),
    ]
  }
}

extension PluginIndex {
  /// The text of an index file in which an entry is added, or replaced if it has the same name, version and platform.
  /// All other members stay as they are.
  /// - Parameters:
  ///   - bytes: The current file; nil if it does not exist.
  ///   - name: The name of a new index.
  /// - Throws: ``PluginContentsError`` if the current file is not a valid index.
  package static func adding(
    _ entry: IndexEntry, to bytes: [UInt8]?, named name: String
  ) throws(PluginContentsError) -> [UInt8] {
    var index: JSONObject = ["schema_version": 1, "name": .string(name), "plugins": []]
    if let bytes {
      _ = try PluginIndex(parsing: bytes)
      index = (try? JSONValue(document: bytes, values: JSONValue.maximumValues))?.object ?? index
    }
    var entries = (index["plugins"]?.array ?? []).filter { value in
      (try? IndexEntry(value)).map { old in
        old.name != entry.name || old.version != entry.version || old.platform != entry.platform
      } ?? true
    }
    entries.append(entry.json)
    index["plugins"] = .array(entries)
    // One entry per line, so that a diff is easy to read.
    let members = index.members.map { key, value in
      let text =
        key == "plugins" ? "[\n\(entries.map { "    \($0.text)" }.joined(separator: ",\n"))\n  ]" : value.text
      return "  \(JSONValue.string(key).text): \(text)"
    }
    let written = Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
    _ = try PluginIndex(parsing: written)
    return written
  }
}

/// The platform that a plugin's archive is for, such as `linux-x86_64`; `any` for every platform.
package struct PluginPlatform: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Parses a name; nil unless it consists of at most 32 lowercase letters, digits, hyphens and underscores.
  package init?(parsing text: String) {
    guard !text.isEmpty, text.utf8.count <= 32,
      text.utf8.allSatisfy({ $0.isLowercase || $0.isDigit || "-_".utf8.contains($0) })
    else { return nil }
    description = text
  }

  private init(known text: String) { description = text }

  package static let any = PluginPlatform(known: "any")

  /// The platforms with a name of their own.
  package static let known = ["linux-x86_64", "linux-aarch64", "macos-x86_64", "macos-arm64"].map(Self.init(known:))

  /// The platform of this program.
  package static let current: PluginPlatform = {
    #if os(macOS)
      let system = "macos"
    #else
      let system = "linux"
    #endif
    #if arch(arm64)
      return PluginPlatform(known: system == "macos" ? "macos-arm64" : "\(system)-aarch64")
    #else
      return PluginPlatform(known: "\(system)-x86_64")
    #endif
  }()
}
