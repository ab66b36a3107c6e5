import Testing

@testable import Changes

@Suite struct SeenUsersTests {
  @Test func usersAreRecognizedWhateverTheirNumber() {
    var users = SeenUsers()
    func insert(_ user: String) -> Bool { users.insert(user) }
    for number in 0..<3000 { #expect(insert("u-\(number)")) }
    for number in stride(from: 2999, through: 0, by: -1) { #expect(!insert("u-\(number)")) }
    #expect(insert("u-3000"))
    #expect(insert(""))
    #expect(!insert(""))
    #expect(insert("é"))
    #expect(insert("e\u{301}"), "ids are bytes")
  }
}
