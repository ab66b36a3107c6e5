import Foundation
import HTTP
import Sandbox
import Support
import Testing
import World

/// Random visits to the web pages and their forms: every request gets a page or a redirect, and the state stays
/// valid.
@Suite struct RandomVisitsTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func randomVisitsGetPagesOrRedirects(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var session = EmulatorSession(SandboxState(.unusual, salt: Int(seed)))
    for number in 1...250 {
      let (target, body) = visit(&random)
      let isPost = random.below(3) > 0
      let request = try #require(
        Request(
          receivedMethod: isPost ? "POST" : "GET", target: target, headers: [], body: isPost ? Array(body.utf8) : []))
      let response = session.emulator.response(to: request, target: target, at: EmulatorSession.now)
      #expect([200, 303, 400, 404, 405, 409].contains(response.status), "\(target) \(body)")
      if response.status == 303 {
        let location = try #require(response.header("Location"))
        #expect(location.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && response.body.isEmpty)
      } else if response.status != 405 {
        #expect(response.header("Content-Type") == "text/html; charset=utf-8")
        #expect(!String(decoding: response.body, as: UTF8.self).contains("<script"))
      }
      if number % 50 == 0 {
        let state = session.emulator.state
        #expect(try SandboxState(parsing: state.bytes) == state)
        session = EmulatorSession(try SandboxState(parsing: state.bytes))
      }
    }
  }

  private func visit(_ random: inout SeededGenerator) -> (target: String, body: String) {
    let id = random.pick(SandboxFixtures.ownConnectionIDs + ["Or4Ch7Dz", "", "%3Cscript%3E"])
    let path = random.pick([
      "/access/api/\(id)", "/access/api/\(id)", "/access/api/\(id)", "/connect/\(id)", "/connect/\(id)",
      "/embed/lampost/applets/\(random.pick(["mB3xWq7T", "cH8nRt5K", "zD4hMr8S"]))", "/connections/\(id)",
      "/connections/\(id)/edit",
    ])
    var query = [
      "sdk_return_to=\(random.pick(["lampost%3A%2F%2Fdone%3Fa", "https%3A%2F%2Fa.test%2F%C3%BC%23x", "x", "a%3A%0D%0Ab"]))",
      "redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F", "user_id=\(random.pick(["u-5521", "90210", "u-new", "%00"]))",
    ]
    query += (0..<random.below(5)).map { _ in
      random.pick([
        "email=kai%40mail.test", "email=noor%40mail.test", "email=a+b%40c.d", "email=%C3%A9%40%F0%9F%98%80",
        "username=mira_o",
        "username=%3Cscript%3E", "skip_config=true", "code=oc_\(random.below(3))", "code=pac_x",
        "invite_code=lantern-4417",
        "locale=%zz", "%3Cscript%3E=1", "", "=", "emulator_outcome=\(random.pick(ActivationOutcome.allCases).rawValue)",
      ])
    }
    let outcome = random.pick(ActivationOutcome.allCases).rawValue
    let body = (0..<random.below(9)).map { _ in
      random.pick([
        "step=account", "step=service", "step=configuration", "step=connect", "step=nosuch", "outcome=\(outcome)",
        "outcome=nosuch", "email=new\(random.below(4))%40mail.test", "email=%3Cscript%3E", "signed_in=code",
        "c.0.on=on", "c.1.on=on", "c.0.fields.0=sc_01", "c.0.triggers0.0.lat=1", "c.0.triggers0.0.lng=-181",
        "c.0.triggers0.0.radius=x", "c.0.actions0.0=l_desk", "c.0.actions0.1=%3Cscript%3E", "c.99.on=on", "%%%", "&&=",
      ])
    }
    return ("\(path)?\(query.joined(separator: "&"))", body.joined(separator: "&"))
  }
}
