import HTTP
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Reporting a single event, and the queue.
@Suite struct LocationReportTests {
  private let home = GeofenceTracks.home()

  @Test func anEventIsSentAndPrinted() throws {
    let server = Server().answering(204)
    let run = home.run("location report out exit --at 2026-03-04T18:42:09+01:00 --json", answers: server)
    #expect(run.exit == .success)
    let sent = try #require(try JSONValue(parsing: server.requests[0].body ?? []).array?.first)
    #expect(sent["occurred_at"] == "2026-03-04T17:42:09Z" && sent["event_type"] == "exit")
    let row = try JSONValue(parsing: Array(run.output.utf8))
    #expect(row["status"] == "accepted" && row["record_id"] == sent["record_id"])
  }

  @Test func anotherDirectionNeedsForce() {
    let run = home.run("location report out enter")
    #expect(run.exit == .failure)
    #expect(run.notes.first == "ifttt: region 'out' does not report entry events")
    #expect(home.run("location report out entry --force", answers: Server().answering(200)).exit == .success)
    #expect(home.run("location report off exit").exit == .notFound, "its feature is off")
    #expect(home.run("location report out leave").exit == .usage)
  }

  @Test func aDryRunPrintsTheRequestAndStoresNothing() throws {
    let run = home.run("location report both enter --dry-run --json")
    let request = try #require(try JSONValue(parsing: Array(run.output.utf8)).array?.first)
    #expect(request["url"] == "https://connectapi.ifttt.com/v1/location_events")
    #expect(request["headers"]?["Authorization"] == "Bearer a-to…6789")
    #expect(home.run("location events --json").output == "[]\n")
  }

  @Test func aServiceKeyIsRejected() {
    home.environment = ["IFTTT_SERVICE_KEY": "a-key-of-the-tests", "IFTTT_USER_ID": "u-1"]
    let run = home.run(
      "location report out exit", answers: Server().answering(200, GeofenceTracks.connection))
    #expect(run.exit == .credentials)
  }

  @Test func aReportIsRetriedWithTheSameBody() {
    let server = Server().failing(.connect, "refused").answering(503).answering(204)
    #expect(home.run("location report out exit", answers: server).exit == .success)
    #expect(Set(server.requests.map { $0.body ?? [] }).count == 1, "every attempt has the same body")
    #expect(server.requests.count == 3)
  }

  @Test func anOfflineReportIsQueued() {
    let run = home.run("location report out exit --offline --json")
    #expect(run.exit == .unavailable)
    #expect(home.run("location events --fields region -o tsv --no-header").lines == ["out"])
    let dry = home.run("location events flush --dry-run --json")
    #expect(dry.output.contains("location_events"))
    #expect(home.run("location events clear").exit == .failure, "no terminal for the confirmation")
    #expect(home.run("location events clear none --yes").exit == .notFound)
    #expect(home.run("location events clear --yes --json").exit == .success)
    #expect(home.run("location events --json").output == "[]\n")
  }

  @Test func removingAProfileMentionsQueuedEvents() {
    home.environment["IFTTT_PROFILE"] = "work"
    home.run("profile create work")
    home.run("connections add gg", answers: Server().answering(200, GeofenceTracks.connection))
    home.run("location on gg")
    #expect(home.run("location report out exit --offline").exit == .unavailable)
    let run = home.run("profile remove work")
    #expect(
      run.notes.dropFirst().first
        == "  Remove profile 'work' with its credentials and tracked connections, and 1 unsent location event?")
  }

  @Test func anUntrackedConnectionCannotBeEnabled() {
    #expect(home.run("location on none").exit == .notFound)
    #expect(
      home.run("location on gg --json").output == "[\n" + #"{"id":"gg","location":"on","changed":false}"# + "\n]\n")
    #expect(home.run("location off gg --dry-run").errors == "Would turn location off for gg.\n")
    #expect(
      home.run("location off gg --json").output == "[\n" + #"{"id":"gg","location":"off","changed":true}"# + "\n]\n")
    let run = home.run("location report out exit")
    #expect(run.exit == .failure && run.notes.last == "  Run: ifttt location on gg")
  }
}
