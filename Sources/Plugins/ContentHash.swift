import Text
package import World

/// A hash that identifies the content of a plugin's folder: SHA-256 over all its files.
///
/// For each file, in byte order of the paths: the path, NUL, `x` for an executable or `-` for any other file, NUL,
/// the size in decimal digits, NUL, and the 32 bytes of the SHA-256 of its content.
package struct ContentHash {
  private var message: [UInt8] = []

  package init() {}

  /// Adds a file. Files must be added in byte order of their paths.
  package mutating func add(_ path: String, isExecutable: Bool, _ bytes: [UInt8]) {
    message += path.utf8
    message += [0, isExecutable ? UInt8(ascii: "x") : UInt8(ascii: "-"), 0]
    message += String(bytes.count).utf8
    message += [0]
    message += SHA256.hash(bytes)
  }

  /// 64 lowercase hexadecimal digits.
  package var text: String {
    SHA256.hash(message).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }

  /// The hash of a folder's content.
  /// - Throws: ``SystemError``, and ``PluginContentsError`` for a file whose size has changed.
  package static func of(_ contents: PluginContents, in folder: String, _ files: any Files) throws -> String {
    var hash = ContentHash()
    for file in contents.files {
      let bytes = try files.readRegular("\(folder)/\(file.path)", limit: PluginContents.sizeLimit)
      guard bytes.count == file.stamp.size else {
        throw PluginContentsError("'\(file.path)' changed while it was read")
      }
      hash.add(file.path, isExecutable: file.isExecutable, bytes)
    }
    return hash.text
  }

  /// Whether a text has the form of a content hash.
  package static func isOne(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

extension PluginContents.Entry {
  package var isExecutable: Bool { stamp.mode & 0o100 != 0 }
}
