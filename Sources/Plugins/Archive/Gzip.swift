import CZlib

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

/// Compresses to gzip (RFC 1952), without a file name and a time, so that equal bytes give equal results.
package enum GzipWriter {
  /// - Returns: nil if there is not enough memory.
  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard czlib_start_gzip(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let limit = Int(deflateBound(&stream, UInt(bytes.count)))
    var isComplete = false
    let output = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      bytes.withUnsafeBufferPointer { input in
        // zlib does not write to its input.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(clamping: limit)
        isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = isComplete ? limit - Int(stream.avail_out) : 0
      }
    }
    return isComplete ? output : nil
  }
}

/// The checksum of gzip and zip: CRC-32 with the reflected polynomial 0xEDB88320.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { (start: UInt32) in
    (0..<8).reduce(start) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { bytes in
      table.withUnsafeBufferPointer { table in
        var value: UInt32 = 0xffff_ffff
        for place in 0..<bytes.count {
          value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[place])]
        }
        return ~value
      }
    }
  }
}
