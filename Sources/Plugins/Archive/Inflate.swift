/// Decompresses DEFLATE (RFC 1951) and stops as soon as the output exceeds its limit, whatever size the archive
/// claims.
struct Inflate {
  private let input: ArraySlice<UInt8>
  private let limit: Int
  /// The position of the next unread byte.
  private(set) var place: Int
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// - Parameter limit: the largest output, in bytes.
  private init(_ input: ArraySlice<UInt8>, limit: Int) {
    (self.input, self.limit, place) = (input, limit, input.startIndex)
  }

  /// Decompresses the bytes.
  /// - Returns: the output, and the position of the first byte after the compressed data.
  /// - Throws: ``PluginContentsError`` for damaged data, and for output larger than `limit`.
  static func decompress(
    _ input: ArraySlice<UInt8>, limit: Int
  ) throws(PluginContentsError) -> (output: [UInt8], end: Int) {
    var inflate = Inflate(input, limit: limit)
    try inflate.run()
    return (inflate.output, inflate.place)
  }

  private mutating func run() throws(PluginContentsError) {
    var isLast = false
    while !isLast {
      isLast = try read(1) == 1
      switch try read(2) {
      case 0: try copyStored()
      case 1: try expand(.fixedLengths, .fixedDistances)
      case 2:
        let (lengths, distances) = try readCodes()
        try expand(lengths, distances)
      default: throw .damagedArchive
      }
    }
  }

  // MARK: Bits

  /// The next bits, least significant bit first.
  private mutating func read(_ count: Int) throws(PluginContentsError) -> Int {
    while bitCount < count {
      guard place < input.endIndex else { throw .shortArchive }
      bits |= UInt32(input[place]) << UInt32(bitCount)
      place += 1
      bitCount += 8
    }
    defer {
      bits >>= UInt32(count)
      bitCount -= count
    }
    return Int(bits & (1 << UInt32(count) - 1))
  }

  /// The next symbol. The bits of a code are stored most significant bit first.
  private mutating func read(_ code: HuffmanCode) throws(PluginContentsError) -> Int {
    var (word, first, index) = (0, 0, 0)
    for length in 1...HuffmanCode.longest {
      word |= try read(1)
      let count = code.counts[length]
      if word - first < count { return code.symbols[index + word - first] }
      index += count
      first = (first + count) << 1
      word <<= 1
    }
    throw .damagedArchive
  }

  // MARK: Blocks

  private mutating func copyStored() throws(PluginContentsError) {
    // The rest of the byte is padding; whole bytes are never read ahead.
    (bits, bitCount) = (0, 0)
    let (length, check) = (try read(16), try read(16))
    guard length == ~check & 0xffff else { throw .damagedArchive }
    guard input.endIndex - place >= length else { throw .shortArchive }
    try reserve(length)
    output += input[place..<place + length]
    place += length
  }

  private mutating func readCodes() throws(PluginContentsError) -> (lengths: HuffmanCode, distances: HuffmanCode) {
    let (literalCount, distanceCount, orderCount) = (try read(5) + 257, try read(5) + 1, try read(4) + 4)
    guard literalCount <= 286, distanceCount <= 30 else { throw .damagedArchive }
    var lengths = [Int](repeating: 0, count: 19)
    for place in Self.order.prefix(orderCount) { lengths[place] = try read(3) }
    let code = try HuffmanCode(lengths)
    var all: [Int] = []
    while all.count < literalCount + distanceCount {
      let symbol = try read(code)
      switch symbol {
      case 0...15: all.append(symbol)
      case 16:
        guard let last = all.last else { throw .damagedArchive }
        all += [Int](repeating: last, count: 3 + (try read(2)))
      case 17: all += [Int](repeating: 0, count: 3 + (try read(3)))
      default: all += [Int](repeating: 0, count: 11 + (try read(7)))
      }
    }
    // A block without an end code would never stop.
    guard all.count == literalCount + distanceCount, all[Self.endOfBlock] > 0 else { throw .damagedArchive }
    return (try HuffmanCode(all[..<literalCount]), try HuffmanCode(all[literalCount...]))
  }

