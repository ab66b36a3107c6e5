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
    #expect(run.exit == .usage && run.errors.contains("unknown seed 'unusal' in --seed"), "\(run.errors)")
    #expect(run.errors.contains("Did you mean 'unusual'? Built-in seeds: plain, unusual."))
    #expect(served.run("sandbox start --seed \(served.folder["none.json"])").errors.contains("cannot read"))
  }

  // MARK: Tables

  /// The lines of a command on a terminal of 80 columns.
  private func lines(_ line: String) -> [String] {
    home.terminal = .interactive(columns: 80)
    let run = home.sandbox(line)
    #expect(run.exit == .success && run.lines.count > 1, "\(line): \(run.errors)")
    for line in run.lines { #expect(TextWidth.of(line) <= 80, "\(line)") }
    return run.lines
  }

  @Test(arguments: ["connections list", "applets fetch", "connections history"])
  func tablesFit80Columns(_ line: String) {
    home.sandbox("connections disable Kd7Rn2Qx")
    home.sandbox("connections add Nb3Fw7Ls Hx5Qm9Jd")
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

  /// What the default fixtures do as IFTTT: a region fires, and the actions of several services run.
  @Test func theActivityFits80Columns() throws {
    var emulator = Emulator(state: .seed)
    let now = Timestamp(milliseconds: 1_772_601_000_000)
    emulator.startRuntime(ConnectionRuntime.Rules(), secrets: [], at: now)
    for (id, trigger) in [("Kd7Rn2Qx", "exit_region_location"), ("Fq3Lw8Zt", "enter_region_location")] {
      let request = Request(
        receivedMethod: "POST", target: "/v2/connections/\(id)/triggers/location.\(trigger)/test",
        headers: [Header("Authorization", "Bearer \(SandboxFixtures.userToken)")], body: [])
      _ = emulator.respond(to: try #require(request), at: now)
    }
    while case let due = emulator.takeRequests(at: now), !due.isEmpty {
      for request in due { _ = emulator.receive(.data([["id": "run-1"]]), for: request.id, at: now) }
    }
    let rows = emulator.runtime?.activity.all.map(\.bytes) ?? []
    var text: [UInt8] = []
    try Renderer(Presentation(width: 80, isTerminal: true)) { text += $0 }.render(
      Rows(isReiterable: false) { show in for row in rows { try row.withUnsafeBytes(show) } },
      columns: OutputSchema.many(ActivityRecord.self).columns)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.count >= 4 && lines.contains { $0.contains("actions/set_scene") }, "\(lines)")
    for line in lines {
      #expect(TextWidth.of(String(line)) <= 80)
      // The end of a detail may be cut, as in "simulated: a step of another service".
      #expect(!line.contains("…") || line.contains("simulated") && line.hasSuffix("…"), "\(line)")
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
