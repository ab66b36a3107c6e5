import Testing

@testable import Store

@Suite struct SecretBytesTests {
  @Test func bytesAreOverwrittenInPlace() {
    var bytes: [UInt8] = [1, 2, 3]
    let before = bytes.withUnsafeBytes { $0.baseAddress }
    bytes.overwrite()
    #expect(bytes == [0, 0, 0])
    #expect(bytes.withUnsafeBytes { $0.baseAddress } == before)
    var empty: [UInt8] = []
    empty.overwrite()
    #expect(empty.isEmpty)
  }

  @Test func aKeyIsUnchangedAsLongAsItIsUsed() {
    var digits = [UInt8](repeating: UInt8(ascii: "7"), count: 64)
    digits.append(0x0a)
    var key: DataKey? = DataKey(parsing: digits)
    #expect(key?.bytes == [UInt8](repeating: 0x77, count: 32))
    #expect(key?.text == digits)
    let copy = key
    key = nil
    #expect(copy?.bytes == [UInt8](repeating: 0x77, count: 32))
    #expect(DataKey(parsing: Array("7".utf8)) == nil)
    #expect(DataKey(parsing: [UInt8](repeating: UInt8(ascii: "g"), count: 64)) == nil)
  }
}
