import Foundation
import Support
import Testing

/// The built program with Debian's gpsd, which receives recorded data.
@Suite struct GPSDProgramTests {
  static let program = Tool("gpsd") ?? Tool(path: "/usr/sbin/gpsd")

  /// A u-blox MAX-M8Q that was carried around for a minute.
  private static let track = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../LocationTests/Tracks/gpsd/ublox-8.log").standardized.path

  /// Regions along its track, a few meters wide.
  private static let circles = [
    "44.0689283,-121.3142958,1.5", "44.0689717,-121.3143388,3", "44.0690012,-121.314347,3", "44.0690043,-121.3143287,3",
  ]

  private let server: LocationServer
  private let home: Home

  init() throws {
    server = try LocationServer(circles: Self.circles)
    home = Home(nil, server.environment)
    home.environment["IFTTT_USER_TOKEN"] = "a-token-of-the-tests-0123456789"
    #expect(try home.run("connections", "add", "gg").status == 0)
    #expect(try home.run("location", "on", "gg").status == 0)
  }

  /// The file, and gpsd with its own parser, lead to the same events at the same times, and all of them arrive.
  @Test(.enabled(if: program != nil, "skipped: needs gpsd"))
  func aReceiverAndItsRecordingGiveTheSameEvents() throws {
    let brief = ["--max-age", "7d", "--fields", "at,event,region", "-o", "tsv", "--no-header"]
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/gpsd.py").path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let gpsd = try Running(
      Python.command(script, [Self.track]), environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    defer {
      gpsd.endInput()
      gpsd.wait()
    }
    let port = try #require(Int(gpsd.read(until: "\n").dropLast()))
    let recorded = try home.run(["location", "replay", Self.track, "--dry-run"] + brief)
    #expect(recorded.status == 0)
    #expect(recorded.text.split(separator: "\n").count == 8)
    let live = try home.run(["location", "replay", "--gpsd", "127.0.0.1:\(port)"] + brief)
    #expect(live.text == recorded.text)
    #expect(live.status == 5 && live.errors.contains("gpsd closed the connection"), "\(live.errors)")
    let arrived = try server.batches().flatMap { $0 }
    #expect(
      arrived.map { "\($0.occurred_at)\t\($0.event_type)\t\($0.trigger_subscription_id)\n" }.joined() == recorded.text)
    #expect(try home.run("location", "events", "--json").text == "[]\n")
  }
}