  private mutating func expand(_ lengths: HuffmanCode, _ distances: HuffmanCode) throws(PluginContentsError) {
    while true {
      let symbol = try read(lengths)
      if symbol == Self.endOfBlock { return }
      if symbol < Self.endOfBlock {
        try reserve(1)
        output.append(UInt8(symbol))
        continue
      }
      let lengthCode = symbol - Self.endOfBlock - 1
      guard Self.lengthBases.indices.contains(lengthCode) else { throw .damagedArchive }
      let length = Self.lengthBases[lengthCode] + (try read(Self.lengthBits[lengthCode]))
      let distanceCode = try read(distances)
      guard Self.distanceBases.indices.contains(distanceCode) else { throw .damagedArchive }
      let distance = Self.distanceBases[distanceCode] + (try read(Self.distanceBits[distanceCode]))
      try repeatOutput(length, from: distance)
    }
  }

  /// Repeats the bytes written `distance` bytes ago. The source may overlap the output of this repetition.
  private mutating func repeatOutput(_ length: Int, from distance: Int) throws(PluginContentsError) {
    guard distance <= output.count else { throw .damagedArchive }
    try reserve(length)
    let start = output.count - distance
    // A slice of the output would force a copy of all of it when it grows.
    var repeated = Array(output[start..<min(start + length, output.count)])
    while repeated.count < length { repeated += repeated }
    repeated.removeLast(repeated.count - length)
    output += repeated
  }

  private func reserve(_ count: Int) throws(PluginContentsError) {
    guard limit - output.count >= count else { throw .largeArchive }
  }

  // MARK: Tables of the format

  private static let endOfBlock = 256
  /// The order in which the lengths of the code-length code are stored.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0] + (1...5).flatMap { [$0, $0, $0, $0] } + [0]
  private static let lengthBases = bases(from: 3, lengthBits.dropLast()) + [258]
  private static let distanceBits = [0, 0] + (0...13).flatMap { [$0, $0] }
  private static let distanceBases = bases(from: 1, distanceBits[...])

  /// The first value of each code, where a code with `n` extra bits covers 2ⁿ values.
  private static func bases(from first: Int, _ bits: ArraySlice<Int>) -> [Int] {
    var next = first
    return bits.map { bits in
      defer { next += 1 << bits }
      return next
    }
  }
}

/// A canonical Huffman code, which DEFLATE defines by its code lengths.
private struct HuffmanCode {
  static let longest = 15
  /// The number of codes of each length.
  let counts: [Int]
  /// The symbols in the order of their codes.
  let symbols: [Int]

  /// - Throws: ``PluginContentsError`` if there are more codes than possible.
  init(_ lengths: some Collection<Int>) throws(PluginContentsError) {
    var counts = [Int](repeating: 0, count: Self.longest + 1)
    for length in lengths where length > 0 { counts[length] += 1 }
    var left = 1
    for length in 1...Self.longest {
      left = left << 1 - counts[length]
      guard left >= 0 else { throw .damagedArchive }
    }
    self.init(counts, lengths)
  }

  private init(_ counts: [Int], _ lengths: some Collection<Int>) {
    // The position of the next symbol of each length.
    var places = [Int](repeating: 0, count: counts.count)
    for length in 1..<Self.longest { places[length + 1] = places[length] + counts[length] }
    var symbols = [Int](repeating: 0, count: counts.dropFirst().reduce(0, +))
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[places[length]] = symbol
      places[length] += 1
    }
    (self.counts, self.symbols) = (counts, symbols)
  }

  private init(fixed lengths: [Int]) {
    var counts = [Int](repeating: 0, count: Self.longest + 1)
    for length in lengths { counts[length] += 1 }
    self.init(counts, lengths)
  }

  static let fixedLengths = HuffmanCode(
    fixed: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
      + [Int](repeating: 8, count: 8))
  static let fixedDistances = HuffmanCode(fixed: [Int](repeating: 5, count: 30))
}
