/// Decompresses gzip (RFC 1952) with one or more members.
enum GzipReader {
  /// Decompresses the bytes.
  /// - Parameter limit: the largest output, in bytes.
  /// - Throws: ``PluginContentsError`` if the data is not gzip, is damaged, or expands beyond `limit`.
  static func decompress(_ bytes: [UInt8], limit: Int) throws(PluginContentsError) -> [UInt8] {
    var output: [UInt8] = []
    var place = 0
    repeat {
      place = try skipHeader(bytes, place)
      let member = try Inflate.decompress(bytes[place...], limit: limit - output.count)
      place = member.end
      guard bytes.count - place >= 8 else { throw .shortArchive }
      guard bytes.littleEndian(4, at: place) == Int(CRC32.checksum(member.output)),
        bytes.littleEndian(4, at: place + 4) == member.output.count & 0xffff_ffff
      else { throw .damagedArchive }
      place += 8
      output += member.output
      // Some tools pad their output with zeros.
    } while bytes[place...].contains(where: { $0 != 0 })
    return output
  }

  /// - Returns: the position of the compressed data.
  private static func skipHeader(_ bytes: [UInt8], _ start: Int) throws(PluginContentsError) -> Int {
    guard bytes.count - start >= 18, bytes[start..<start + 3].elementsEqual([0x1f, 0x8b, 8]) else {
      throw .damagedArchive
    }
    let flags = bytes[start + 3]
    var place = start + 10
    if flags & 4 != 0 {
      guard bytes.count - place >= 2 else { throw .shortArchive }
      place += 2 + bytes.littleEndian(2, at: place)
    }
    // The file name, then a comment, each terminated by NUL.
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      guard place <= bytes.count, let end = bytes[place...].firstIndex(of: 0) else { throw .shortArchive }
      place = end + 1
    }
    if flags & 2 != 0 { place += 2 }
    guard place <= bytes.count else { throw .shortArchive }
    return place
  }
}

extension [UInt8] {
  /// A little-endian number of at most four bytes. The caller must check that they are in range.
  func littleEndian(_ count: Int, at place: Int) -> Int {
    self[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
