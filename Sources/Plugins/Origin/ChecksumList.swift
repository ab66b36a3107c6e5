/// `SHA256SUMS`: the checksums of the files beside it, as `sha256sum` writes them.
package struct ChecksumList: Sendable, Equatable {
  package static let fileName = "SHA256SUMS"
  package static let sizeLimit = 1 << 20

  /// In the order of the file.
  package private(set) var sums: [(name: String, sha256: String)] = []

  package init() {}

  /// - Throws: ``PluginContentsError`` for a line of another format, and for two checksums of one file.
  package init(parsing bytes: [UInt8]) throws(PluginContentsError) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.count <= Self.sizeLimit, text.utf8.elementsEqual(bytes) else {
      throw PluginContentsError("\(Self.fileName) is not text")
    }
    // Only these bytes end a line: a name may contain the other characters that Unicode calls line separators.
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      let digits = String(decoding: line.prefix(64), as: UTF8.self).lowercased()
      // Two spaces, or a space and an asterisk for a file that was read as binary.
      let mark = line.dropFirst(64).prefix(2)
      var shortName = line.dropFirst(66)
      while shortName.starts(with: "./".utf8) { shortName = shortName.dropFirst(2) }
      guard !shortName.isEmpty, mark.elementsEqual("  ".utf8) || mark.elementsEqual(" *".utf8),
        ContentHash.isOne(digits)
      else { throw PluginContentsError("\(Self.fileName) has a line that is not a checksum and a file name") }
      try add(String(decoding: shortName, as: UTF8.self), digits)
    }
  }

  /// The checksum of a file; nil if the list does not contain it.
  package subscript(name: String) -> String? { sums.first { $0.name == name }?.sha256 }

  private mutating func add(_ name: String, _ sha256: String) throws(PluginContentsError) {
    guard let other = self[name] else { return sums.append((name, sha256)) }
    guard other == sha256 else { throw PluginContentsError("\(Self.fileName) has two checksums for '\(name)'") }
  }

  /// Sets the checksum of a file.
  package mutating func set(_ name: String, _ sha256: String) {
    sums.removeAll { $0.name == name }
    sums.append((name, sha256))
  }

  /// The file's content, sorted by name.
  package var bytes: [UInt8] {
    let lines = sums.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
      "\($0.sha256)  \($0.name)\n"
    }
    return Array(lines.joined().utf8)
  }

  package static func == (one: ChecksumList, other: ChecksumList) -> Bool {
    one.sums.elementsEqual(other.sums) { $0 == $1 }
  }
}
