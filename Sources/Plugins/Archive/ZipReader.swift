import CZlib

/// Reads a zip archive through its central directory; files may be stored or deflated.
///
/// The directory is not trusted: its sizes, checksums and names are compared with the data.
struct ZipReader {
  private let bytes: [UInt8]
  private var contents = ArchiveContents()

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads an archive.
  /// - Throws: ``PluginContentsError`` for an archive that is damaged, unsupported or not allowed in a plugin.
  static func contents(of bytes: [UInt8]) throws(PluginContentsError) -> ArchiveContents {
    var reader = ZipReader(bytes)
    try reader.read()
    return reader.contents
  }

  private mutating func read() throws(PluginContentsError) {
    guard let end = endOfDirectory else { throw .damagedArchive }
    let (count, size, start) = (number(2, end + 10), number(4, end + 12), number(4, end + 16))
    guard count != 0xffff, size != 0xffff_ffff, start != 0xffff_ffff else {
      throw PluginContentsError("the archive is in Zip64 format, which is not supported")
    }
    guard number(2, end + 4) == 0, number(2, end + 8) == count, start + size <= end else { throw .damagedArchive }
    var offset = start
    for _ in 0..<count { offset = try readEntry(at: offset, before: end) }
  }

  /// The offset of the end-of-directory record, which ends with a comment of at most 65535 bytes.
  private var endOfDirectory: Int? {
    let last = bytes.count - 22
    guard last >= 0 else { return nil }
    return stride(from: last, through: max(0, last - 0xffff), by: -1).first { offset in
      has([0x50, 0x4b, 5, 6], offset) && number(2, offset + 20) == last - offset
    }
  }

  /// - Returns: the offset of the next directory entry.
  private mutating func readEntry(at offset: Int, before end: Int) throws(PluginContentsError) -> Int {
    guard end - offset >= 46, has([0x50, 0x4b, 1, 2], offset) else { throw .damagedArchive }
    let (nameLength, more) = (number(2, offset + 28), number(2, offset + 30) + number(2, offset + 32))
    let next = offset + 46 + nameLength + more
    guard next <= end else { throw .damagedArchive }
    let name = bytes[offset + 46..<offset + 46 + nameLength]
    guard number(2, offset + 8) & 1 == 0 else { throw PluginContentsError("the archive is encrypted") }
    let entry = Entry(
      method: number(2, offset + 10), checksum: number(4, offset + 16), packed: number(4, offset + 20),
      size: number(4, offset + 24), header: number(4, offset + 42))
    let (bytes, left) = (self.bytes, contents.left)
    try contents.add(name, kind(at: offset, name)) { () throws(PluginContentsError) in
      try entry.content(in: bytes, name, atMost: left)
    }
    return next
  }

  /// The kind of an entry. Unix stores the file mode in the upper half of the attributes.
  private func kind(at offset: Int, _ name: ArraySlice<UInt8>) -> ArchiveContents.Kind {
    let isUnix = [3, 19].contains(number(1, offset + 5))
    let mode = isUnix ? number(4, offset + 38) >> 16 : 0
    let isFolder = name.last == UInt8(ascii: "/")
    switch mode & 0o170000 {
    case 0: return isFolder ? .folder : .file(isExecutable: mode & 0o100 != 0)
    case 0o100000 where !isFolder: return .file(isExecutable: mode & 0o100 != 0)
    case 0o040000: return .folder
    default: return .other
    }
  }

  private func number(_ count: Int, _ offset: Int) -> Int { bytes.littleEndian(count, at: offset) }
  private func has(_ mark: [UInt8], _ offset: Int) -> Bool { bytes[offset..<offset + mark.count].elementsEqual(mark) }

  private struct Entry {
    let method: Int
    let checksum: Int
    let packed: Int
    let size: Int
    /// The offset of the file's own header.
    let header: Int

    func content(
      in bytes: [UInt8], _ name: ArraySlice<UInt8>, atMost limit: Int
    ) throws(PluginContentsError) -> [UInt8] {
      guard bytes.count - header >= 30, bytes[header..<header + 4].elementsEqual([0x50, 0x4b, 3, 4]) else {
        throw .damagedArchive
      }
      let nameEnd = header + 30 + bytes.littleEndian(2, at: header + 26)
      let start = nameEnd + bytes.littleEndian(2, at: header + 28)
      guard start <= bytes.count, bytes.count - start >= packed else { throw .shortArchive }
      // If the two headers disagree, programs that trust different headers would see different archives.
      guard bytes[header + 30..<nameEnd].elementsEqual(name), bytes.littleEndian(2, at: header + 8) == method else {
        throw .damagedArchive
      }
      guard size <= limit else { throw .largeArchive }
      let data = bytes[start..<start + packed]
      let content: [UInt8]
      switch method {
      case 0: content = Array(data)
      case 8: content = try Inflate.deflate.decompress(data, limit: size).output
      default: throw PluginContentsError("the archive uses compression method \(method), which is not supported")
      }
      guard content.count == size, Int(crc32(0, content, UInt32(content.count))) == checksum else {
        throw .damagedArchive
      }
      return content
    }
  }
}
