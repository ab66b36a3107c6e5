import HTTP
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The events of a replayed track, and how they are stored and sent.
@Suite struct ReplayTests {
  private let home = GeofenceTracks.home()

  private func write(_ meters: [Double]) -> String { home.folder.write("walk.jsonl", GeofenceTracks.lines(meters)) }

  private func replay(
    _ meters: [Double], _ options: String = "", answers: Server? = nil, in other: Home? = nil
  ) -> Home.Outcome {
    let home = other ?? home
    return home.run(
      "location replay '\(home.folder.write("walk.jsonl", GeofenceTracks.lines(meters)))' \(options)", answers: answers)
  }

  private func events(_ outcome: Home.Outcome) -> [String] { outcome.lines.map { $0.replacing("\t", with: " ") } }

  private let brief = "--fields at,event,region,status -o tsv --no-header"

  @Test func onlyTheRegionsDirectionTriggersEventsAndTheFirstPositionNever() {
    let run = replay([0, 150, 300, 150, 0], "--dry-run \(brief)")
    #expect(
      events(run) == [
        "2026-03-04T17:11:00Z exit out not_sent", "2026-03-04T17:12:00Z exit both not_sent",
        "2026-03-04T17:13:00Z entry both not_sent", "2026-03-04T17:14:00Z entry in not_sent",
      ])
    #expect(run.errors == "" && run.exit == .success)
    #expect(home.run("location events --json").output == "[]\n", "a dry run stores nothing")
    #expect(events(replay([0], "--dry-run --initial \(brief)")).count == 2)
  }

  @Test func eventsAreSentInOrderAndDequeuedOnceAccepted() throws {
    let server = Server().answering(204)
    let run = replay([0, 150, 300, 0], brief, answers: server)
    #expect(
      events(run) == [
        "2026-03-04T17:11:00Z exit out accepted", "2026-03-04T17:12:00Z exit both accepted",
        "2026-03-04T17:13:00Z entry in accepted", "2026-03-04T17:13:00Z entry both accepted",
      ])
    #expect(server.asked == ["POST connectapi.ifttt.com/v1/location_events"])
    let names = server.requests[0].headers.map(\.name)
    #expect(names == ["Authorization", "Content-Type"])
    let body = try #require(try JSONValue(parsing: server.requests[0].body ?? []).array)
    #expect(body.map { $0["event_type"]?.string } == ["exit", "exit", "entry", "entry"])
    #expect(body.map { $0["trigger_subscription_id"]?.string } == ["out", "both", "in", "both"])
    let keys = [
      "record_id", "region_type", "occurred_at", "event_type", "channel_id", "trigger_subscription_id",
      "installation_id",
    ]
    #expect(body.allSatisfy { $0.object?.members.map(\.key) == keys })
    #expect(body.allSatisfy { $0["channel_id"] == "941030000" && $0["region_type"] == "geo" })
    #expect(Set(body.map { $0["record_id"]?.string }).count == 4)
    #expect(Set(body.map { $0["installation_id"]?.string }).count == 1)
    #expect(home.run("location events --json").output == "[]\n")
  }

  /// 45 events are sent in three requests; the SDK drops more than 20.
  @Test func longQueuesAreSentInSeveralRequests() {
    let server = Server().answering(200).answering(200).answering(200)
    let ways = (0..<46).map { $0.isMultiple(of: 2) ? 300.0 : 150.0 }
    let run = replay(ways, brief, answers: server)
    #expect(events(run).count == 45)
    let sizes = (0..<3).map { (try? JSONValue(parsing: server.requests[$0].body ?? []).array?.count) ?? 0 }
    #expect(sizes == [20, 20, 5])
  }

  @Test func unsentEventsKeepTheirIDs() throws {
    home.environment["IFTTT_RETRIES"] = "0"
    let server = Server().answering(500)
    let run = replay([0, 150, 300], "\(brief) --retries 0", answers: server)
    #expect(run.exit == .unavailable)
    #expect(events(run).map { $0.hasSuffix("waiting") } == [true, true])
    #expect(run.notes.last == "  2 location events stay queued. Run: ifttt location events flush")
    let waiting = home.run("location events --fields region,event,tries,status -o tsv --no-header")
    #expect(waiting.lines == ["out\texit\t1\twaiting", "both\texit\t1\twaiting"])
    let again = Server().answering(204)
    let flush = home.run("location events flush --json", answers: again)
    #expect(flush.exit == .success)
    #expect(again.requests[0].body == server.requests[0].body)
    #expect(home.run("location events --json").output == "[]\n")
  }

  @Test func aRejectedTokenStopsSendingAndKeepsTheQueue() {
    let server = Server().answering(401, Server.error("unauthorized", "No"))
    let ways = (0..<46).map { $0.isMultiple(of: 2) ? 300.0 : 150.0 }
    let run = replay(ways, brief, answers: server)
    #expect(run.exit == .credentials)
    #expect(server.requests.count == 1)
    // The rest of the track is recorded too.
    #expect(events(run).count == 45)
    #expect(run.errors.contains("45 location events stay queued"))
    #expect(home.run("location events --fields status -o tsv --no-header").lines.count == 45)
    let again = Server().answering(204).answering(204).answering(204)
    #expect(home.run("location events flush", answers: again).exit == .success)
    #expect(again.requests.count == 3)
  }

  @Test func rejectedEventsDoNotBlockLaterOnes() throws {
    _ = replay([0, 150], "--retries 0", answers: Server().answering(503))
    let refused = Server().answering(422, Server.error("invalid_parameters", "No"))
    #expect(home.run("location events flush", answers: refused).exit == .failure)
    let server = Server().answering(204)
    let run = replay([0, 150, 300], brief, answers: server)
    #expect(run.exit == .success)
    #expect(
      try JSONValue(parsing: server.requests[0].body ?? []).array?.count == 2, "the rejected event is not resent")
    let left = home.run("location events --fields region,status,problem -o tsv --no-header")
    #expect(left.lines.first?.hasPrefix("out\trefused\tIFTTT rejected the parameters") == true)
    let again = Server().answering(200)
    #expect(home.run("location events flush --refused", answers: again).exit == .success)
    #expect(again.requests.count == 1)
    #expect(home.run("location events --json").output == "[]\n")
  }

  /// An event that is rejected again is not sent twice, and does not keep the others from being sent.
  @Test func eachRejectedEventIsSentOnceMore() throws {
    _ = replay([0, 150, 300], "--retries 0", answers: Server().answering(503))
    let rejection = Server.error("invalid_parameters", "No")
    let refused = Server().answering(422, rejection).answering(422, rejection).answering(422, rejection)
    #expect(home.run("location events flush", answers: refused).exit == .failure)
    #expect(home.run("location events --fields status -o tsv --no-header").lines == ["refused", "refused"])
    let again = Server().answering(422, rejection).answering(204)
    #expect(home.run("location events flush --refused", answers: again).exit == .failure)
    #expect(again.requests.count == 2)
    #expect(again.requests[0].body != again.requests[1].body)
    #expect(home.run("location events --fields status -o tsv --no-header").lines == ["refused"])
  }

  private static let manyCrossings = (0..<46).map { $0.isMultiple(of: 2) ? 300.0 : 150.0 }

  @Test func aRejectionInTheMiddleIsReported() {
    let refused = Server.error("invalid_parameters", "No")
    var server = Server().answering(200).answering(422, refused)
    for _ in 0..<20 { server = server.answering(422, refused) }
    let run = replay(Self.manyCrossings, brief, answers: server.answering(200))
    #expect(run.exit == .failure)
    #expect(events(run).map { $0.hasSuffix("refused") } == (0..<45).map { (20..<40).contains($0) })
    #expect(run.errors.contains("20 location events stay queued as rejected."))
  }

  /// IFTTT's response does not say which event it rejects, so each is retried once, alone.
  @Test(arguments: [422, 400]) func oneRejectedEventBlocksNoOther(status: Int) throws {
    let refused = Server.error("invalid_parameters", "No")
    var server = Server().answering(status, refused)
    for index in 0..<20 { server = index == 7 ? server.answering(status, refused) : server.answering(204) }
    let run = replay(Array(Self.manyCrossings.prefix(21)), brief, answers: server)
    #expect(run.exit == .failure)
    #expect(events(run).map { $0.hasSuffix("refused") } == (0..<20).map { $0 == 7 })
    let sizes = try server.requests.map { try JSONValue(parsing: $0.body ?? []).array?.count }
    #expect(sizes == [20] + Array(repeating: 1, count: 20))
    #expect(home.run("location events --fields status,tries -o tsv --no-header").lines == ["refused\t1"])
    #expect(run.errors.contains("1 location event stays queued as rejected."))
  }

  @Test func eventsAfterAFailedRetryStayQueued() {
    let server = Server().answering(422).answering(204).answering(503)
    let run = replay([0, 150, 300, 150], "\(brief) --retries 0", answers: server)
    #expect(run.exit == .unavailable && server.requests.count == 3)
    #expect(events(run).map { $0.split(separator: " ").last } == ["accepted", "waiting", "waiting"])
    #expect(home.run("location events --fields status -o tsv --no-header").lines == ["waiting", "waiting"])
  }

  /// The failure does not depend on the events, so they are not retried alone.
  @Test(arguments: [403, 404]) func aRejectedRequestIsNotSplit(status: Int) {
    let server = Server().answering(status)
    #expect(replay([0, 150, 300], brief, answers: server).exit != .success)
    #expect(server.requests.count == 1)
    #expect(home.run("location events --fields status -o tsv --no-header").lines == ["refused", "refused"])
  }

  @Test func aFlushNotesStoredEvents() {
    home.run("location report out exit", answers: Server().answering(422))
    let flush = home.run("location events flush --json")
    #expect(flush.exit == .success && flush.output == "[]\n")
    #expect(
      flush.notes == [
        "No location events are queued; 1 event that IFTTT rejected is stored. "
          + "Retry with: ifttt location events flush --refused"
      ])
  }

  @Test func nothingIsSentWithoutConsent() {
    let home = GeofenceTracks.home(says: nil)
    let run = replay([0, 150], in: home)
    #expect(run.exit == .failure)
    #expect(
      run.notes.last == "  Run 'ifttt location on gg', pass --yes, or pass --dry-run to send nothing.")
    #expect(replay([0, 150], "--dry-run \(brief)", in: home).lines.count == 1)
    let server = Server().answering(204)
    #expect(replay([0, 150], "--yes \(brief)", answers: server, in: home).exit == .success)
    #expect(home.run("location regions --fields location -o tsv --no-header").lines == ["on", "on", "on"])
  }

  @Test func aConnectionWithoutConsentIsSkipped() {
    let other = GeofenceTracks.connection.replacing(#""id":"gg""#, with: #""id":"hh""#).replacing(
      #""id":"in""#, with: #""id":"i2""#
    )
    .replacing(#""id":"out""#, with: #""id":"o2""#).replacing(#""id":"both""#, with: #""id":"b2""#)
    home.run("connections add hh", answers: Server().answering(200, other))
    let note =
      "Location reporting is not enabled for connection hh; its regions are skipped. To enable it: ifttt location on hh"
    let run = replay([0, 150], brief, answers: Server().answering(204))
    #expect(run.exit == .success && run.notes == [note])
    #expect(events(run) == ["2026-03-04T17:11:00Z exit out accepted"])
    #expect(home.run("location regions hh --fields location -o tsv --no-header").lines == ["unset", "unset", "unset"])
    let all = replay([0, 150], "\(brief) --yes", answers: Server().answering(204))
    #expect(events(all).map { $0.split(separator: " ")[2] } == ["out", "o2"] && all.errors == "")
  }

  @Test func aDisabledConnectionIsSkipped() {
    let home = GeofenceTracks.home(says: "off")
    let run = replay([0, 150], in: home)
    #expect(run.exit == .notFound)
    #expect(run.notes.first == "Location is off for connection gg; its regions are skipped.")
    home.run("connections show gg --max-age 0", answers: Server().answering(200, GeofenceTracks.connection))
    #expect(home.run("location regions --fields location -o tsv --no-header").lines == ["off", "off", "off"])
  }

  @Test func rememberKeepsStatesBetweenRuns() {
    #expect(replay([0], "--remember \(brief)").output == "")
    #expect(events(replay([150], "--dry-run --remember \(brief)")) == ["2026-03-04T17:10:00Z exit out not_sent"])
    let states = home.run("location regions --fields id,side -o tsv --no-header")
    #expect(states.lines == ["in\tinside", "out\tinside", "both\tinside"])
    #expect(events(replay([150], "--dry-run \(brief)")).isEmpty, "without it every track starts without states")
    #expect(home.run("location reset in --json").output == #"{"forgotten":1}"# + "\n")
    #expect(events(replay([150], "--dry-run --remember \(brief)")).count == 1)
  }

  @Test func stdinIsProcessedLineByLine() {
    let server = Server().answering(204).answering(204)
    let run = home.run(
      "location replay - -o jsonl", input: .text(GeofenceTracks.lines([0, 150, 300])), answers: server)
    #expect(run.exit == .success)
    #expect(run.lines.count == 2 && server.requests.count == 2)
  }

  @Test func invalidTracksAreReported() {
    let path = home.folder.write("note.txt", "dear all")
    #expect(home.run("location replay '\(path)' --dry-run").exit == .failure)
    #expect(home.run("location replay '\(path)x' --dry-run").exit == .notFound)
    #expect(home.run("location replay").exit == .usage)
    #expect(home.run("location replay a --gpsd localhost").exit == .usage)
    let broken = home.folder.write("some.jsonl", GeofenceTracks.lines([0]) + "{}\nno\n" + GeofenceTracks.lines([150]))
    let run = home.run("location replay '\(broken)' --dry-run")
    #expect(run.exit == .success)
    #expect(run.errors.hasPrefix("2 positions skipped: invalid, the first in line 2: "))
  }

  /// Often a file of another format.
  @Test(arguments: ["some.jsonl", "-"]) func aTrackWithoutUsablePositionsIsRejected(name: String) {
    let text = "<gpx>\n</gpx>\n"
    let words = "location replay '\(name == "-" ? name : home.folder.write(name, text))' --track-format jsonl --dry-run"
    let run = home.run(words, input: name == "-" ? .text(text) : nil)
    #expect(run.exit == .failure && run.output == "")
    #expect(run.notes.first?.hasPrefix("2 positions skipped: invalid, the first in line 1: ") == true)
    #expect(run.notes.dropFirst().first == "ifttt: the track has no usable position")
    #expect(
      home.run("location replay - --dry-run", input: .text("")).exit == .success, "empty input is not an error")
  }

  /// Such a position gets the current time, which is later than any recorded one.
  @Test(arguments: ["", "--dwell 1m", "--times now"]) func aPositionWithoutATimeDoesNotSkipLaterOnes(options: String) {
    let home = GeofenceTracks.home()
    let text = "{\"lat\":0,\"lng\":0}\n{\"lat\":0.01,\"lng\":0}\n" + GeofenceTracks.lines([0, 0, 0, 150, 150, 150])
    let run = home.run("location replay - --dry-run \(options) \(brief)", input: .text(text))
    #expect(!run.errors.contains("skipped"), "\(run.errors)")
    let exits = run.lines.filter { $0.contains("\texit\tout\t") }
    let expected = options == "--dwell 1m" ? 1 : 2
    #expect(exits.count == expected, "\(run.lines)")
    #expect(
      exits.last?.hasPrefix(options == "--times now" ? "2026-09" : "2026-03-04T17:13:00Z") == true, "\(run.lines)")
  }

  /// An unavailable lock is not a fault of the track, and no event is lost.
  @Test func anUnavailableLockIsNotBlamedOnTheTrack() {
    let path = write([0, 150])
    home.prepare = { test in
      test.files.failure = { operation, path in
        operation == "lock" && path.hasSuffix("location.lock") ? SystemError(number: 13, call: "open") : nil
      }
    }
    let run = home.run("location replay '\(path)'")
    #expect(run.exit == .failure)
    #expect(run.notes.first == "ifttt: cannot send location events")
    #expect(run.notes.last?.hasPrefix("  The events stay queued. To check the folder ") == true)
    #expect(run.notes.last?.hasSuffix(", run: ifttt doctor") == true)
    home.prepare = { _ in }
    #expect(home.run("location events --fields region -o tsv --no-header").lines == ["out"])
  }

  @Test func inaccuratePositionsAreNoted() {
    let vague = home.folder.write(
      "vague.jsonl", "{\"lat\":0,\"lng\":0,\"time\":1}\n{\"lat\":0.0015,\"lng\":0,\"time\":2,\"accuracy\":150}\n")
    let run = home.run("location replay '\(vague)' --dry-run")
    #expect(
      run.notes == [
        "1 event comes from a position whose accuracy is worse than the region's radius; --min-accuracy would skip it."
      ])
    #expect(home.run("location replay '\(vague)' --dry-run --min-accuracy 100 \(brief)").output == "")
  }

  @Test(arguments: [
    "--min-accuracy 0x10", "--hysteresis -1", "--hysteresis nan", "--min-accuracy ''", "--max-regions 0",
  ])
  func rejectsInvalidNumbers(option: String) {
    #expect(home.run("location replay walk.gpx --dry-run \(option)").exit == .usage)
  }

  @Test func jitterIsNotedAndFiltered() {
    let jitter = [0, 150, 90, 110, 95, 120, 150, 300, 300, 300].enumerated().map { step, meters in
      #"{"lat":\#(Double(meters) / 111_195),"lng":0,"time":"2026-03-04T17:10:\#(10 + step * 5)Z"}"# + "\n"
    }.joined()
    let path = home.folder.write("jitter.jsonl", jitter)
    let run = home.run("location replay '\(path)' --dry-run \(brief)")
    #expect(events(run).count(where: { $0.contains(" out ") }) == 3)
    #expect(
      run.notes == [
        "out: 3 events within 30 s of each other; --hysteresis, --dwell and --min-accuracy reduce jitter."
      ])
    for calm in ["--hysteresis 60", "--dwell 10s"] {
      let run = home.run("location replay '\(path)' --dry-run \(calm) \(brief)")
      #expect(events(run).count(where: { $0.contains(" out ") }) == 1 && run.errors == "", "\(calm)")
    }
  }

  @Test func aTrackWithoutTimesHasNoJitterNote() {
    let lines = [0, 150, 0, 150, 0, 150, 0, 150].map { "{\"lat\":\(Double($0) / 111_195),\"lng\":0}\n" }.joined()
    let run = home.run("location replay '\(home.folder.write("day.jsonl", lines))' --dry-run \(brief)")
    #expect(
      events(run).count == 7 && run.errors == "The track has no times; the current time is used for its positions.\n")
  }

  @Test func dwellNeedsTimes() {
    let path = home.folder.write("timeless.jsonl", "{\"lat\":0,\"lng\":0}\n{\"lat\":1,\"lng\":0}\n")
    let run = home.run("location replay '\(path)' --dry-run --dwell 1m")
    #expect(run.exit == .failure && run.notes.first == "ifttt: --dwell needs a track with times")
    #expect(
      events(replay([0, 0, 150, 0, 150, 160], "--dry-run --dwell 1m \(brief)")) == [
        "2026-03-04T17:14:00Z exit out not_sent"
      ])
  }
}
