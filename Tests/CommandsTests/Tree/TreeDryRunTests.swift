import CommandLine
import Foundation
import HTTP
import ProgramDriver
import Sandbox
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// `--dry-run` of every command changes nothing at IFTTT, in the store or in files, and starts no program.
///
/// The test's world fails the test if a browser or another program is started, or a prompt is shown.
@Suite struct TreeDryRunTests {
  /// Command lines beyond the pages' examples.
  private static let more = [
    "connections open Kd7Rn2Qx", "connections open Kd7Rn2Qx --edit",
    "connections activate Ud6Jn1Gs --email kai@mail.test",
    "connections activate Ud6Jn1Gs --email kai@mail.test --skip-config --as service",
    "connections activate Ud6Jn1Gs --redirect-uri lampost://done --finish lampost://done?next_step=complete",
    "connections activate Xe2Gf9Ln --email kai@mail.test", "applets activate vL2sJy9D --service lampost",
    "configure Ud6Jn1Gs --skip --email kai@mail.test", "configure --skip", "configure --no-skip", "configure Kd7Rn2Qx",
    "configure Kd7Rn2Qx --remove-feature mw4tq9hzjc", "configure Kd7Rn2Qx --set mw4tq9hzjc.scene=Evening --max-age 0",
    "connections enable Xe2Gf9Ln", "connections enable --all", "connections disable --status enabled --max-age 0",
    "connections disable Hx5Qm9Jd", "connections undo", "connections remove --all", "connections list --max-age 0",
    "connections list --refresh", "connections list --users users.csv", "connections show Nb3Fw7Ls",
    "connections add Nb3Fw7Ls", "connections watch",
    "connections run Kd7Rn2Qx tidebook.add_entry --max-age 0",
    "token exchange --user-id u-5521 --access-token-file at.txt",
    "token set --user-id new --user-token-file key.txt", "token remove u-5521", "token remove --all", "token list",
    "location events list",
    "profile list", "profile show", "profile use sandbox", "profile remove staging", "profile create other --service x",
    "plugin remove hello", "plugin unlink feeds", "plugin index remove local", "plugin trust remove acme", "store info",
    "store check", "doctor --fix", "doctor",
    "api POST /v2/connections/Kd7Rn2Qx/disable", "api GET /v2/me", "location events clear", "location events flush",
    "location report d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54 enter --force",
    "location replay walk.gpx --max-age 0 --remember",
    "location regions --max-age 0", "location map --max-age 0 --output-file map.html", "sandbox start",
    "applets disable mB3xWq7T --service lampost",
  ]

  /// Commands that only print pages, commands that need a running server, and the one that only prompts, whose dry run
  /// `InitTests` has.
  private static let others: Set = [
    "init",
    "completion", "help", "man", "schema", "version", "sandbox env", "sandbox requests", "sandbox faults list",
    "sandbox activity", "sandbox users", "sandbox seed",
  ]

  /// Commands that fail in a dry run too: fields that requests do not have, a name that is in use, and never-enabled
  /// connections among many, and webhooks that were never received.
  private static let failing: Set = [
    "connections list --fields id,name -o tsv", "connections show Kd7Rn2Qx --json --fields id,status",
    "profile create staging --service-key-file key.txt --use", "connections enable --all",
    "service events show 1 --json", "service events show 1 --raw", "plugin install tides --yes",
    "plugin install tides@1.2.0 --yes", "plugin upgrade tides@1.2.0 --yes", "plugin rollback tides --yes",
    "plugin index remove local", "plugin trust remove acme",
    "service events replay 1 --forward http://localhost:3000",
    "service events replay 4 5 --forward https://api.example.com --json",
  ]

  private static let commands = CommandPosition(root: Root.tree.ownSchema).subtree.filter {
    $0.command.subcommands.isEmpty
  }
  private static let lines =
    commands.filter { !others.contains(name($0)) }.flatMap(\.command.examples).map(\.arguments) + more

  private static func name(_ position: CommandPosition) -> String { position.path.joined(separator: " ") }

  @Test func everyCommandIsTested() {
    let names = Self.commands.map(Self.name).filter { !Self.others.contains($0) }
    #expect(names.filter { name in !Self.lines.contains { $0 == name || $0.hasPrefix(name + " ") } } == [])
  }

  /// Runs with the emulator inside the program, and with it as IFTTT behind a network.
  @Test(arguments: ["sandbox", "default"]) func aDryRunChangesNothing(profile: String) throws {
    let machine = try Machine(profile: profile)
    for line in Self.lines {
      let before = machine.files
      let run = machine.dryRun(line)
      #expect(machine.changes == [], "\(line) sent that")
      machine.changes = []
      #expect(machine.files == before, "\(line) changed \(machine.differences(from: before))")
      #expect((run.code == .success) != Self.failing.contains(line), "\(line): \(run.errors)")
    }
  }

  /// Before the first change there are no files, and none are created.
  @Test func aFirstDryRunCreatesNoFiles() throws {
    let machine = try Machine(profile: "sandbox", isPrepared: false)
    for line in Self.lines {
      let before = machine.files
      machine.dryRun(line)
      #expect(machine.files == before, "\(line) made \(machine.differences(from: before))")
    }
  }

  /// A user's machine on which every command has something to do.
  private final class Machine {
    let folder = TemporaryFolder()
    let profile: String
    /// Requests of a dry run that could change something.
    var changes: [String] = []
    private var emulator = Emulator(state: .seed)
    private var isDry = false
    private var seed: UInt64 = 0
    private var now = Timestamp(milliseconds: 1_772_601_007_250)

