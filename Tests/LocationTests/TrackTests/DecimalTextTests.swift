import Foundation
import Support
import Testing

@testable import Location

@Suite struct DecimalTextTests {
  private static func read(_ text: String) -> Double? { Array(text.utf8).withUnsafeBytes(DecimalText.double) }

  @Test(arguments: [
    ("0", 0), ("-0.0", -0.0), ("7", 7), ("+7", 7), ("-7.25", -7.25), (".5", 0.5), ("5.", 5), ("  1.5\r\n\t", 1.5),
    ("4e-7", 4e-7), ("1E3", 1000), ("1e+3", 1000), ("1e22", 1e22), ("1e23", 1e23), ("1e308", 1e308),
    ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("0e999999999999999999999", 0), ("0.1", 0.1),
    ("179.9999999", 179.9999999),
    ("9007199254740993", 9007199254740992), ("9007199254740993.0000000000000000001", 9007199254740994),
    ("0000000000000000000000000000000000000000001", 1), ("0.00000000000000000000000000000000000001", 1e-38),
    ("48.79399404861032962799072265625", 48.79399404861032962799072265625),
  ])
  func readsDecimals(text: String, expected: Double) throws {
    let value = try #require(Self.read(text))
    #expect(value == expected && value.sign == expected.sign)
  }

  @Test(arguments: [
    "", " ", "-", "+", ".", "-.", "e5", ".e5", "1e", "1e+", "1e5.5", "1 2", "--1", "+-1", "1,5", "0x1p3", "inf", "nan",
    "infinity", "1e309", "-1e999999999999999999999", "1.2.3", "١", "1\0", "\0",
  ])
  func rejectsOtherText(text: String) { #expect(Self.read(text) == nil) }

  /// Compared with the C library, with digits that reach every branch of the parser.
  @Test func roundsAsTheCLibraryDoes() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200_000 {
      let whole = String(UInt64.random(in: 0...UInt64.max, using: &generator)).prefix(
        Int.random(in: 1...12, using: &generator))
      let digits = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      let exponent =
        Int.random(in: 0..<4, using: &generator) == 0 ? "e\(Int.random(in: -40...30, using: &generator))" : ""
      let text = "\(whole).\(digits.joined())\(exponent)"
      guard Self.read(text) == strtod(text, nil) else {
        Issue.record("\(text), seed \(seed)")
        return
      }
    }
  }

  /// Values halfway between two numbers, and next to them, where rounding errors show first.
  @Test func roundsTiesToEven() {
    for step in UInt64(0)..<2000 {
      let lower = Double(bitPattern: 46.0.bitPattern + step * 977)
      let middle = Self.exactMiddle(above: lower)
      for text in [middle, middle + "0001", String(middle.dropLast()) + "4999", middle + "e0"] {
        #expect(Self.read(text) == strtod(text, nil), "\(text)")
      }
    }
  }

  /// All decimal digits of the number halfway between `lower` and the next number above it.
  private static func exactMiddle(above lower: Double) -> String {
    let half = lower.ulp / 2
    // 54 bits: a whole number of half units in the last place, each a power of two.
    let count = UInt64(lower / half) + 1
    var digits: [UInt8] = []
    var rest = count & ((1 << 48) - 1)
    // From 46 to 64, half a unit is 2^-48.
    #expect(half == 0x1p-48)
    while rest != 0 {
      let product = UInt128(rest) * 10
      digits.append(UInt8(product >> 48))
      rest = UInt64(product & ((1 << 48) - 1))
    }
    return "\(count >> 48)." + digits.map(String.init).joined()
  }
}
