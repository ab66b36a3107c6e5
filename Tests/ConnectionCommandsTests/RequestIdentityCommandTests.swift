import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// A status belongs to the user it was fetched for. Another user's list and changes start from that user's own
/// status.
@Suite struct RequestIdentityCommandTests {
  private let kay = "token-of-kay-0123456789-abcdef"
  private let mira = "token-of-mira-0123456789-abcde"

  private func home() -> Home {
    let home = Home()
    for (user, token) in [("kay", kay), ("mira", mira)] {
      home.run("token set --user-id \(user) --user-token-file -", input: .text(token), reveals: true)
    }
    return home
  }

  private func connection(_ status: String) -> String {
    #"{"type":"connection","id":"aa","name":"Lamp","user_status":"\#(status)"}"#
  }

  @Test func fetchesTheListAgainForAnotherUser() {
    let home = home()
    home.run("connections add aa --user-id kay", answers: Server().answering(200, connection("enabled")))
    #expect(home.run("connections list --user-id kay --json --fields status").output.contains("enabled"))
    let asked = Server().answering(200, connection("disabled"))
    let list = home.run("connections list --user-id mira --json --fields status", answers: asked)
    #expect(list.output.contains("disabled"))
    #expect(asked.requests.first?.header("Authorization") == "Bearer \(mira)")
  }

  @Test func sendsAChangeThatAnotherUserDoesNotNeed() {
    let home = home()
    home.run("connections add aa --user-id kay", answers: Server().answering(200, connection("enabled")))
    let asked = Server().answering(200, connection("disabled")).answering(200, connection("enabled"))
    let enable = home.run("connections enable aa --user-id mira --json", answers: asked)
    #expect(enable.output.contains(#""status":"enabled","previous_status":"disabled","changed":true"#))
    #expect(asked.requests.map(\.method) == [.get, .post])
  }

  @Test func aRejectedTokenKeepsTheCachedRows() {
    let home = home()
    home.run("connections add aa --user-id kay", answers: Server().answering(200, connection("enabled")))
    let refused = home.run(
      "connections list --user-id mira --json --fields id,stale", answers: Server().answering(401, #"{"type":"error"}"#)
    )
    #expect(refused.exit == .credentials)
    #expect(refused.output.contains(#""stale":true"#))
    #expect(home.run("connections list --user-id kay --json --fields id,stale").output.contains(#""stale":false"#))
  }

  @Test func marksAnotherUsersRowsAsStaleOffline() {
    let home = home()
    home.run("connections add aa --user-id kay", answers: Server().answering(200, connection("enabled")))
    let list = home.run("connections list --offline --user-id mira --json --fields id,stale")
    #expect(list.output.contains(#""stale":true"#))
    let own = home.run("connections list --offline --user-id kay --json --fields id,stale")
    #expect(own.output.contains(#""stale":false"#))
  }
}
