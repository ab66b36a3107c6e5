import Foundation
import Store
import Testing
import Text
import World

/// The choice to send usage events, and the random id that exists only with it.
@Suite struct UsageChoiceTests {
  private let home = TestHome()

  @Test func readingCreatesNoFile() throws {
    #expect(try UsageQueue(home.store()).choice() == nil)
    try UsageQueue(home.store()).switchOff()
    #expect(try UsageQueue(home.store()).renewAnonymousID() == nil)
    #expect(home.names() == [])
  }

  @Test func idIsAStableRandomUUID() throws {
    let on = try UsageQueue(home.store()).switchOn()
    let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(on.anonymousID.revealed.wholeMatch(of: form) != nil)
    home.clock.set(Timestamp(milliseconds: 1_800_000_009_000))
    #expect(try UsageQueue(home.store()).switchOn() == on)
    #expect(try UsageQueue(home.store()).choice() == on)
  }

  @Test func installationsHaveDifferentIDs() throws {
    let other = TestHome()
    #expect(try UsageQueue(home.store()).switchOn().anonymousID != UsageQueue(other.store()).switchOn().anonymousID)
  }

  @Test func renewReplacesTheID() throws {
    let first = try UsageQueue(home.store()).switchOn()
    let second = try #require(try UsageQueue(home.store()).renewAnonymousID())
    #expect(second.anonymousID != first.anonymousID)
    #expect(second.since == first.since)
    #expect(try UsageQueue(home.store()).choice() == second)
  }

  @Test func disablingRemovesAllTraces() throws {
    let choice = try UsageQueue(home.store()).switchOn()
    let id = choice.anonymousID.revealed
    let fingerprint = RequestIdentity.fingerprint(of: choice.anonymousID)
    _ = try UsageQueue(home.store()).add([Array("an-event".utf8)], to: "https://a.test", under: choice, limit: 100)
    func holding(_ text: String) -> [String] {
      home.names().filter { Data(home.bytes($0)).range(of: Data(text.utf8)) != nil }
    }
    #expect(holding(id) == ["ifttt.db"])
    #expect(holding(fingerprint) == ["cache.db"])
    #expect(holding("an-event") == ["cache.db"])
    try UsageQueue(home.store()).switchOff()
    for text in [id, fingerprint, "an-event"] { #expect(holding(text) == []) }
    #expect(try UsageQueue(home.store()).choice() == nil)
  }

  /// Consent is given per machine, and an id is never copied.
  @Test(arguments: [false, true]) func restoreDoesNotRestoreTheChoice(isDamaged: Bool) throws {
    let on = try UsageQueue(home.store()).switchOn()
    try home.store().save(Profile(name: "work"))
    _ = try home.store().backUp(to: "\(home.path)/b.db", replacing: false)
    if isDamaged { try home.write(Array(repeating: 0x55, count: 20_000), to: "ifttt.db") }
    _ = try home.store().restore(home.store().planRestore(of: "\(home.path)/b.db"))
    #expect(try UsageQueue(home.store()).choice() == nil)
    #expect(try home.store().profiles().map(\.name) == ["work"])
    #expect(Data(home.bytes("ifttt.db")).range(of: Data(on.anonymousID.revealed.utf8)) == nil)
  }
}
