import HTTP
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Two users of one profile: a user's events are sent only with that user's token.
@Suite struct LocationOwnerTests {
  private let home = GeofenceTracks.home()
  private let second = "b-token-of-the-tests-9876543210"

  /// Reports an exit as the first user, offline.
  private func leave() { home.run("location report out exit --offline") }

  private func become(_ token: String) {
    home.environment["IFTTT_USER_TOKEN"] = token
    home.secrets.append(token)
  }

  private var waiting: [String] {
    home.run("location events --fields region,status -o tsv --no-header").lines
  }

  @Test func anotherUsersEventsAreNotSent() {
    leave()
    become(second)
    let server = Server().answering(200, GeofenceTracks.connection.replacing(#""id":"out""#, with: #""id":"mine""#))
    let run = home.run("location events flush", answers: server)
    #expect(run.exit == .failure)
    #expect(server.asked == ["GET connect.ifttt.com/v2/connections/gg"], "only the owner of the region is looked up")
    #expect(
      run.notes.contains("  1 location event was recorded under another user token and is not sent with this one."))
    #expect(waiting == ["out\twaiting"])
    become("a-token-of-the-tests-0123456789")
    #expect(home.run("location events flush", answers: Server().answering(204)).exit == .success)
    #expect(waiting == [])
  }

  @Test(arguments: [404, 403])
  func aConnectionWithoutAccessIsAnotherUsers(_ status: Int) {
    leave()
    become(second)
    let server = Server().answering(status, Server.error("not_found", "No"))
    #expect(home.run("location events flush", answers: server).exit == .failure)
    #expect(server.requests.count == 1 && waiting == ["out\twaiting"])
  }

  /// A newly exchanged token of the same user.
  @Test func aNewTokenOfTheSameUserSendsTheQueue() {
    leave()
    become(second)
    let server = Server().answering(200, GeofenceTracks.connection).answering(204)
    #expect(home.run("location events flush", answers: server).exit == .success)
    #expect(server.requests.map(\.method) == [.get, .post])
    #expect(server.requests[1].header("Authorization") == "Bearer \(second)")
    #expect(waiting == [])
  }

  @Test func aRejectedTokenSendsNothing() {
    leave()
    become(second)
    let server = Server().answering(401, Server.error("unauthorized", "No"))
    let run = home.run("location events flush", answers: server)
    #expect(run.exit == .credentials && server.requests.count == 1)
    #expect(run.notes.last?.hasPrefix("  1 location event stays queued. Provide a token that IFTTT accepts") == true)
  }

  @Test func ownershipIsNotGuessedWithoutNetwork() {
    leave()
    become(second)
    let server = Server().failing(.connect, "refused").failing(.connect, "refused")
    #expect(home.run("location events flush --retries 1", answers: server).exit == .unavailable)
    #expect(waiting == ["out\twaiting"])
  }

  @Test func ownEventsAreSentAndAnotherUsersStayQueued() throws {
    leave()
    become(second)
    let mine = GeofenceTracks.connection.replacing(#""id":"out""#, with: #""id":"mine""#)
    let server = Server().answering(200, mine).answering(200, mine).answering(204)
    let run = home.run("location report mine exit --json", answers: server)
    #expect(run.exit == .success)
    #expect(
      run.notes == ["1 location event was recorded under another user token and is not sent with this one."])
    let sent = try JSONValue(parsing: server.requests[2].body ?? []).array
    #expect(sent?.map { $0["trigger_subscription_id"] } == ["mine"])
  }

  /// The cache holds another user's regions, which the profile's next user must not see.
  @Test(arguments: ["location regions --json", "location report out exit", "location map --format svg"])
  func anotherUsersRegionsAreNotShown(_ line: String) {
    become(second)
    let offline = home.run("\(line) --offline")
    #expect(offline.exit == .unavailable && !offline.output.contains("Home"))
    let broken = home.run(line, answers: Server().answering(500))
    #expect(broken.exit == .unavailable && !broken.output.contains("Home"))
    #expect(waiting == [])
  }
}
