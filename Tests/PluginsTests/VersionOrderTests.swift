import Plugins
import Testing

/// The order of Semantic Versioning, and versions without an order.
@Suite struct VersionOrderTests {
  @Test func ordersVersions() {
    let versions = [
      "0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
      "1.0.0-rc.1", "1.0.0", "v1.0.1", "1.2", "1.10.0", "99999999999999999999999.1",
    ]
    for (index, version) in versions.enumerated() {
      for (otherIndex, other) in versions.enumerated() {
        #expect(VersionOrder.isOlder(version, than: other) == (index < otherIndex), "\(version) and \(other)")
      }
    }
  }

  @Test func equalVersionsAreNotOlder() {
    for (one, other) in [("1.0", "1.0.0"), ("1.0.0+7", "1.0.0+8"), ("v1", "1"), ("01", "1")] {
      #expect(VersionOrder.isOlder(one, than: other) == false && VersionOrder.isOlder(other, than: one) == false)
    }
  }

  @Test(arguments: ["r7", "latest", "1.x", ""]) func otherTextsHaveNoOrder(version: String) {
    #expect(VersionOrder.isOlder(version, than: "1.0") == nil)
    #expect(VersionOrder.isOlder("1.0", than: version) == nil)
  }
}
