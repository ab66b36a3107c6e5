import Foundation
import Store
import Testing
import Text
import World

/// The choice to send usage events, and the random id that exists only with it.
@Suite struct UsageChoiceTests {
  private let home = TestHome()

  @Test func readingCreatesNoFile() throws {
    #expect(try home.store().usageChoice() == nil)
    #expect(try home.store().switchUsageOff() == false)
    #expect(try home.store().renewAnonymousID() == nil)
    #expect(home.names() == [])
  }

  @Test func idIsAStableRandomUUID() throws {
    let on = try home.store().switchUsageOn()
    let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(on.anonymousID.revealed.wholeMatch(of: form) != nil)
    home.clock.set(Timestamp(milliseconds: 1_800_000_009_000))
    #expect(try home.store().switchUsageOn() == on)
    #expect(try home.store().usageChoice() == on)
  }

  @Test func installationsHaveDifferentIDs() throws {
    let other = TestHome()
    #expect(try home.store().switchUsageOn().anonymousID != other.store().switchUsageOn().anonymousID)
  }

  @Test func renewReplacesTheID() throws {
    let first = try home.store().switchUsageOn()
    let second = try #require(try home.store().renewAnonymousID())
    #expect(second.anonymousID != first.anonymousID)
    #expect(second.since == first.since)
    #expect(try home.store().usageChoice() == second)
  }

  @Test func disablingRemovesAllTraces() throws {
    let choice = try home.store().switchUsageOn()
    let id = choice.anonymousID.revealed
    let fingerprint = RequestIdentity.fingerprint(of: choice.anonymousID)
    _ = try home.store().queueUsage([Array("an-event".utf8)], to: "https://a.test", under: choice, limit: 100)
    func holding(_ text: String) -> [String] {
      home.names().filter { Data(home.bytes($0)).range(of: Data(text.utf8)) != nil }
    }
    #expect(holding(id) == ["ifttt.db"])
    #expect(holding(fingerprint) == ["cache.db"])
    #expect(holding("an-event") == ["cache.db"])
    #expect(try home.store().switchUsageOff())
    for text in [id, fingerprint, "an-event"] { #expect(holding(text) == []) }
    #expect(try home.store().usageChoice() == nil)
  }

  /// Consent is given per machine, and an id is never copied.
  @Test(arguments: [false, true]) func restoreDoesNotRestoreTheChoice(isDamaged: Bool) throws {
    let on = try home.store().switchUsageOn()
    try home.store().save(Profile(name: "work"))
    _ = try home.store().backUp(to: "\(home.path)/b.db", replacing: false)
    if isDamaged { try home.write(Array(repeating: 0x55, count: 20_000), to: "ifttt.db") }
    _ = try home.store().restore(home.store().planRestore(of: "\(home.path)/b.db"))
    #expect(try home.store().usageChoice() == nil)
    #expect(try home.store().profiles().map(\.name) == ["work"])
    #expect(Data(home.bytes("ifttt.db")).range(of: Data(on.anonymousID.revealed.utf8)) == nil)
  }
}
