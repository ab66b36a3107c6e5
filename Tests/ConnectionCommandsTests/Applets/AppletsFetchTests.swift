import ProgramDriver
import Support
import Testing

@testable import Session

/// A service's Applets: all of them in an order, or some by id.
@Suite struct AppletsFetchTests {
  @Test func listsAllInTheRequestedOrder() {
    let home = Home()
    let ids = { (line: String) in home.sandbox("applets fetch \(line) -o csv --no-header --fields id").lines }
    #expect(ids("") == ["mB3xWq7T", "cH8nRt5K", "vL2sJy9D", "zD4hMr8S"])
    let most = ids("--order enabled_count_desc")
    #expect(ids("--order enabled_count_asc") == most.reversed())
    let first = ids("--order published_at_asc")
    #expect(Set(first) == Set(ids("--order published_at_desc")))
    #expect(first != ids("--order published_at_desc"))
    #expect(ids("--platform ios").count > 4)
    #expect(ids("--platform android") != ids("--platform ios"))
  }

  @Test func theRequestHasTheOptions() {
    let home = Home()
    let server = Server().answering(200, #"{"type":"list","data":[]}"#)
    let fetched = home.run(
      "applets fetch --service 'my service' --order published_at_asc --platform android --json", answers: server)
    #expect(
      server.asked == ["GET api.ifttt.com/v1/services/my%20service/applets?order=published_at_asc&platform=android"])
    #expect(fetched.output == "[]\n")
    #expect(fetched.exit == .success)
  }

  @Test(arguments: [
    ("[1]", "1 part of the response could not be read and is skipped."),
    ("[1,2]", "2 parts of the response could not be read and are skipped."),
  ])
  func unreadablePartsAreCounted(data: String, note: String) {
    let fetched = Home().run(
      "applets fetch --service s --json", answers: Server().answering(200, #"{"type":"list","data":\#(data)}"#))
    #expect(fetched.notes.contains { $0.hasSuffix(note) })
  }

  @Test func fetchesByID() {
    let home = Home()
    let one = home.sandbox("applets fetch mB3xWq7T --json --fields id,status,stale")
    #expect(one.output == "[\n" + #"{"id":"mB3xWq7T","status":"enabled","stale":false}"# + "\n]\n")
    let part = home.sandbox("applets fetch nope mB3xWq7T -o csv --no-header --fields id")
    #expect(part.output == "mB3xWq7T\n")
    #expect(part.exit == .partial)
    let none = home.sandbox("applets fetch nope")
    #expect(none.notes.first == "ifttt: no Applet 'nope', or these credentials cannot access it")
    #expect(none.exit == .notFound)
    #expect(home.sandbox("applets fetch a b --raw").exit == .usage)
    #expect(home.sandbox("applets fetch a --order published_at_asc").exit == .usage)
  }

  @Test func failsWithoutAService() {
    let missing = Home().run("applets fetch")
    #expect(missing.notes.first == "ifttt: 'applets fetch' needs a service")
    #expect(missing.exit == .credentials)
    #expect(Home().run("applets fetch --service 'a/b'").exit == .usage)
    let unknown = Home().run(
      "applets fetch --service nope", answers: Server().answering(404, Server.error("not_found", "x")))
    #expect(unknown.notes.first == "ifttt: no service 'nope', or these credentials cannot access it")
    #expect(unknown.exit == .notFound)
  }

  @Test func offlineShowsTheCachedList() {
    let home = Home()
    home.environment["IFTTT_SERVICE"] = "s"
    let never = home.run("--offline applets fetch")
    #expect(never.errors == "ifttt: the Applets of 's' were never fetched\n  Run the command without --offline.\n")
    #expect(never.exit == .notFound)
    let list =
      #"{"type":"list","data":[{"type":"applet","id":"aa","name":"A"},{"type":"applet","id":"bb","name":"B"}]}"#
    home.run("applets fetch", answers: Server().answering(200, list))
    let remembered = home.run("--offline applets fetch bb -o csv --no-header --fields id,stale")
    #expect(remembered.output == "bb,true\n")
    let unseen = home.run("--offline applets fetch cc")
    #expect(unseen.exit == .notFound)
    #expect(unseen.notes.count == 2)
    let part = home.run("--offline applets fetch aa cc -o csv --no-header --fields id")
    #expect(part.output == "aa\n")
    #expect(part.exit == .partial)
  }

  @Test func rawPrintsTheBodyUnchanged() {
    let body = "{\"type\":\"list\",  \"data\":[ ]}\n"
    #expect(Home().run("applets fetch --service s --raw", answers: Server().answering(200, body)).output == body)
  }

  @Test func aDryRunSendsNothing() {
    let plan = Home().sandbox("applets fetch x y --dry-run -o csv --no-header --fields url")
    #expect(
      plan.lines == [
        "https://api.ifttt.com/v1/services/lampost/applets/x", "https://api.ifttt.com/v1/services/lampost/applets/y",
      ])
  }
}
