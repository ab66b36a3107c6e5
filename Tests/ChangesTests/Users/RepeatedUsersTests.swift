import Support
import Testing
import World

@testable import Changes

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
  @Test func aTableRecognizesUsersWhateverTheirNumber() throws {
    var users = try UserTable(slots: 16) { MemoryFile() }
    func insert(_ user: String) throws -> Bool { try users.insert(UserHash(of: user)) }
    for number in 0..<3000 { #expect(try insert("u-\(number)")) }
    for number in stride(from: 2999, through: 0, by: -1) { #expect(try !insert("u-\(number)")) }
    #expect(try insert("u-3000"))
    #expect(try insert(""))
    #expect(try !insert(""))
  }

  /// The first users are in memory, and are found again once the others are in a file.
  @Test func usersAreRecognizedAcrossMemoryAndFile() throws {
    let file = MemoryFile()
    var users = RepeatedUsers { file }
    let most = RepeatedUsers.mostInMemory
    for number in 0..<most { #expect(try users.insert("u-\(number)")) }
    #expect(try !users.insert("u-0") && file.bytes.isEmpty == false)
    #expect(try users.insert("u-\(most)"))
    for number in [0, 1, most / 2, most - 1, most] { #expect(try !users.insert("u-\(number)")) }
  }

  /// The table is in a file, and what it holds is not the user's id.
  @Test func theFileHasNoIDs() throws {
    let file = MemoryFile()
    var users = try UserTable(slots: 16) { file }
    _ = try users.insert(UserHash(of: "someone@example.com"))
    #expect(file.bytes.count >= 16)
    #expect(!String(decoding: file.bytes, as: UTF8.self).contains("someone"))
  }

  @Test func aFullDiskIsReported() throws {
    final class FullFile: ScratchFile {
      func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] { [] }
      func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) { throw SystemError(number: 28, call: "write") }
    }
    var users = try UserTable(slots: 16) { FullFile() }
    #expect(throws: SystemError.self) { try users.insert(UserHash(of: "a")) }
  }
}
