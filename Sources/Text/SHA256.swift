/// SHA-256 (FIPS 180-4), for fingerprints of short inputs in memory.
///
/// Implemented here so that a list from a fresh cache loads no cryptographic library (docs/decisions.md).
package enum SHA256 {
  /// Returns the hash of a message, 32 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    let whole = message.count & ~63
    var end = message[whole...] + [0x80]
    while end.count % 64 != 56 { end.append(0) }
    end += bytes(UInt64(message.count) * 8)
    var state = start
    // Allocated once: most messages have several blocks.
    var schedule = [UInt32](repeating: 0, count: 64)
    for (part, length) in [(message[...], whole), (end, end.count)] {
      part.withUnsafeBytes { bytes in
        for block in stride(from: 0, to: length, by: 64) {
          mix(UnsafeRawBufferPointer(rebasing: bytes[block..<block + 64]), &schedule, into: &state)
        }
      }
    }
    return state.flatMap(bytes)
  }

  /// Returns the HMAC of a message (RFC 2104), 32 bytes.
  /// - Parameter key: At most 64 bytes.
  package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    precondition(key.count <= 64, "the key must not be longer than 64 bytes")
    let key = key + [UInt8](repeating: 0, count: 64 - key.count)
    return hash(key.map { $0 ^ 0x5c } + hash(key.map { $0 ^ 0x36 } + message))
  }

  /// Updates the state with a block of 64 bytes.
  /// - Parameter schedule: Scratch space of 64 words.
  private static func mix(_ block: UnsafeRawBufferPointer, _ schedule: inout [UInt32], into state: inout [UInt32]) {
    for index in 0..<16 {
      schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
    }
    for index in 16..<64 {
      let (near, far) = (schedule[index &- 2], schedule[index &- 15])
      let nearMix = near.rotated(17) ^ near.rotated(19) ^ near &>> 10
      let farMix = far.rotated(7) ^ far.rotated(18) ^ far &>> 3
      schedule[index] = nearMix &+ schedule[index &- 7] &+ farMix &+ schedule[index &- 16]
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let choice = e & f ^ ~e & g
      let first = h &+ sum1 &+ choice &+ constants[index] &+ schedule[index]
      let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let majority = a & b ^ a & c ^ b & c
      (a, b, c, d, e, f, g, h) = (first &+ sum0 &+ majority, a, b, c, d &+ first, e, f, g)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func bytes(_ word: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian) { Array($0) }
  }

  /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
  private static let start: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

extension UInt32 {
  /// The bits rotated to the right by `count`, which is 1 to 31. Masking shifts are used because, unlike `>>`, each
  /// costs one instruction even in an unoptimized build.
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