    init(profile: String, isPrepared: Bool = true) throws {
      self.profile = profile
      folder.write("walk.gpx", try Checkout.text("Examples/location/walk.gpx"))
      folder.write("connections.json", try Checkout.text("Examples/connections.json"))
      folder.write("users.csv", "user_id,access_token\nu-5521,\(SandboxFixtures.accessToken)\n")
      for number in 1...2 { folder.write("shard-\(number).json", SampleSummary.text(ofShard: number, of: 2)) }
      folder.write("key.txt", "a-service-key-for-an-example\n")
      folder.write("acme.pub", SamplePublicKey.text)
      folder.write("service.json", try Checkout.text("Examples/service/definition.json"))
      folder.write("at.txt", "\(SandboxFixtures.accessToken)\n")
      folder.write("command.key", String(repeating: "0123456789abcdef", count: 4))
      for (name, source) in [("ifttt-hello", "ifttt-hello"), ("ifttt-feeds", "feeds")] {
        try FileManager.default.createDirectory(
          atPath: folder[name], withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for file in ["plugin.json", name] + (source == "feeds" ? ["ifttt_plugin.py"] : []) {
          folder.write(
            "\(name)/\(file)", try Checkout.text("Examples/plugins/\(source)/\(file)"),
            mode: file == name ? 0o700 : 0o600)
        }
      }
      guard isPrepared else { return }
      for line in [
        "token exchange --user-id u-5521", "connections add \(SandboxFixtures.connectionIDs.joined(separator: " "))",
        "connections list", "connections disable Wd5Po8Rk", "connections disable Fq3Lw8Zt", "connections undo",
        "location on Kd7Rn2Qx", "privacy on",
        "location report d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54 exit --offline", "profile create staging --service x",
        "store backup before.db --with-key before.key", "plugin install ./ifttt-hello --yes",
        "plugin link ./ifttt-feeds --yes",
      ] {
        let run = run(line)
        try #require(run.code == .success || line.contains("--offline"), "\(line): \(run.errors)")
      }
    }

    struct Run {
      let code: ExitCode
      let errors: String
    }

    @discardableResult
    func dryRun(_ line: String) -> Run {
      isDry = true
      defer { isDry = false }
      return run(line)
    }

    private func run(_ line: String) -> Run {
      seed += 1
      now = now - .seconds(-1)
      // There are no programs, so a dry run that needs one fails.
      var environment = [
        "IFTTT_PROFILE": profile, "IFTTT_ACCESS_TOKEN": SandboxFixtures.accessToken, "PATH": folder["bin"],
      ]
      if profile != "sandbox" {
        environment["IFTTT_SERVICE_KEY"] = SandboxFixtures.serviceKey
        environment["IFTTT_USER_ID"] = SandboxFixtures.userID
        environment["IFTTT_INVITE_CODE"] = SandboxFixtures.inviteCode
        environment["IFTTT_WEBHOOKS_KEY"] = SandboxFixtures.webhooksKey
      }
      let readsInput = line.hasSuffix(" -") || line.contains("--stdin") || line.contains("-file -")
      let input =
        line.contains("location") ? #"{"lat":38.7369,"lng":-9.1427}"# : line.contains("-file -") ? "x" : "Fq3Lw8Zt"
      let world = TestWorld(
        environment: environment, now: now, input: readsInput ? .text(input + "\n") : nil,
        terminal: isDry && !readsInput ? .interactive() : .none, folder: folder, seed: seed)
      world.processes.again = isDry ? nil : .success(())
      // The interpreter of a plugin is only searched.
      world.files.elsewhere = { path in
        if path != "/usr/bin/env" { Issue.record("\(line): \(path)") }
        return SystemError(number: ENOENT, call: "open \(path)")
      }
      var given = world.world
      given.workingFolder = folder.path
      // Relative paths resolve against the test's folder, not a process's working folder.
      let words = (ShellWords.split(line) ?? []).map { word in
        if word.text.hasPrefix("./") { return RawArgument(folder[String(word.text.dropFirst(2))]) }
        let isFile = folder.names.contains(word.text) || word.text.hasPrefix("before.")
        return isFile ? RawArgument(folder[word.text]) : word
      }
      let code = Program.run((isDry ? [RawArgument("--dry-run")] : []) + words, world: given) { _ in
        EmulatedNetwork { [self] request in
          if isDry, request.method != .get, request.method != .head {
            changes.append("\(request.method.rawValue) \(request.url.redacted)")
          }
          return emulator.response(to: request, at: now)
        }
      }
      _ = world.output.text
      return Run(code: code, errors: world.errors.text)
    }

    /// Every file except SQLite's auxiliary files, by name.
    var files: [String: Data] {
      var files: [String: Data] = [:]
      for name in folder.names where !name.hasSuffix("-wal") && !name.hasSuffix("-shm") {
        files[name] = FileManager.default.contents(atPath: folder[name]) ?? Data()
      }
      return files
    }

    func differences(from before: [String: Data]) -> [String] {
      let now = files
      return Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }.sorted()
    }
  }
}

/// A network with the emulator as its server.
private final class EmulatedNetwork: Transport {
  private let answer: (Request) -> Response
  private var ended: [HTTP.TransportResult] = []

  init(_ answer: @escaping (Request) -> Response) { self.answer = answer }

  func start(_ request: Request, as ticket: Int, limit: Duration) {
    ended.append(TransportResult(ticket: ticket, result: .success(answer(request))))
  }

  func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [HTTP.TransportResult] {
    defer { ended = [] }
    return ended
  }

  func cancel(_ ticket: Int) { ended.removeAll { $0.ticket == ticket } }
}
