import Testing
import Text

@Suite struct PrintableTextTests {
  private func isASCII(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { PrintableText.isASCII($0) } }
  private func isSingleSpaced(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { PrintableText.isSingleSpaced($0) } }

  /// Every byte at every place of texts whose lengths are not multiples of a word.
  @Test func everyByteAtEveryPlace() {
    for length in Array(0...25) + [31, 32, 33, 47, 48, 49] {
      let plain = Array(repeating: UInt8(ascii: "a"), count: length)
      #expect(isASCII(plain) && isSingleSpaced(plain))
      for place in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var text = plain
          text[place] = byte
          let isPrintable = (0x20...0x7e).contains(byte)
          if isASCII(text) != isPrintable { Issue.record("byte \(byte) at \(place) of \(length)") }
          if isSingleSpaced(text) != isPrintable {
            Issue.record("byte \(byte) at \(place) of \(length), single-spaced")
          }
        }
      }
    }
  }

  /// Two bytes beside each other at every place: only two spaces are rejected.
  @Test func twoSpacesAtEveryPlace() {
    for length in Array(2...25) + [31, 32, 33, 47, 48, 49] {
      for place in 0..<length - 1 {
        let pairs: [(UInt8, UInt8)] = [(0x20, 0x20), (0x20, 0x21), (0x21, 0x20), (0x20, 0x60), (0x60, 0x20)]
        for (first, second) in pairs {
          var text = Array(repeating: UInt8(ascii: "~"), count: length)
          (text[place], text[place + 1]) = (first, second)
          if isSingleSpaced(text) == (first == second) {
            Issue.record("\(first) and \(second) at \(place) of \(length)")
          }
        }
      }
    }
  }
}
