import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// A live source of positions from gpsd.
@Suite struct GPSDReplayTests {
  private let home = GeofenceTracks.home()

  private func replay(
    _ pieces: [TestStream.Piece], _ address: String = "localhost", format: String = "tsv", answers: Server? = nil
  ) -> (outcome: Home.Outcome, stream: TestStream) {
    let stream = TestStream(pieces)
    home.prepare = { test in test.connections.answer = { _, _ throws(ConnectionError) in stream } }
    let outcome = home.run(
      "location replay --gpsd \(address) --fields at,event,region,status -o \(format) --no-header", answers: answers)
    return (outcome, stream)
  }

  private static let greeting = TestStream.Piece.text(
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n")

  private func position(_ meters: Double, _ second: Int, accuracy: Double = 4) -> TestStream.Piece {
    .text(
      #"{"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2026-03-04T17:10:\#(second).000Z","lat":\#(meters / 111_195),"#
        + #""lon":0.0,"eph":\#(accuracy)}"# + "\n")
  }

  @Test func eventsAreReportedAsTheyHappen() {
    let server = Server().answering(204).answering(204)
    let (run, stream) = replay(
      [Self.greeting, position(0, 10), position(150, 20), position(300, 30), .failure(.interrupted)], answers: server)
    #expect(
      run.lines == [
        "2026-03-04T17:10:20Z\texit\tout\taccepted", "2026-03-04T17:10:30Z\texit\tboth\taccepted",
      ])
    #expect(run.exit == .interrupted)
    #expect(server.requests.count == 2, "each event is sent at once")
    #expect(String(decoding: stream.written, as: UTF8.self) == "?WATCH={\"enable\":true,\"json\":true};\n")
    #expect(stream.isClosed)
    #expect(home.last?.connections.asked == ["localhost:2947"])
  }

  @Test(arguments: [("example.test:2000", "example.test:2000"), ("[::1]:2001", "::1:2001"), ("[::1]", "::1:2947")])
  func acceptsHostsAndPorts(address: String, asked: String) {
    _ = replay([Self.greeting, .failure(.interrupted)], address)
    #expect(home.last?.connections.asked == [asked])
  }

  @Test(arguments: [
    "", "[::1", "host:", "host:0", "host:65536", ":1", "[::1]x", "::1", "::1:2947", "host:+5", "host:5x", "[]:5",
    "a b:5", "a\u{1b}:5", String(repeating: "x", count: 254),
  ])
  func rejectsInvalidAddresses(address: String) {
    #expect(home.run("location replay --gpsd '\(address)'").exit == .usage)
  }

  /// The error does not mention files or their formats, and has the documented code for a failed server.
  @Test(arguments: [
    (
      [TestStream.Piece.text("SSH-2.0-OpenSSH_9.2\r\n")], "cannot read from gpsd at localhost, port 2947",
      "bad_response"
    ),
    ([.silence], "cannot read from gpsd at localhost, port 2947", "timeout"),
    ([.text(#"{"class":"VERSION","#), .silence], "cannot read from gpsd at localhost, port 2947", "timeout"),
    (
      [.text(#"{"class":"VERSION","proto_major":2}"# + "\n")], "cannot read from gpsd at localhost, port 2947",
      "bad_response"
    ),
    ([], "cannot read from gpsd at localhost, port 2947", "bad_response"),
    ([Self.greeting], "gpsd closed the connection", "network"),
    (
      [Self.greeting, .text(#"{"class":"ERROR","message":"Unrecognized\u001b[31m"}"# + "\n")],
      "gpsd reported an error", "server_error"
    ),
    (
      [.failure(.system(SystemError(number: 104, call: "read")))], "cannot read from gpsd at localhost, port 2947",
      "network"
    ),
  ])
  func failuresOfGPSDAreReported(pieces: [TestStream.Piece], words: String, code: String) {
    let (run, _) = replay(pieces)
    #expect(run.exit == .unavailable)
    #expect(run.notes.first == "ifttt: \(words)")
    #expect(replay(pieces, format: "json").outcome.errors.contains(#""code":"\#(code)""#))
    #expect(!run.errors.contains("GPX") && !run.errors.contains("\u{1b}"))
  }

  @Test func anUnreachableGPSDIsReported() {
    home.prepare = { test in
      test.connections.answer = { _, _ throws(ConnectionError) in throw .unknownHost(reason: "no address") }
    }
    let none = home.run("location replay --gpsd nowhere")
    #expect(none.exit == .unavailable && none.notes.first == "ifttt: cannot read from gpsd at nowhere, port 2947")
  }

  /// Some receivers report positions before they know the time, and gpsd passes these on.
  @Test func aPositionWithoutATimeDoesNotAffectLaterOnes() {
    let (run, _) = replay(
      [
        Self.greeting, .text(#"{"class":"TPV","device":"/dev/pts/1","mode":3,"lat":0,"lon":0}"# + "\n"),
        position(0, 10),
        position(150, 20), .failure(.interrupted),
      ], answers: Server().answering(204))
    #expect(run.lines == ["2026-03-04T17:10:20Z\texit\tout\taccepted"])
    #expect(!run.errors.contains("skipped"))
  }

  /// A live track ends only by an interruption or a closed connection.
  @Test(arguments: [[], [TestStream.Piece.failure(.interrupted)]]) func skippedPositionsAreCounted(
    end: [TestStream.Piece]
  ) {
    let (run, _) = replay([Self.greeting, position(0, 20), position(0, 10), .text("x\n")] + end)
    #expect(run.exit == (end.isEmpty ? .unavailable : .interrupted))
    #expect(
      run.notes.prefix(2) == [
        "1 position skipped: invalid, the first in line 4: it is not a message from gpsd.",
        "1 position skipped: earlier than the previous one.",
      ])
  }

  /// Neither a recording nor `--offline` allows a connection to gpsd.
  @Test func offlineDoesNotConnectToGPSD() {
    home.prepare = { test in test.connections.answer = nil }
    let run = home.run("location replay --gpsd localhost --offline --dry-run --max-age 7d")
    #expect(run.exit == .unavailable && run.errors.contains("Omit --offline to connect"))
    #expect(home.last?.connections.asked == [])
  }
}
