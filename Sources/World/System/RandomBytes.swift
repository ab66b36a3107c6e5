import Text

/// A source of random bytes.
package protocol RandomBytes: Sendable {
  /// Returns cryptographically secure random bytes, suitable for keys and nonces.
  func bytes(_ count: Int) -> [UInt8]
}

/// Random bytes from the system's generator (getrandom(2), arc4random_buf(3)).
package struct LiveRandom: RandomBytes {
  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // Request whole words, because each request to the generator is a system call.
    var bytes: [UInt8] = []
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
    }
    return bytes
  }
}

/// A small pseudorandom number generator with the same output for the same state on every platform (Steele, Lea and
/// Flood, 2014). Never used for keys.
package struct SplitMix64: Sendable, Equatable {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, 1: a multiple of 2⁻⁵³, which a Double represents exactly.
  package mutating func fraction() -> Double { Self.fraction(of: next()) }

  fileprivate static func fraction(of bits: UInt64) -> Double { Double(bits >> 11) * 0x1p-53 }
}

extension RandomBytes {
  /// A random number from 0 up to, but not including, 1: a multiple of 2⁻⁵³, which a Double represents exactly.
  package func fraction() -> Double { SplitMix64.fraction(of: bytes(8).reduce(0) { $0 << 8 | UInt64($1) }) }

  /// Returns a random UUID in lowercase (RFC 9562, version 4). It contains no information about this machine.
  package func uuid() -> String {
    var bytes = bytes(16)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]].map(\.hex).joined(separator: "-")
  }
}
