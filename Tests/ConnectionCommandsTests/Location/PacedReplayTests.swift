import ProgramDriver
import Session
import Support
import Testing
import World

/// A track that is replayed over time, with a clock that advances only while the program waits.
@Suite struct PacedReplayTests {
  private let home = GeofenceTracks.home()
  private let brief = "--fields at,event,region,status -o tsv --no-header"

  private func play(_ text: String, _ options: String, answers: Server? = nil) -> Home.Outcome {
    home.run("location replay '\(home.folder.write("walk.jsonl", text))' \(brief) \(options)", answers: answers)
  }

  private var waits: [Duration] { home.last?.clock.sleeps ?? [] }

  /// Any two positions are one minute apart.
  @Test(arguments: [("1x", 60_000), ("60x", 1000), ("60", 1000), ("0.5x", 120_000), ("max", nil)] as [(String, Int?)])
  func theSpeedDeterminesTheWaits(speed: String, milliseconds: Int?) {
    let run = play(GeofenceTracks.lines([0, 150, 300]), "--dry-run --speed \(speed)")
    #expect(waits == milliseconds.map { [.milliseconds($0), .milliseconds($0)] } ?? [])
    #expect(
      run.lines == [
        "2026-03-04T17:11:00Z\texit\tout\tnot_sent", "2026-03-04T17:12:00Z\texit\tboth\tnot_sent",
      ])
  }

  /// An event is shown and sent when it happens.
  @Test func eventsAreSentAtOnce() {
    let server = Server().answering(204).answering(204)
    let run = play(GeofenceTracks.lines([0, 150, 300]), "--speed 60x", answers: server)
    #expect(run.lines.map { $0.hasSuffix("\taccepted") } == [true, true])
    #expect(server.requests.count == 2)
  }

  /// A reader of the output need not know the speed.
  @Test(arguments: ["max", "60x"]) func jsonIsOneDocumentAtAnySpeed(speed: String) throws {
    let path = home.folder.write("walk.jsonl", GeofenceTracks.lines([0, 150, 300]))
    let options = "--dry-run --json --fields event,region"
    let expected = "[\n{\"event\":\"exit\",\"region\":\"out\"},\n{\"event\":\"exit\",\"region\":\"both\"}\n]\n"
    #expect(home.run("location replay '\(path)' \(options) --speed \(speed)").output == expected)
    #expect(
      home.run("location replay - \(options)", input: .text(GeofenceTracks.lines([0, 150, 300]))).output == expected)
  }

  @Test func shiftedTimesBeginNowAndKeepTheirIntervals() {
    let now = home.now
    let run = play(GeofenceTracks.lines([0, 150, 300]), "--dry-run --speed 60x --times now")
    let times = [60, 120].map { (now - .seconds(-$0)).rfc3339 }
    #expect(run.lines == ["\(times[0])\texit\tout\tnot_sent", "\(times[1])\texit\tboth\tnot_sent"])
  }

  @Test func aDayLastsTwentyFourMinutesAtSixtyTimes() {
    let text = #"{"lat":0,"lng":0,"time":1772640000}"# + "\n" + #"{"lat":1,"lng":0,"time":1772726400}"# + "\n"
    #expect(play(text, "--dry-run --speed 60x").lines.count == 2)
    #expect(waits == [.seconds(24 * 60)])
  }

  @Test func positionsWithoutTimesAreNotWaitedFor() {
    let now = home.now.rfc3339
    let run = play("{\"lat\":0,\"lng\":0}\n{\"lat\":1,\"lng\":0}\n", "--dry-run --speed 1x")
    #expect(waits == [])
    #expect(run.lines == ["\(now)\texit\tout\tnot_sent", "\(now)\texit\tboth\tnot_sent"])
  }

  /// At any moment of an interruption, the output is a prefix of the complete output.
  @Test func anInterruptionLeavesAPrefixOfTheOutput() {
    let all = play(GeofenceTracks.lines([0, 150, 300, 0]), "--dry-run --speed 60x").lines
    var ends: Set<ExitCode> = []
    for checks in 0..<12 {
      home.prepare = { test in test.interruption.interrupt(afterChecks: checks) }
      let run = play(GeofenceTracks.lines([0, 150, 300, 0]), "--dry-run --speed 60x")
      #expect(run.errors == (run.exit == .success ? "" : "ifttt: interrupted\n"))
      #expect(all.starts(with: run.lines) && (run.exit == .interrupted || run.lines == all), "after \(checks) checks")
      ends.insert(run.exit)
    }
    #expect(ends == [.interrupted, .success])
  }
}
