import Foundation
import Support
import Testing

/// The strict location API of `Servers/locating.py`, as a process that runs until the object is released.
final class LocationServer {
  struct Event: Decodable, Hashable {
    var record_id: String
    var trigger_subscription_id: String
    var event_type: String
    var occurred_at: String
    var installation_id: String
  }

  private struct Line: Decodable {
    var wrong: [String]
    var body: String
  }

  private let folder = TemporaryFolder()
  private let running: Running
  private let port: Int

  /// - Parameters:
  ///   - delay: The delay between receiving events and responding.
  ///   - circles: The geofences as `LATITUDE,LONGITUDE,METRES`; empty for the default one.
  init(answer status: Int = 204, delay: Double = 0, circles: [String] = []) throws {
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/locating.py").path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let options = ["--answer", "\(status)", "--delay", "\(delay)"] + (circles.isEmpty ? [] : ["--circles"] + circles)
    running = try Running(
      Python.command(script, [folder["log"]] + options), environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    port = try #require(Int(running.read(until: "\n").dropLast()))
  }

  deinit {
    running.endInput()
    running.wait()
  }

  var environment: [String: String] {
    let base = "http://127.0.0.1:\(port)"
    return ["IFTTT_LOCATION_URL": base, "IFTTT_CONNECT_URL": base]
  }

  /// A home whose user tracks the connection `gg` and has consented to its location reports.
  func homeWithConsent() throws -> Home {
    let home = Home(nil, environment)
    home.environment["IFTTT_USER_TOKEN"] = "a-token-of-the-tests-0123456789"
    #expect(try home.run("connections", "add", "gg").status == 0)
    #expect(try home.run("location", "on", "gg").status == 0)
    return home
  }

  /// A line of a track with a position inside or outside the default geofence.
  static func line(_ minute: Int, isInside: Bool) -> String {
    #"{"lat":\#(isInside ? 38.7369 : 39),"lng":-9.1427,"time":\#(1_772_640_000 + minute * 60)}"# + "\n"
  }

  /// The events of each request, in order of arrival. Any invalid event fails the test.
  func batches() throws -> [[Event]] {
    try (folder.text("log") ?? "").split(separator: "\n").map { line in
      let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
      #expect(line.wrong == [])
      return try JSONDecoder().decode([Event].self, from: Data(line.body.utf8))
    }
  }
}
