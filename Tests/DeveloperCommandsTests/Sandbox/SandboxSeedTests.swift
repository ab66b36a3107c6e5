import Foundation
import HTTP
import JSON
import Output
import ProgramDriver
import Sandbox
import Session
import Support
import Testing
import Text
import World

@testable import DeveloperCommands

/// The built-in seeds: their selection, and the tables of the default one on a terminal of 80 columns.
@Suite struct SandboxSeedTests {
  let home = Home()

  private func name(_ id: String = "Rw9Ky4Hc") -> String {
    home.sandbox("connections show \(id) --max-age 0 --fields name -o csv --no-header").output
  }

  private static let plain = "Turn on garden lamps\n"
  private static let unusual = "مصابيح الحديقة عند الغروب\n"
  private static let note =
    "Profile 'sandbox' keeps its seed 'plain' until you run 'ifttt --profile sandbox sandbox reset'.\n"

  // MARK: The profile

  @Test func theVariableSelectsTheSeedOfANewProfile() {
    home.environment["IFTTT_SANDBOX_SEED"] = "unusual"
    #expect(name() == Self.unusual && home.sandbox("connections list --max-age 0").errors == "")
    home.environment = [:]
    #expect(name() == Self.unusual, "the state remembers its seed")
  }

  @Test func aProfileKeepsItsSeedUntilItIsReset() {
    #expect(name() == Self.plain)
    home.environment["IFTTT_SANDBOX_SEED"] = "unusual"
    for line in ["connections list", "connections show Rw9Ky4Hc --max-age 0", "connections list --json"] {
      let run = home.sandbox(line)
      #expect(run.exit == .success && run.errors == Self.note, "\(line): \(run.errors)")
    }
    #expect(home.sandbox("connections list --quiet").errors == "" && name() == Self.plain)
    #expect(home.sandbox("sandbox reset").errors == "")
    home.environment = [:]
    #expect(name() == Self.unusual, "also for later commands, without the variable")
    home.sandbox("sandbox reset")
    #expect(name() == Self.plain)
  }

