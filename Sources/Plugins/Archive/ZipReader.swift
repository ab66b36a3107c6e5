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
    var place = start
    for _ in 0..<count { place = try readEntry(at: place, before: end) }
  }

  /// The position of the end-of-directory record, which ends with a comment of at most 65535 bytes.
  private var endOfDirectory: Int? {
    let last = bytes.count - 22
    guard last >= 0 else { return nil }
    return stride(from: last, through: max(0, last - 0xffff), by: -1).first { place in
      has([0x50, 0x4b, 5, 6], place) && number(2, place + 20) == last - place
    }
  }

  /// - Returns: the position of the next directory entry.
  private mutating func readEntry(at place: Int, before end: Int) throws(PluginContentsError) -> Int {
    guard end - place >= 46, has([0x50, 0x4b, 1, 2], place) else { throw .damagedArchive }
    let (nameLength, more) = (number(2, place + 28), number(2, place + 30) + number(2, place + 32))
    let next = place + 46 + nameLength + more
    guard next <= end else { throw .damagedArchive }
    let name = bytes[place + 46..<place + 46 + nameLength]
    guard number(2, place + 8) & 1 == 0 else { throw PluginContentsError("the archive is encrypted") }
    let entry = Entry(
      method: number(2, place + 10), checksum: number(4, place + 16), packed: number(4, place + 20),
      size: number(4, place + 24), header: number(4, place + 42))
    let (bytes, left) = (self.bytes, contents.left)
    try contents.add(name, kind(at: place, name)) { () throws(PluginContentsError) in
      try entry.content(in: bytes, name, atMost: left)
    }
    return next
  }

  /// The kind of an entry. Unix stores the file mode in the upper half of the attributes.
  private func kind(at place: Int, _ name: ArraySlice<UInt8>) -> ArchiveContents.Kind {
    let isUnix = [3, 19].contains(number(1, place + 5))
    let mode = isUnix ? number(4, place + 38) >> 16 : 0
    let isFolder = name.last == UInt8(ascii: "/")
    switch mode & 0o170000 {
    case 0: return isFolder ? .folder : .file(isExecutable: mode & 0o100 != 0)
    case 0o100000 where !isFolder: return .file(isExecutable: mode & 0o100 != 0)
    case 0o040000: return .folder
    default: return .other
    }
  }

  private func number(_ count: Int, _ place: Int) -> Int { bytes.littleEndian(count, at: place) }
  private func has(_ mark: [UInt8], _ place: Int) -> Bool { bytes[place..<place + mark.count].elementsEqual(mark) }

  private struct Entry {
    let method: Int
    let checksum: Int
    let packed: Int
    let size: Int
    /// The position of the file's own header.
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
