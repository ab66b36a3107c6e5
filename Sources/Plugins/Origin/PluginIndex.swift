import JSON
package import PluginProtocol

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
    for (place, plugin) in plugins.enumerated() {
      do throws(PluginContentsError) { entries.append(try IndexEntry(plugin)) } catch {
        throw PluginContentsError("entry \(place + 1): \(error)")
      }
      let entry = entries[place]
      guard seen.insert("\(entry.name) \(entry.platform) \(entry.version)").inserted else {
        throw PluginContentsError(
          "entry \(place + 1): \(entry.name) \(entry.version) for \(entry.platform) is repeated")
      }
    }
    self.entries = entries
  }

  /// The newest version of a plugin for a platform.
  /// - Parameter version: the exact version; nil for the newest one that is not a pre-release.
  package func entry(named name: PluginName, version: String? = nil, for platform: PluginPlatform) -> IndexEntry? {
    let fitting = entries.filter { $0.name == name && ($0.platform == platform || $0.platform == .any) }
    let chosen =
      version.map { version in fitting.filter { $0.version == version } }
      ?? fitting.filter { VersionOrder.isRelease($0.version) }
    // Of two archives of the same version, the one for this platform is preferred.
    return chosen.max { one, other in
      if VersionOrder.isOlder(one.version, than: other.version) == true { return true }
      if VersionOrder.isOlder(other.version, than: one.version) == true { return false }
      return one.platform == .any && other.platform != .any
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
