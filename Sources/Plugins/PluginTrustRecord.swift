import JSON
import World

/// What was trusted when a user installed a plugin: one content of its folder, and what it may see.
package struct PluginTrustRecord: Sendable, Equatable {
  package var version: String
  /// Of the content, as ``ContentHash`` makes it.
  package var sha256: String
  /// How its files looked when they were last found to be that content.
  package var files: TrustedFiles
  /// Names or beginnings of names of credentials that it may ask for.
  package var credentials: [String]
  /// Variables that it may see.
  package var environment: [String]

  package init(
    version: String, sha256: String, files: TrustedFiles, credentials: [String] = [], environment: [String] = []
  ) {
    (self.version, self.sha256, self.files) = (version, sha256, files)
    (self.credentials, self.environment) = (credentials, environment)
  }
}

/// How the files of a trusted plugin look to the file system. As long as they look so, they are what they were: nobody can
/// change a file and have it keep the moment of its last change.
package struct TrustedFiles: Sendable, Equatable {
  private let json: String

  package init(_ contents: PluginContents) {
    var writer = JSONWriter()
    writer.beginArray()
    for file in contents.files {
      writer.beginObject()
      writer.member("path", file.path)
      // As text: a device's number may be larger than what a reader of JSON takes for a whole number.
      writer.member("device", String(file.stamp.device))
      writer.member("inode", String(file.stamp.inode))
      writer.member("size", file.stamp.size)
      writer.member("modified", Int(file.stamp.modified))
      writer.member("changed", Int(file.stamp.changed))
      writer.member("mode", Int(file.stamp.mode))
      writer.endObject()
    }
    writer.endArray()
    json = String(decoding: writer.bytes, as: UTF8.self)
  }

  /// As it was stored.
  package init(stored: String) { json = stored }

  package var stored: String { json }
}
