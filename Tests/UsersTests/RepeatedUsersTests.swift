import Support
import Testing
import World

@testable import Users

@Suite struct RepeatedUsersTests {
  /// A temporary file in memory, which counts its bytes.
  private final class MemoryFile: ScratchFile {
    private(set) var bytes: [UInt8] = []

    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
      Array(bytes.dropFirst(offset).prefix(count))
    }

    func write(_ new: [UInt8], at offset: Int) throws(SystemError) {
      if bytes.count < offset + new.count { bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count) }
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }
  }

  /// The table grows many times, and finds every user again.
  @Test func usersAreRecognizedWhateverTheirNumber() throws {
    var users = try RepeatedUsers(slots: 16) { MemoryFile() }
    for number in 0..<3000 { #expect(try users.insert("u-\(number)")) }
    for number in stride(from: 2999, through: 0, by: -1) { #expect(try !users.insert("u-\(number)")) }
    #expect(try users.insert("u-3000"))
    #expect(try users.insert(""))
    #expect(try !users.insert(""))
  }

  /// The table is in a file, and what it holds is not the user's id.
  @Test func theFileHasNoIDs() throws {
    let file = MemoryFile()
    var users = try RepeatedUsers { file }
    _ = try users.insert("someone@example.com")
    #expect(file.bytes.count >= 16)
    #expect(!String(decoding: file.bytes, as: UTF8.self).contains("someone"))
  }

  @Test func aFullDiskIsReported() throws {
    final class FullFile: ScratchFile {
      func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] { [] }
      func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) { throw SystemError(number: 28, call: "write") }
    }
    var users = try RepeatedUsers { FullFile() }
    #expect(throws: SystemError.self) { try users.insert("a") }
  }
}
