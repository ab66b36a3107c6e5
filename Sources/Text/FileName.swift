/// The name of a file as text. A name may have any bytes, but text only valid UTF-8.
///
/// Each byte that is not part of valid UTF-8 becomes a private scalar. So does each byte of such a scalar in a name, so
/// that every name has exactly one text, from which it is restored.
package enum FileName {
  private static let scalars: ClosedRange<UInt32> = 0x10FF80...0x10FFFF
  /// The first bytes of these scalars in UTF-8.
  private static let lead: [UInt8] = [0xF4, 0x8F]

  package static func text(of bytes: some Sequence<UInt8>) -> String {
    let all = Array(bytes)
    // Nearly every name is valid UTF-8 without such scalars. If it is not valid, `plain` differs from it: each invalid
    // part became U+FFFD.
    let plain = String(decoding: all, as: UTF8.self)
    if !mayHoldEscapes(all), plain.utf8.elementsEqual(all) { return plain }
    var text = String.UnicodeScalarView()
    var parser = UTF8.ForwardParser()
    var rest = all.makeIterator()
    var offset = 0
    func escape(_ count: Int) {
      for byte in all[offset..<offset + count] {
        text.append(Unicode.Scalar(scalars.lowerBound - 0x80 + UInt32(byte)) ?? "\u{FFFD}")
      }
    }
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = UTF8.decode(encoded)
        if scalars.contains(scalar.value) { escape(encoded.count) } else { text.append(scalar) }
        offset += encoded.count
      case .error(let length):
        escape(length)
        offset += length
      case .emptyInput: return String(text)
      }
    }
  }

  /// The bytes of a name.
  package static func bytes(of text: String) -> [UInt8] {
    guard mayHoldEscapes(text.utf8) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar -> [UInt8] in
      scalars.contains(scalar.value)
        ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(UTF8.encode(scalar).unsafelyUnwrapped)
    }
  }

  /// A name with each escaped byte as `\xE9`, for people.
  package static func shown(_ text: [UInt8]) -> [UInt8] {
    guard mayHoldEscapes(text) else { return text }
    return String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
      guard scalars.contains(scalar.value) else { return Array(UTF8.encode(scalar).unsafelyUnwrapped) }
      return Array("\\x\(String(hex: UInt8(truncatingIfNeeded: scalar.value), width: 2, uppercase: true))".utf8)
    }
  }

  private static func mayHoldEscapes(_ text: some Sequence<UInt8>) -> Bool { text.contains(lead[0]) }
}