  @Test func anUnknownSeedIsAUsageError() {
    home.environment["IFTTT_SANDBOX_SEED"] = "unusal"
    for line in ["connections list", "sandbox reset"] {
      let run = home.sandbox(line)
      #expect(run.exit == .usage, "\(line)")
      #expect(
        run.errors
          == "ifttt: unknown seed 'unusal' in IFTTT_SANDBOX_SEED\n  Did you mean 'unusual'? Built-in seeds: plain, unusual.\n"
      )
    }
    #expect(home.run("profile list").exit == .success, "other profiles have no seed")
    home.environment["IFTTT_SANDBOX_SEED"] = ""
    #expect(name() == Self.plain)
  }

  // MARK: Commands

  @Test func seedPrintsBuiltInSeeds() throws {
    let seeds = try ["", " --seed plain", " --seed unusual", " --seed UNUSUAL"].map { option in
      try JSONValue(parsing: Array(home.run("sandbox seed\(option)", reveals: true).output.utf8))
    }
    #expect(seeds[0] == seeds[1] && seeds[2] == seeds[3] && seeds[0] != seeds[2])
    #expect(seeds[2].text.contains("夕方") && !seeds[0].text.contains("夕方"))
    let run = home.run("sandbox seed --seed nothing")
    #expect(run.exit == .usage && run.errors.contains("Accepted values: plain, unusual."), "\(run.errors)")
    let both = home.run("sandbox seed --seed plain --definition definition.json")
    #expect(both.exit == .usage && both.errors.contains("--seed cannot be combined with --definition"))
  }

  @Test func startAcceptsANameOrAFile() {
    let served = ServedSandbox()
    func name(_ seed: String) -> String {
      var text = ""
      served.start("sandbox start --json --seed \(seed)") { _ in
        text = served.answer("GET", "/v2/connections/Rw9Ky4Hc").map { String(decoding: $0.body, as: UTF8.self) } ?? ""
      }
      return text
    }
    #expect(name("plain").contains("Turn on garden lamps"))
    #expect(name("unusual").contains("مصابيح") && name("Unusual").contains("مصابيح"))
    let file = served.folder.write("unusual", #"{"format":1}"#)
    #expect(name(file).contains("not_found"), "a path is a file")
  }

  @Test func aSeedThatIsNeitherANameNorAFileIsAUsageError() {
    let served = ServedSandbox()
    let run = served.run("sandbox start --seed unusal")
    #expect(
      run.exit == .usage && run.errors.contains("invalid value 'unusal' for '--seed': no such seed"), "\(run.errors)")
    #expect(run.errors.contains("Did you mean 'unusual'?\nAccepted values: plain, unusual."))
    #expect(served.run("sandbox start --seed \(served.folder["none.json"])").errors.contains("cannot read"))
  }

  /// Scripts that read the object, or its ready file, get nothing else.
  @Test func startNamesTheNextStepOnATerminal() {
    let served = ServedSandbox()
    func notes(_ line: String) -> String {
      served.start(line) { _ in }.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(notes("sandbox start") == "")
    served.terminal = .interactive()
    #expect(
      notes("sandbox start")
        == "In another terminal, use this server and list its Applets: "
        + #"eval "$(ifttt sandbox env)" && ifttt applets fetch Watch it in the browser: ifttt sandbox open Press Ctrl-C to stop the server."#
    )
    #expect(notes("sandbox start --quiet") == "")
    let empty = served.folder.write("empty.json", #"{"format":1}"#)
    #expect(
      notes("sandbox start --seed \(empty)")
        == "Watch it in the browser: ifttt sandbox open Press Ctrl-C to stop the server.")
  }

  // MARK: Tables

  /// The lines of a command on a terminal of 80 columns.
  private func lines(_ line: String) -> [String] {
    home.environment = ["IFTTT_PROFILE": "sandbox", "NO_COLOR": "1"]
    home.terminal = .interactive(columns: 80)
    let run = home.run(line)
    #expect(run.exit == .success && run.lines.count > 1, "\(line): \(run.errors)")
    for line in run.lines { #expect(TextWidth.of(line) <= 80, "\(line)") }
    return run.lines
  }

  @Test(arguments: ["connections list", "applets fetch", "connections history"])
  func tablesFit80Columns(_ line: String) {
    home.environment["IFTTT_PROFILE"] = "sandbox"
    home.run("connections disable Kd7Rn2Qx")
    home.run("connections add Nb3Fw7Ls Hx5Qm9Jd")
    for line in lines(line) { #expect(!line.contains("…"), "\(line)") }
  }

  @Test func theMapShowsAllRegionsInOneCity() throws {
    let walk = try home.folder.write("walk.gpx", Checkout.text("Examples/location/walk.gpx"))
    func map() -> String { home.sandbox("location map \(walk) --format svg").output }
    let plain = map()
    #expect(plain.contains("5 regions") && !plain.contains("Outside the picture"), "\(plain)")
    home.environment["IFTTT_SANDBOX_SEED"] = "unusual"
    home.sandbox("sandbox reset")
    #expect(map().contains("Outside the picture"))
  }

  /// A location event of the default fixtures fires a trigger, and the steps of several services run. Long endpoints
  /// keep their beginning and their end, and a detail may lose its end.
  @Test func theActivityFits80Columns() throws {
    var emulator = Emulator(state: .seed)
    let now = Timestamp(milliseconds: 1_772_601_000_000)
    emulator.startRuntime(at: now)
    let fired = [
      ("d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54", "exit"), ("9b0e4d68-31f7-42ca-a5d8-0c6f27b1e983", "entry"),
    ]
    for (number, (trigger, direction)) in fired.enumerated() {
      let event: JSONValue = [
        "record_id": .string("5A0D3C7E-91B2-4E68-8F14-2C7B6D9E0A3\(number)"), "region_type": "geo",
        "occurred_at": "2026-03-04T17:42:09Z", "event_type": .string(direction), "channel_id": "941030000",
        "trigger_subscription_id": .string(trigger), "installation_id": "b7c1e6f0-4a2d-4d8b-9e53-0f6a7c8d9b21",
      ]
      let headers = [
        Header("Authorization", "Bearer \(SandboxFixtures.userToken)"), Header("Content-Type", "application/json"),
      ]
      let request = try #require(
        Request(
          receivedMethod: "POST", target: "/v1/location_events", headers: headers, body: JSONValue.array([event]).bytes)
      )
      let reply = emulator.respond(to: request, at: now)
      #expect(reply.response?.status == 204)
    }
    let body = Array(#"{"data":[{"id":"run-1"}]}"#.utf8)
    while case let due = emulator.takeRequests(at: now), !due.isEmpty {
      for request in due { _ = emulator.receive(.response(status: 200, body: body), for: request.id, at: now) }
    }
    let rows = emulator.log.all.filter { $0.activity != nil }.map { ActivityRow(shown: ShownEntry($0)).bytes }
    var text: [UInt8] = []
    try Renderer(Presentation(width: 80, isTerminal: true)) { text += $0 }.render(
      Rows(isReiterable: false) { show in for row in rows { try row.withUnsafeBytes(show) } },
      columns: OutputSchema.many(ActivityRow.self).columns)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    for line in lines { #expect(TextWidth.of(line) <= 80, "\(line)") }
    let complete = #/05:10:00Z +[a-z_]+ +[a-z]+ +(Kd7Rn2Qx|Fq3Lw8Zt)  .*/#
    #expect(lines.count > 4 && lines.dropFirst().allSatisfy { $0.wholeMatch(of: complete) != nil }, "\(lines)")
    for step in ["tidebook.list_tides", "tidebook.add_entry", "actions/set_scene"] {
      #expect(lines.contains { $0.contains("  \(step)  ") }, "\(step): \(lines)")
    }
  }

  /// The full id does not fit. It keeps its beginning and its end; everything else is complete.
  @Test func regionsFit80Columns() {
    let lines = lines("location regions")
    #expect(lines.count == 6 && lines.dropFirst().allSatisfy { $0.split(separator: "…").count == 2 }, "\(lines)")
    for label in ["Home", "Front door", "Office"] { #expect(lines.contains { $0.contains("  \(label)  ") }) }
    #expect(lines.dropFirst().allSatisfy { $0.hasSuffix("unset") })
  }
}
