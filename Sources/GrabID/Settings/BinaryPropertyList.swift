/// Reads Apple's binary property lists, `bplist00`: objects, a table of their offsets, and a trailer of 32 bytes.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsets: [Int]
  private let referenceSize: Int
  private let topObject: Int
  private static let maximumDepth = 64

  /// Reads the trailer and the table; nil if one of them points out of bounds.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 40 else { return nil }
    let trailer = Array(bytes.suffix(32))
    let offsetSize = Int(trailer[6])
    referenceSize = Int(trailer[7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(trailer[8..<16]), let top = Self.number(trailer[16..<24]),
      let table = Self.number(trailer[24..<32]), count > 0, count <= bytes.count, top < count,
      table <= bytes.count - 32, count <= (bytes.count - 32 - table) / offsetSize
    else { return nil }
    let offsets = (0..<count).compactMap {
      Self.number(bytes[(table + $0 * offsetSize)..<(table + ($0 + 1) * offsetSize)])
    }
    guard offsets.count == count, offsets.allSatisfy({ $0 < table }) else { return nil }
    (self.bytes, self.offsets, topObject) = (bytes, offsets, top)
  }

  var top: PropertyList? {
    var budget = 1_000_000
    return object(topObject, depth: 1, budget: &budget)
  }

  /// - Parameter budget: limits the work; it stops cycles and excessive sharing. A byte of text costs 1, an object 10.
  private func object(_ number: Int, depth: Int, budget: inout Int) -> PropertyList? {
    budget -= 10
    guard depth <= Self.maximumDepth, budget > 0, offsets.indices.contains(number) else { return nil }
    let offset = offsets[number]
    let mark = bytes[offset]
    switch mark >> 4 {
    case 0x0, 0x1, 0x2, 0x3, 0x4, 0x8: return .other
    case 0x5:
      guard let slice = slice(offset, unit: 1) else { return nil }
      budget -= slice.count
      return budget > 0 ? String(validating: slice, as: UTF8.self).map(PropertyList.text) : nil
    case 0x6:
      guard let slice = slice(offset, unit: 2) else { return nil }
      budget -= slice.count
      guard budget > 0 else { return nil }
      let units = stride(from: slice.startIndex, to: slice.endIndex, by: 2).map {
        UInt16(slice[$0]) << 8 | UInt16(slice[$0 + 1])
      }
      return String(validating: units, as: UTF16.self).map(PropertyList.text)
    case 0xa:
      guard let objects = references(offset, lists: 1) else { return nil }
      let values = objects.compactMap { object($0, depth: depth + 1, budget: &budget) }
      return values.count == objects.count ? .array(values) : nil
    case 0xd:
      guard let objects = references(offset, lists: 2) else { return nil }
      var members: [(key: String, value: PropertyList)] = []
      for (key, value) in zip(objects.prefix(objects.count / 2), objects.dropFirst(objects.count / 2)) {
        guard let name = object(key, depth: depth + 1, budget: &budget)?.text,
          let inner = object(value, depth: depth + 1, budget: &budget)
        else { return nil }
        members.append((name, inner))
      }
      return .dictionary(members)
    default: return nil
    }
  }

  /// The number of elements of the object at an offset, and the position of the first.
  private func extent(_ offset: Int) -> (count: Int, start: Int)? {
    let low = Int(bytes[offset] & 15)
    guard low == 15 else { return (low, offset + 1) }
    guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1 else { return nil }
    let size = 1 << Int(bytes[offset + 1] & 15)
    guard size <= 8, offset + 2 + size <= bytes.count,
      let count = Self.number(bytes[(offset + 2)..<(offset + 2 + size)])
    else { return nil }
    return (count, offset + 2 + size)
  }

  private func slice(_ offset: Int, unit: Int) -> ArraySlice<UInt8>? {
    guard let (count, start) = extent(offset), start <= bytes.count, count <= (bytes.count - start) / unit else {
      return nil
    }
    return bytes[start..<(start + count * unit)]
  }

  private func references(_ offset: Int, lists: Int) -> [Int]? {
    guard let (count, start) = extent(offset), start <= bytes.count,
      count <= (bytes.count - start) / (referenceSize * lists)
    else { return nil }
    return (0..<(count * lists)).compactMap {
      Self.number(bytes[(start + $0 * referenceSize)..<(start + ($0 + 1) * referenceSize)])
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }
}
