import CommandLine
import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// The program's side of completion: it responds or prints nothing, exits with 0 and never writes to stderr.
@Suite struct CompletionResponseTests {
  private func answer(
    _ words: [String], environment: [String: String] = [:], in folder: TemporaryFolder?
  ) -> String {
    let world = TestWorld(environment: environment, folder: folder)
    let words = (["__complete"] + words).map { RawArgument($0) }
    #expect(Program.run(words, world: world.world) { _ in NoTransport() } == .success)
    #expect(world.errors.text == "")
    return world.output.text
  }

  private func values(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
  }

  private func connections(_ environment: [String: String] = [:], in folder: TemporaryFolder?) -> [String] {
    values(answer(["connection-id", "--command=", "--", ""], environment: environment, in: folder))
  }

  /// A home in which the sandbox profile tracks its connections.
  private func filledHome() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let world = TestWorld(now: Timestamp(milliseconds: 1_772_601_007_250), folder: folder, seed: 1)
    let words = ["--profile", "sandbox", "connections", "list"].map { RawArgument($0) }
    #expect(Program.run(words, world: world.world) { _ in NoTransport() } == .success)
    return folder
  }

  @Test func theEndpointsOfAServiceComeFromItsDefinition() throws {
    let folder = TemporaryFolder()
    func endpoints(_ file: String?) -> String {
      answer(
        ["service-endpoint", "--command=service call", "--", ""],
        environment: file.map { ["IFTTT_SERVICE_DEFINITION": $0] } ?? [:], in: folder)
    }
    let common = [
      "status", "test/setup", "user/info", "webhooks/connection/enabled", "webhooks/connection/updated",
      "webhooks/connection/disabled", "webhooks/trigger_subscription/fired",
    ]
    #expect(values(endpoints(nil)) == common)
    #expect(values(endpoints(folder["none.json"])) == common)
    #expect(values(endpoints(folder.write("broken.json", "{"))) == common)
    let definition = folder.write("definition.json", try Checkout.text("Examples/service/definition.json"))
    let own = values(endpoints(definition)).filter { !common.contains($0) }
    #expect(
      own == [
        "triggers/lamp_switched_on", "triggers/lamp_switched_on/fields/lamp/options",
        "triggers/lamp_switched_on/fields/lamp/validate", "triggers/any_lamp_switched_on",
        "triggers/lamp_of_room_switched_on", "triggers/lamp_of_room_switched_on/validate",
        "triggers/lamp_of_room_switched_on/fields/room/options",
        "triggers/lamp_of_room_switched_on/fields/lamp/options", "queries/list_lamps",
        "queries/list_lamps/fields/room/options", "actions/set_scene", "actions/set_scene/fields/scene/options",
      ])
    #expect(endpoints(definition).contains("actions/set_scene\tSet a scene\n"))
  }

  @Test func theProfileComesFromTheLineTheEnvironmentOrTheStore() throws {
    let folder = try filledHome()
    func asked(_ profile: String, in environment: [String: String]) -> [String] {
      let question = ["connection-id", "--command=", "--profile=\(profile)", "--", ""]
      return values(answer(question, environment: environment, in: folder))
    }
    #expect(connections(in: folder) == [])
    #expect(connections(["IFTTT_PROFILE": "sandbox"], in: folder).count == 9)
    #expect(connections(["IFTTT_PROFILE": ""], in: folder) == [])
    #expect(asked("sandbox", in: ["IFTTT_PROFILE": "default"]).count == 9)
    #expect(asked("default", in: ["IFTTT_PROFILE": "sandbox"]) == [])
    let world = TestWorld(now: Timestamp(milliseconds: 1_772_601_007_250), folder: folder, seed: 1)
    let words = ["--quiet", "profile", "use", "sandbox"].map { RawArgument($0) }
    #expect(Program.run(words, world: world.world) { _ in NoTransport() } == .success)
    #expect(connections(in: folder).count == 9)
  }

  @Test func manyConnectionsAreFilteredByThePrefix() {
    let home = Home()
    let ids = (1000..<1600).map { "Kd\($0)" }
    #expect(home.run("connections add --offline --quiet \(ids.joined(separator: " "))").exit == .success)
    func offered(_ prefix: String) -> String {
      answer(["connection-id", "--command=connections show", "--", prefix], in: home.folder)
    }
    #expect(values(offered("Kd15")) == (1500..<1600).map { "Kd\($0)" })
    #expect(offered("K") == (0...5).map { "Kd1\($0)\t…\n" }.joined())
  }

  @Test func regionsHaveTheirLabels() throws {
    let question = ["region", "--command=location report", "--profile=sandbox", "--", ""]
    let lines = answer(question, in: try filledHome()).split(separator: "\n")
    #expect(lines.count == 5 && lines.contains("d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54\tHome"), "\(lines)")
    #expect(answer(question, in: TemporaryFolder()) == "")
  }

  /// The kinds that need a connection.
  private static let ofAConnection: [CompletionCandidates] = [
    .setting, .fieldAddress, .feature, .trigger, .query, .action,
  ]

  @Test func fieldsAndStepsBelongToTheConnectionOnTheLine() throws {
    let folder = try filledHome()
    func lines(_ kind: String, _ id: String = "Kd7Rn2Qx") -> [String] {
      let question = [kind, "--command=configure", "--profile=sandbox", "--argument=\(id)", "--", ""]
      return answer(question, in: folder).split(separator: "\n").map(String.init)
    }
    #expect(lines("setting").contains { $0.hasPrefix("mw4tq9hzjc.") && $0.contains("scene=\t") }, "\(lines("setting"))")
    #expect(lines("setting").map { $0.replacing("=", with: "") } == lines("field-address"))
    #expect(lines("action").contains("tidebook.add_entry") && lines("query").contains("tidebook.list_tides"))
    #expect(lines("trigger").contains("location.exit_region_location"), "\(lines("trigger"))")
    #expect(lines("feature").contains { $0.hasPrefix("mw4tq9hzjc") })
    for kind in Self.ofAConnection.map(\.rawValue) {
      #expect(lines(kind, "Nope1234") == [] && lines(kind, "../x") == [])
      #expect(answer([kind, "--command=configure", "--profile=sandbox", "--", ""], in: folder) == "")
    }
  }

  /// Every offered value is accepted.
  @Test func everyOfferedFieldIsAccepted() throws {
    let home = SandboxHome()
    #expect(home.run("connections list").code == .success)
    let question = ["field-address", "--command=configure", "--profile=sandbox", "--argument=Kd7Rn2Qx", "--", ""]
    let fields = values(answer(question, in: home.folder))
    #expect(fields.count > 2)
    for field in fields {
      let run = home.run("connections options Kd7Rn2Qx \(field)")
      #expect(run.code == .success, "\(field): \(run.errors)")
    }
  }

  @Test func aNewSandboxOffersItsConnections() {
    let folder = TemporaryFolder()
    #expect(connections(["IFTTT_PROFILE": "sandbox"], in: folder).count == 9)
    #expect(folder.names == [])
  }

  @Test(arguments: [
    [], ["--"], ["--", "--"], ["--", "--", "--"], ["connection-id"], ["connection-id", "--", ""],
    ["connection-id", "--command=x"], ["--help"],
    ["connection-id", "--command=", "--", "a", "b"], ["nonsense", "--command=", "--", ""], ["--output", "jsn"],
    ["connection-id", "--command=", "--profile=no/name", "--", ""], ["field", "--command=nonsense", "--", ""],
    ["connection-id", "--command=", "--profile=\u{1b}[31m", "--", "\u{0}"],
  ]) func invalidRequestsPrintNothing(words: [String]) throws {
    #expect(answer(words, in: try filledHome()) == "")
  }

  @Test func invalidVariablesAreIgnored() throws {
    let environment = ["IFTTT_OUTPUT": "nonsense", "IFTTT_PROFILE": "no/name", "IFTTT_CONNECT_URL": "nonsense"]
    let folder = try filledHome()
    #expect(connections(environment, in: folder) == [])
    let profiles = answer(["profile", "--command=", "--", ""], environment: environment, in: folder)
    #expect(values(profiles) == ["default", "sandbox"])
  }

  @Test func argumentsThatAreNotUTF8AreIgnored() {
    let world = TestWorld()
    let words = [
      RawArgument("__complete"), RawArgument("profile"), RawArgument("--command="), RawArgument("--"),
      RawArgument(bytes: [0xff, 0xfe]),
    ]
    #expect(Program.run(words, world: world.world) { _ in NoTransport() } == .success)
    #expect(values(world.output.text) == ["default", "sandbox"])
  }

  @Test(arguments: [EPIPE, ENOSPC]) func unwritableOutputIsIgnored(number: Int32) {
    let world = TestWorld()
    world.output.failure = (after: 0, error: SystemError(number: number, call: "write"))
    let words = ["__complete", "profile", "--command=", "--", ""].map { RawArgument($0) }
    #expect(Program.run(words, world: world.world) { _ in NoTransport() } == .success)
    #expect(world.errors.text == "")
  }

  @Test func worksWithoutAnyFolder() {
    for kind in CompletionCandidates.allCases {
      let text = answer([kind.rawValue, "--command=connections list", "--", ""], in: nil)
      #expect(
        text.isEmpty
          == ([.connectionID, .appletID, .region, .tokenUser, .plugin, .pluginIndex] + Self.ofAConnection)
          .contains(kind),
        "\(kind)")
    }
  }

  /// The damage to one of the two files.
  enum Damage: CaseIterable, Sendable {
    case missing, empty, garbage, foreign, newer, cutShort, aFolder, aLink, usedByOthers

    func strike(_ name: String, in folder: TemporaryFolder) throws {
      let path = folder[name]
      let files = FileManager.default
      var bytes = [UInt8](files.contents(atPath: path) ?? Data())
      switch self {
      case .missing: try files.removeItem(atPath: path)
      case .empty: bytes = []
      case .garbage: bytes = Array(repeating: 0x2a, count: 20000)
      // The application id and the schema version (https://sqlite.org/fileformat.html, section 1.3).
      case .foreign: bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
      case .newer: bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
      case .cutShort: bytes = Array(bytes.prefix(bytes.count / 2))
      case .aFolder:
        try files.removeItem(atPath: path)
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .aLink:
        try files.moveItem(atPath: path, toPath: folder["elsewhere"])
        try files.createSymbolicLink(atPath: path, withDestinationPath: folder["elsewhere"])
      case .usedByOthers: try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      }
      switch self {
      case .empty, .garbage, .foreign, .newer, .cutShort: try Data(bytes).write(to: URL(fileURLWithPath: path))
      case .missing, .aFolder, .aLink, .usedByOthers: break
      }
    }
  }

  @Test(arguments: Damage.allCases, ["ifttt.db", "cache.db"])
  func damagedFilesAreIgnoredAndNotChanged(damage: Damage, file: String) throws {
    let folder = try filledHome()
    #expect(connections(["IFTTT_PROFILE": "sandbox"], in: folder).count == 9)
    try damage.strike(file, in: folder)
    let names = folder.names
    // Without the store, the current profile is not known.
    if file == "ifttt.db" {
      #expect(connections(in: folder) == [])
    }
    for kind in CompletionCandidates.allCases {
      _ = answer([kind.rawValue, "--command=connections list", "--profile=sandbox", "--", ""], in: folder)
    }
    let profiles = answer(["profile", "--command=", "--", ""], in: folder)
    #expect(values(profiles) == ["default", "sandbox"])
    // Completion must not repair, move or recreate anything, because the user only pressed TAB.
    #expect(folder.names == names)
  }
}
