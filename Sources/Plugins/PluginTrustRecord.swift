import JSON
import World

/// The trust granted when a user installed a plugin: one content of its folder, and the data it may see.
package struct PluginTrustRecord: Sendable, Equatable {
  package var version: String
  /// The hash of the content, in the form of ``ContentHash``.
  package var sha256: String
  /// The attributes of its files when they last matched that content.
  package var files: TrustedFiles
  /// Names or name prefixes of the credentials that it may request.
  package var credentials: [String]
  /// The environment variables that it may see.
  package var environment: [String]
  /// The folder that a linked plugin runs from; nil for an installed plugin.
  package var linkedFolder: String?

  package init(
    version: String, sha256: String, files: TrustedFiles, credentials: [String] = [], environment: [String] = [],
    linkedFolder: String? = nil
  ) {
    (self.version, self.sha256, self.files) = (version, sha256, files)
    (self.credentials, self.environment, self.linkedFolder) = (credentials, environment, linkedFolder)
  }
}

/// The file-system attributes of a trusted plugin's files. While they match, the files are unchanged: a file cannot
/// be modified without updating its change time.
package struct TrustedFiles: Sendable, Equatable {
  private let json: String

  package init(_ contents: PluginContents) {
    var writer = JSONWriter()
    writer.beginArray()
    for file in contents.files {
      writer.beginObject()
      writer.member("path", file.path)
      // As text: a device number may exceed the integers that JSON readers support.
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

  /// Restores the stored form.
  package init(stored: String) { json = stored }

  package var stored: String { json }
}
