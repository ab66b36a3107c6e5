import Testing
import Text

@Suite struct ASCIITests {
  @Test func bytesBecomeTwoDigitsEach() {
    #expect([0x00, 0x0f, 0xa0, 0xff].hex == "000fa0ff")
    #expect([UInt8]().hex.isEmpty)
  }

  @Test func numbersAreFilledWithZeros() {
    #expect(String(hex: 0) == "0")
    #expect(String(hex: 0x1f, width: 4) == "001f")
    #expect(String(hex: 0x200b, width: 4, uppercase: true) == "200B")
    #expect(String(hex: 0x10_ffff, width: 4, uppercase: true) == "10FFFF")
    #expect(String(hex: UInt64.max, width: 16) == "ffffffffffffffff")
    #expect(String(7, width: 3) == "007")
    #expect(String(-7, width: 4) == "00-7")
    #expect(String(2026, width: 2) == "2026")
    #expect(String(UInt8(8), width: 3, radix: 8) == "010")
  }

  @Test func hexadecimalDigitsAreReadInEitherCase() {
    for byte in UInt8.min...UInt8.max {
      let character = Character(Unicode.Scalar(byte))
      #expect(byte.hexadecimal.map { Int($0) } == character.hexDigitValue)
      #expect(byte.isLowercaseHexadecimal == (byte.hexadecimal != nil && !character.isUppercase))
    }
  }

  @Test func classesAreASCIIOnly() {
    for byte in UInt8.min...UInt8.max {
      let character = Character(Unicode.Scalar(byte))
      #expect(byte.isDigit == (byte < 0x80 && character.isNumber))
      #expect(byte.isLetter == (byte < 0x80 && character.isLetter))
      #expect(byte.isLetterOrDigit == (byte.isLetter || byte.isDigit))
      #expect(byte.isUppercase == (byte.isLetter && character.isUppercase))
      #expect(byte.isLowercase == (byte.isLetter && character.isLowercase))
    }
  }

  @Test func onlyASCIILettersAreFolded() {
    #expect(ExactText.same("ABCxyz-[@Ä\u{212A}".loweredASCII, "abcxyz-[@Ä\u{212A}"))
    #expect("Content-Type".isSame(ignoringASCIICase: "content-TYPE"))
    #expect(!"a".isSame(ignoringASCIICase: "ab") && !"[".isSame(ignoringASCIICase: "{"))
    #expect(!"\u{212A}".isSame(ignoringASCIICase: "k"), "the Kelvin sign is another character")
  }
}
