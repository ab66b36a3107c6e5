import ProgramDriver
import Support
import Testing

@testable import Session

/// Tracking connections and no longer tracking them, which change nothing at IFTTT.
@Suite struct AddRemoveTests {
  @Test func addTracksOnlyExistingConnections() {
    let home = Home()
    let server = Server().answering(200, Server.connection("aa")).answering(404, Server.error("not_found", "gone"))
    let added = home.run("connections add aa bb --json", answers: server)
    #expect(added.output == "[\n{\"id\":\"aa\",\"tracked\":true,\"changed\":true}\n]\n")
    #expect(added.exit == .partial)
    #expect(added.errors.hasPrefix(#"{"error":{"code":"partial","message":"1 of 2 failed""#))
    #expect(home.run("connections list --fields id --no-header").output == "aa\n")
    let again = home.run(
      "connections add aa -o csv --no-header", answers: Server().answering(200, Server.connection("aa")))
    #expect(again.output == "aa,true,false\n")
    #expect(again.exit == .success)
  }

  @Test func addTracksWithoutFetchingOffline() {
    let home = Home()
    #expect(home.run("--offline connections add aa -o csv --no-header").output == "aa,true,true\n")
    let server = Server().answering(200, Server.connection("aa"))
    #expect(home.run("connections list --fields id --no-header", answers: server).output == "aa\n")
  }

  @Test func removeStopsTracking() {
    let home = Home.tracking("aa", "bb")
    let removed = home.run("connections remove aa cc -o csv --no-header")
    #expect(removed.output == "aa,false,true\n")
    #expect(removed.exit == .partial)
    #expect(
      removed.errors == """
        ifttt: 1 of 2 failed
          - cc: connection 'cc' is not tracked
          List the tracked connections with 'ifttt connections list'.

        """)
    let unknown = home.run("connections remove cc")
    #expect(unknown.output == "")
    #expect(unknown.exit == .notFound)
    #expect(home.run("connections list --fields id --no-header").output == "bb\n")
  }

  @Test func aDryRunChangesNothing() {
    let home = Home.tracking("aa")
    let add = home.run("connections add aa bb --dry-run --exit-code -o csv --fields method,url --no-header")
    #expect(
      add.lines == [
        "GET,https://connect.ifttt.com/v2/connections/aa", "GET,https://connect.ifttt.com/v2/connections/bb",
      ])
    #expect(add.errors == "Would track bb.\nifttt: something would change\n")
    #expect(add.exit == .notYet)
    let remove = home.run("connections remove aa --dry-run --json")
    #expect(remove.output == "[]\n")
    #expect(remove.errors == "Would stop tracking aa.\n")
    #expect(remove.exit == .success)
    #expect(home.run("connections list --fields id --no-header").output == "aa\n")
  }

  @Test func anInterruptedAddTracksWhatItFetched() {
    let home = Home()
    let server = Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb"))
    var waits = 0
    home.prepare = { world in
      server.whileWaiting = {
        waits += 1
        if waits == 1 { world.interruption.interrupt() }
      }
    }
    let added = home.run("connections add aa bb -o csv --no-header", answers: server)
    #expect(added.output == "aa,true,true\n")
    #expect(added.errors == "ifttt: interrupted\n")
    #expect(added.exit == .interrupted)
    home.prepare = { _ in }
    #expect(home.run("connections list --fields id --no-header").output == "aa\n")
  }

  @Test(arguments: ["a/b", "''", "..", "'a?b'"])
  func rejectsAnIDThatDoesNotFitInAURL(_ id: String) {
    let refused = Home().run("connections add \(id)")
    #expect(refused.exit == .usage)
    #expect(refused.output == "")
    #expect(refused.errors.hasPrefix("ifttt: "))
  }
}
