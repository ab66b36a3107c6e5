import Foundation
import Store
import Testing
import World

/// Changes of the clock in both directions: nothing stays fresh forever, and nothing is overwritten or lost.
@Suite struct ClockTests {
  let home = TestHome()
  private let now = Timestamp(milliseconds: 1_800_000_000_000)
  private var jumps: [Timestamp] {
    [now, Timestamp(milliseconds: 0), now - .seconds(86_400), now - .seconds(-86_400 * 3650), now]
  }

  @Test func latestSaveWinsAtAnyTime() throws {
    for (number, time) in jumps.enumerated() {
      home.clock.set(time)
      try home.store().save(secret("token-number-\(number)"), as: .userToken, userID: "ann", profile: "default")
      let stored = try home.store().credential(.userToken, userID: "ann", profile: "default")
      #expect(stored == secret("token-number-\(number)"))
      #expect(try home.store().credentials(profile: "default").map(\.savedAt) == [time])
    }
  }

  @Test func everyRestoreKeepsThePreviousStore() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    _ = try home.store().backUp(to: "\(home.path)/b.db", replacing: false)
    for time in jumps {
      home.clock.set(time)
      let store = home.store()
      _ = try store.restore(store.planRestore(of: "\(home.path)/b.db"))
    }
    #expect(home.names().filter { $0.contains("before-restore") }.count == jumps.count)
    #expect(try home.store().check().allSatisfy(\.passed))
  }

  @Test func rekeyWorksAtAnyTime() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    for time in jumps {
      home.clock.set(time)
      _ = try home.store().rekey(to: .ownFile)
    }
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
  }

  @Test func futureFetchTimeIsStale() throws {
    home.clock.set(now)
    _ = try home.store().track(["a"], profile: "default")
    try home.store().cache([connection("a", at: now.milliseconds)], profile: "default")
    let limit = now - .seconds(60)
    #expect(try home.store().tracked(fetchedBefore: limit, profile: "default") == [])
    home.clock.set(now - .seconds(3600))
    #expect(try home.store().tracked(fetchedBefore: limit - .seconds(3600), profile: "default") == ["a"])
    home.clock.set(now - .seconds(-3600))
    #expect(try home.store().tracked(fetchedBefore: limit - .seconds(-3600), profile: "default") == ["a"])
  }
}
