import Testing
import Text

@Suite struct PrintableTextTests {
  private func isASCII(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { PrintableText.isASCII($0) } }
  private func isSingleSpaced(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { PrintableText.isSingleSpaced($0) } }

  /// Every byte at every offset of texts whose lengths are not multiples of a word.
  @Test func everyByteAtEveryOffset() {
    for length in Array(0...25) + [31, 32, 33, 47, 48, 49] {
      let plain = Array(repeating: UInt8(ascii: "a"), count: length)
      #expect(isASCII(plain) && isSingleSpaced(plain))
      for offset in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var text = plain
          text[offset] = byte
          let isPrintable = (0x20...0x7e).contains(byte)
          if isASCII(text) != isPrintable { Issue.record("byte \(byte) at \(offset) of \(length)") }
          if isSingleSpaced(text) != isPrintable {
            Issue.record("byte \(byte) at \(offset) of \(length), single-spaced")
          }
        }
      }
    }
  }

  /// Two bytes beside each other at every offset: only two spaces are rejected.
  @Test func twoSpacesAtEveryOffset() {
    for length in Array(2...25) + [31, 32, 33, 47, 48, 49] {
      for offset in 0..<length - 1 {
        let pairs: [(UInt8, UInt8)] = [(0x20, 0x20), (0x20, 0x21), (0x21, 0x20), (0x20, 0x60), (0x60, 0x20)]
        for (first, second) in pairs {
          var text = Array(repeating: UInt8(ascii: "~"), count: length)
          (text[offset], text[offset + 1]) = (first, second)
          if isSingleSpaced(text) == (first == second) {
            Issue.record("\(first) and \(second) at \(offset) of \(length)")
          }
        }
      }
    }
  }
}
