import Testing
import World

struct UUIDTests {
  private struct Same: RandomBytes {
    let bytes: [UInt8]
    func bytes(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }
  }

  /// The version and the variant are set; everything else is random (RFC 9562, section 5.4).
  @Test func uuidHasVersion4() {
    #expect(Same(bytes: Array(repeating: 0xff, count: 16)).uuid() == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(Same(bytes: Array(0..<16)).uuid() == "00010203-0405-4607-8809-0a0b0c0d0e0f")
  }
}
