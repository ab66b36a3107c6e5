import CommandLine
import Commands
import HTTP
import Session
import Store
import World

/// A folder of `--replay`, whatever its files say. The run uses neither the network nor the user's home, ends with a
/// documented exit code, prints nothing that a terminal would interpret, leaves nothing behind, and does the same when
/// it is repeated. What is read from a recording is written back as the same bytes.
///
/// The files are separated by NUL, which JSON cannot contain: `recording.json`, `store.json`, then the exchanges. The
/// first byte selects the command.
enum ReplayProperties {
  private static let commands = [
    ["connections", "list", "--json"], ["connections", "show", "Kd7Rn2Qx"], ["connections", "list", "--offline"],
    ["connections", "enable", "Kd7Rn2Qx", "--yes"], ["applets", "list", "--json"], ["location", "regions"],
    ["configure", "Kd7Rn2Qx", "--set", "name=x"], ["connections", "export", "--all"], ["token", "list"],
    ["api", "get", "/v2/me"], ["connections", "button", "Kd7Rn2Qx", "--format", "svg"], ["doctor"],
  ]

  static func problem(in bytes: [UInt8]) -> String? {
    guard let first = bytes.first else { return nil }
    let files = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    if let problem = runProblem(files[0]) ?? snapshotProblem(files.count > 1 ? files[1] : []) { return problem }
    let folder = FuzzFolder("replay")
    folder.makeFolder("recording")
    folder.makeFolder("home")
    folder.makeFolder("tmp")
    folder.write(files[0], to: "recording/recording.json")
    if files.count > 1, !files[1].isEmpty { folder.write(files[1], to: "recording/store.json") }
    for (index, file) in files.dropFirst(2).enumerated() {
      let number = String(index + 1)
      folder.write(file, to: "recording/\(String(repeating: "0", count: max(0, 4 - number.count)))\(number).json")
    }
    let command = commands[Int(first) % commands.count]
    let (one, other) = (run(command, folder), run(command, folder))
    guard one == other else { return "the second replay differs" }
    guard !one.usedNetwork else { return "a replay used the network" }
    guard folder.names(in: "tmp").isEmpty else { return "a replay leaves \(folder.names(in: "tmp"))" }
    guard folder.names(in: "home").isEmpty else { return "a replay writes to the home" }
    guard !one.errors.hasControls(except: ["\n"]) else { return "standard error contains a control character" }
    return one.code != .success && one.errors.isEmpty ? "it fails without an error message" : nil
  }

  private struct RunResult: Equatable {
    var code: ExitCode
    var output: [UInt8]
    var errors: [UInt8]
    var usedNetwork: Bool
  }

  private static func run(_ command: [String], _ folder: FuzzFolder) -> RunResult {
    let (output, errors) = (KeptBytes(), KeptBytes())
    var world = World.fixed(clock: FuzzClock(), output: output, errors: errors)
    world.environment = ["IFTTT_HOME": folder["home"], "TMPDIR": folder["tmp"]]
    var usedNetwork = false
    let words = (["--replay", folder["recording"]] + command).map { RawArgument(bytes: Array($0.utf8)) }
    let code = Program.run(words, world: world) { world in
      usedNetwork = true
      return OfflineTransport(world: world)
    }
    return RunResult(code: code, output: output.bytes, errors: errors.bytes, usedNetwork: usedNetwork)
  }

  private static func runProblem(_ bytes: [UInt8]) -> String? {
    guard let run = try? RecordedRun(parsing: bytes, from: "x") else { return nil }
    guard let again = try? RecordedRun(parsing: run.bytes, from: "x") else { return "a run that cannot be read again" }
    return again.bytes == run.bytes ? nil : "a run that changes"
  }

  private static func snapshotProblem(_ bytes: [UInt8]) -> String? {
    guard let snapshot = StoreSnapshot(parsing: bytes) else { return nil }
    var mask = ExchangeRedactor()
    let written = snapshot.bytes(&mask)
    guard let again = StoreSnapshot(parsing: written) else { return "a snapshot that cannot be read again" }
    return again.bytes(&mask) == written ? nil : "a snapshot that changes"
  }
}
