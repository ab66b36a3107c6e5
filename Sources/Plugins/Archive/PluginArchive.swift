/// An archive of a plugin's folder, read in memory. Nothing is written before the user has agreed, and no other
/// program is involved.
package enum PluginArchive: Sendable {
  case tar, compressedTar, zip

  package init?(fileName: String) {
    let name = fileName.lowercased()
    if name.hasSuffix(".tar") {
      self = .tar
    } else if name.hasSuffix(".tar.gz") || name.hasSuffix(".tgz") {
      self = .compressedTar
    } else if name.hasSuffix(".zip") {
      self = .zip
    } else {
      return nil
    }
  }

  /// The kind of an archive that cannot be read, such as `.tar.xz`; nil for another name.
  package static func unsupportedKind(fileName: String) -> String? {
    let name = fileName.lowercased()
    return [
      ".tar.xz", ".txz", ".tar.bz2", ".tbz", ".tbz2", ".tar.zst", ".tzst", ".tar.lz", ".tar.z", ".7z", ".rar", ".deb",
      ".rpm", ".dmg", ".pkg", ".whl", ".gz", ".xz", ".bz2", ".zst",
    ].first { name.hasSuffix($0) && PluginArchive(fileName: name) == nil }
  }

  /// The largest archive, and the largest tar inside a compressed one. It leaves room for the headers of the maximum
  /// number of files.
  package static let sizeLimit = PluginContents.sizeLimit + 8 << 20

  /// The plugin's files.
  /// - Throws: ``PluginContentsError`` for an archive that is damaged, too large, or not allowed in a plugin.
  package func files(in bytes: [UInt8]) throws(PluginContentsError) -> [PluginPackage.File] {
    switch self {
    case .tar: try TarReader.contents(of: bytes).plugin
    case .compressedTar: try TarReader.contents(of: GzipReader.decompress(bytes, limit: Self.sizeLimit)).plugin
    case .zip: try ZipReader.contents(of: bytes).plugin
    }
  }
}
