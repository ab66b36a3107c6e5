import Commands
import Support
import Testing
import World

/// Positions from a gpsd, as they come.
@Suite struct GPSDReplayTests {
  private let home = Walks.home()

  private func replay(
    _ pieces: [TestStream.Piece], _ address: String = "localhost", answers: Server? = nil
  ) -> (outcome: Home.Outcome, stream: TestStream) {
    let stream = TestStream(pieces)
    home.prepare = { test in test.connections.answer = { _, _ throws(ConnectionError) in stream } }
    let outcome = home.run(
      "location replay --gpsd \(address) --fields at,event,region,status -o tsv --no-header", answers: answers)
    return (outcome, stream)
  }

  private let greeting = TestStream.Piece.text(
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n")

  private func position(_ metres: Double, _ second: Int, accuracy: Double = 4) -> TestStream.Piece {
    .text(
      #"{"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2026-03-04T17:10:\#(second).000Z","lat":\#(metres / 111_195),"#
        + #""lon":0.0,"eph":\#(accuracy)}"# + "\n")
  }

  @Test func eventsAreReportedAsTheyHappen() {
    let server = Server().answering(204).answering(204)
    let (run, stream) = replay(
      [greeting, position(0, 10), position(150, 20), position(300, 30), .failure(.interrupted)], answers: server)
    #expect(
      run.lines == [
        "2026-03-04T17:10:20Z\texit\tout\taccepted", "2026-03-04T17:10:30Z\texit\tboth\taccepted",
      ])
    #expect(run.exit == .interrupted)
    #expect(server.requests.count == 2, "none waits for the next")
    #expect(String(decoding: stream.written, as: UTF8.self) == "?WATCH={\"enable\":true,\"json\":true};\n")
    #expect(stream.isClosed)
    #expect(home.last?.connections.asked == ["localhost:2947"])
  }

  @Test(arguments: [("example.test:2000", "example.test:2000"), ("[::1]:2001", "::1:2001"), ("[::1]", "::1:2947")])
  func anyHostMayBeNamed(address: String, asked: String) {
    _ = replay([greeting, .failure(.interrupted)], address)
    #expect(home.last?.connections.asked == [asked])
  }

  @Test(arguments: ["", "[::1", "host:", "host:0", "host:65536", ":1", "[::1]x"]) func isNoAddress(address: String) {
    #expect(home.run("location replay --gpsd '\(address)'").exit == .usage)
  }

  @Test func whatIsNoGPSDIsSaid() {
    let (wrong, _) = replay([.text("SSH-2.0-OpenSSH_9.2\r\n")])
    #expect(wrong.exit == .failure)
    #expect(wrong.notes.prefix(2) == ["ifttt: the gpsd cannot be read as a track", "  what answers there is no gpsd"])
    let (ended, _) = replay([greeting, position(0, 10)])
    #expect(ended.exit == .failure && ended.errors.contains("gpsd has closed the connection"))
    home.prepare = { test in
      test.connections.answer = { _, _ throws(ConnectionError) in throw .unknownHost(reason: "no address") }
    }
    let none = home.run("location replay --gpsd nowhere")
    #expect(none.exit == .unavailable && none.notes.first == "ifttt: no gpsd at nowhere, port 2947")
  }
}
