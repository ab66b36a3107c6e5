import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Location events of the built program, with a server that accepts only what docs/api/location.md describes.
@Suite struct LocationProgramTests {
  private func home(_ server: LocationServer) throws -> Home {
    let home = Home(nil, server.environment)
    home.environment["IFTTT_USER_TOKEN"] = "a-token-of-the-tests-0123456789"
    #expect(try home.run("connections", "add", "gg").status == 0)
    #expect(try home.run("location", "on", "gg").status == 0)
    return home
  }

  /// A track that leaves the region and returns, `times` times, one minute each.
  private func walk(_ times: Int, _ home: Home) -> String {
    let lines = (0...times * 2).map { minute in
      let meters = minute.isMultiple(of: 2) ? 0.0 : 400
      return #"{"lat":\#(38.7369 + meters / 111_195),"lng":-9.1427,"time":\#(1_772_640_000 + minute * 60)}"# + "\n"
    }
    return home.folder.write("walk.jsonl", lines.joined())
  }

  @Test func eventsArriveInOrderAndOnce() throws {
    let server = try LocationServer()
    let home = try home(server)
    let run = try home.run("location", "replay", walk(25, home), "--json", "--max-age", "7d")
    #expect(run.status == 0 && run.errors == "")
    let batches = try server.batches()
    #expect(batches.map(\.count) == [20, 20, 10])
    let events = batches.flatMap { $0 }
    #expect(events.map(\.event_type) == (0..<50).map { $0.isMultiple(of: 2) ? "exit" : "entry" })
    #expect(events.map(\.occurred_at) == events.map(\.occurred_at).sorted())
    #expect(Set(events.map(\.record_id)).count == 50 && Set(events.map(\.installation_id)).count == 1)
    #expect(try home.run("location", "events", "--json").text == "[]\n")
  }

  /// The program is killed at many points of a run, and the next run sends the remaining events. An accepted event is
  /// neither lost nor duplicated: an event that is sent twice has the same id and contents.
  @Test func aKilledRunNeitherLosesNorDuplicatesEvents() throws {
    let server = try LocationServer(delay: 0.01)
    let home = try home(server)
    let track = walk(60, home)
    var generator = SeededGenerator(seed: 20)
    for _ in 0..<25 {
      let running = try home.start(["location", "replay", track, "--times", "now", "--max-age", "7d"])
      usleep(UInt32.random(in: 0...120_000, using: &generator))
      kill(running.id, SIGKILL)
      running.wait()
      let waiting = try JSONDecoder().decode(
        [[String: String?]].self,
        from: Data(
          try home.run("location", "events", "--json", "--fields", "record_id,event,occurred_at").text.utf8))
      let flushed = try home.run("location", "events", "flush", "--max-age", "7d", "--json")
      #expect(flushed.status == 0, "\(flushed.errors)")
      // All events that had been stored have arrived by now.
      let arrived = Set(try server.batches().flatMap { $0 }.map(\.record_id))
      #expect(waiting.allSatisfy { arrived.contains(($0["record_id"] ?? nil) ?? "") })
    }
    let events = try server.batches().flatMap { $0 }
    #expect(!events.isEmpty)
    #expect(Set(events).count == Set(events.map(\.record_id)).count, "one id is one event, however often it is sent")
    #expect(try home.run("location", "events", "--json").text == "[]\n")
    #expect(try home.run("store", "check").status == 0)
  }

  /// IFTTT either has the event already or will never receive it.
  @Test func anEventInFlightIsNotDiscarded() throws {
    let server = try LocationServer(delay: 0.3)
    let home = try home(server)
    #expect(try home.run("location", "report", "d27e9a40", "exit", "--offline").status == 5)
    let flush = try home.start(["location", "events", "flush", "--json"])
    while try server.batches().isEmpty { usleep(1000) }
    #expect(try home.run("location", "events", "clear", "--yes", "--json").text == "[]\n")
    #expect(flush.readToEnd().contains(#""status":"accepted""#) && flush.wait() == 0)
  }

  /// Two concurrent runs share the queue.
  @Test func concurrentRunsSendEachEventOnce() throws {
    let down = try LocationServer(answer: 503)
    let home = try home(down)
    #expect(
      try home.run("location", "replay", walk(50, home), "--retries", "0", "--max-age", "7d").status == 5)
    let server = try LocationServer(delay: 0.02)
    let runs = try (0..<4).map { _ in
      try home.start(["location", "events", "flush", "--json"], server.environment)
    }
    for run in runs { #expect(run.wait() == 0) }
    let ids = try server.batches().flatMap { $0 }.map(\.record_id)
    #expect(ids.count == 100 && Set(ids).count == 100)
  }
}
