import HTTP
import IFTTT
import JSON
import Support
import Testing
import Text

@Suite struct ServiceRequestsTests {
  @Test(arguments: [
    ("https://lampost.test", "https://lampost.test/ifttt/v1/status"),
    ("https://lampost.test/", "https://lampost.test/ifttt/v1/status"),
    ("https://lampost.test/api/ifttt/v1", "https://lampost.test/api/ifttt/v1/status"),
    ("https://lampost.test/ifttt/v1/", "https://lampost.test/ifttt/v1/status"),
    ("http://127.0.0.1:8788/a", "http://127.0.0.1:8788/a/ifttt/v1/status"),
  ])
  func addsTheAPIPathUnlessPresent(prefix: String, expected: String) throws {
    #expect(ServiceURL(prefix: try WebURL(parsing: prefix)).endpoint(.status).wire == expected)
  }

  @Test func anIdentityDependsOnTheFields() {
    let identity = ServiceRequests.triggerIdentity("on", ["lamp": "a"])
    #expect(identity.count == 40)
    #expect(identity == ServiceRequests.triggerIdentity("on", ["lamp": "a"]))
    #expect(identity != ServiceRequests.triggerIdentity("on", ["lamp": "b"]))
    #expect(identity != ServiceRequests.triggerIdentity("off", ["lamp": "a"]))
  }
}
