/// Writes the files of a plugin as a tar archive (ustar). Equal files give equal archives: there are no times, owners or
/// other facts of this machine in it.
package enum TarWriter {
  private static let block = 512

  /// - Parameter folder: the name of the folder that the archive contains.
  /// - Throws: ``PluginContentsError`` for a path that is too long for the format.
  package static func archive(
    of files: [PluginPackage.File], in folder: String
  ) throws(PluginContentsError) -> [UInt8] {
    var bytes: [UInt8] = []
    for file in files {
      bytes += try header(path: "\(folder)/\(file.path)", file)
      bytes += file.bytes
      bytes += [UInt8](repeating: 0, count: (block - file.bytes.count % block) % block)
    }
    return bytes + [UInt8](repeating: 0, count: 2 * block)
  }

  private static func header(path: String, _ file: PluginPackage.File) throws(PluginContentsError) -> [UInt8] {
    let (prefix, name) = try split(path)
    var header = [UInt8](repeating: 0, count: block)
    func put(_ text: some Sequence<UInt8>, at place: Int) {
      for (offset, byte) in text.enumerated() { header[place + offset] = byte }
    }
    put(name, at: 0)
    put(octal(file.isExecutable ? 0o755 : 0o644, digits: 7), at: 100)
    put(octal(0, digits: 7), at: 108)
    put(octal(0, digits: 7), at: 116)
    put(octal(file.bytes.count, digits: 11), at: 124)
    put(octal(0, digits: 11), at: 136)
    // The checksum counts its own field as spaces.
    put([UInt8](repeating: 0x20, count: 8), at: 148)
    put("0".utf8, at: 156)
    put("ustar\u{0}00".utf8, at: 257)
    put(prefix, at: 345)
    put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + [0], at: 148)
    return header
  }

  /// The path in the two fields of the header, of 155 and 100 bytes. They meet at a slash.
  private static func split(_ path: String) throws(PluginContentsError) -> (prefix: [UInt8], name: [UInt8]) {
    let bytes = Array(path.utf8)
    if bytes.count <= 100 { return ([], bytes) }
    for place in bytes.indices where bytes[place] == UInt8(ascii: "/") {
      if place <= 155, bytes.count - place - 1 <= 100 { return (Array(bytes[..<place]), Array(bytes[(place + 1)...])) }
    }
    throw PluginContentsError("the path '\(path)' is too long for an archive")
  }

  private static func octal(_ number: Int, digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return Array((String(repeating: "0", count: max(0, digits - text.utf8.count)) + text).utf8)
  }
}
