package import JSON
package import PluginProtocol

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
