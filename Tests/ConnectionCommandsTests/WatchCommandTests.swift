import CommandLine
import Commands
import HTTP
import JSON
import ProgramDriver
import Session
import Support
import Testing
import World

/// `connections watch --exec`: one command per change. Its output is printed unchanged, and its failure does not end
/// the watch.
@Suite struct WatchCommandTests {
  private let folder = TemporaryFolder()

  private struct Outcome {
    var world: TestWorld
    var exit: ExitCode
  }

  /// Runs against the sandbox, with the output of each command given by `program`.
  private func run(
    _ line: String, _ program: @escaping ([String], [UInt8]) throws(SystemError) -> ProcessResult
  ) -> Outcome {
    let world = TestWorld(
      environment: ["IFTTT_PROFILE": "sandbox"], now: Timestamp(milliseconds: 1_790_000_000_000), folder: folder,
      seed: 1, programs: program)
    let exit = Program.run(ShellWords.split(line) ?? [], world: world.world) { OfflineTransport(world: $0) }
    return Outcome(world: world, exit: exit)
  }

  private func named(_ words: [String], _ input: [UInt8]) -> String {
    (try? JSONValue(parsing: input.dropLast()))?["id"]?.string ?? "?"
  }

  @Test func runsTheCommandOncePerChange() {
    let outcome = run(
      "connections watch Kd7Rn2Qx Xe2Gf9Ln --initial --timeout 0 --exec notify -- --now '' -- x"
    ) { words, input in
      ProcessResult(status: 0, output: Array("told \(named(words, input))\n".utf8))
    }
    #expect(outcome.exit == .success)
    #expect(outcome.world.output.text == "told Kd7Rn2Qx\ntold Xe2Gf9Ln\n")
    #expect(outcome.world.errors.text == "")
    #expect(
      outcome.world.processes.runs.map(\.arguments) == Array(repeating: ["notify", "--now", "", "--", "x"], count: 2))
    #expect(outcome.world.processes.runs.allSatisfy { $0.input.last == UInt8(ascii: "\n") })
  }

  @Test func aFailedCommandIsNotedAndTheWatchContinues() {
    var count = 0
    let outcome = run("connections watch Kd7Rn2Qx Xe2Gf9Ln --initial --timeout 0 --exec notify") {
      (_, _) throws(SystemError) -> ProcessResult in
      count += 1
      if count == 2 { throw SystemError(number: 2, call: "notify") }
      return ProcessResult(status: 3, output: Array("half".utf8))
    }
    #expect(outcome.exit == .success)
    #expect(outcome.world.output.text == "half")
    #expect(
      outcome.world.errors.text == """
        notify for connection 'Kd7Rn2Qx' (present) exited with status 3
        notify for connection 'Xe2Gf9Ln' (present): notify: No such file or directory

        """)
  }

  @Test func ctrlCDuringACommandEndsTheWatch() {
    var world: TestWorld?
    let made = TestWorld(
      environment: ["IFTTT_PROFILE": "sandbox"], now: Timestamp(milliseconds: 1_790_000_000_000), folder: folder,
      seed: 1
    ) { (_, _) throws(SystemError) -> ProcessResult in
      world?.interruption.interrupt()
      throw SystemError(number: 4, call: "notify")
    }
    world = made
    let words = ShellWords.split("connections watch Kd7Rn2Qx Xe2Gf9Ln --initial --exec notify") ?? []
    #expect(Program.run(words, world: made.world) { OfflineTransport(world: $0) } == .interrupted)
    #expect(made.processes.runs.count == 1)
    #expect(made.errors.text == "ifttt: interrupted\n")
  }

  @Test(arguments: [
    ("--exec 'echo hi'", "--exec echo -- hi"), ("--exec ' echo '", "--exec echo"),
    ("--exec -- ./hook", "--exec ./hook -- ARG"), ("--exec 'FOLDER/hook --now'", "--exec FOLDER/hook -- --now"),
  ])
  func aWholeCommandLineIsRejectedAtTheStart(option: String, advice: String) {
    let option = option.replacing("FOLDER", with: folder.path)
    let outcome = run("connections watch Kd7Rn2Qx --initial --timeout 0 \(option)") { _, _ in
      ProcessResult(status: 0, output: [])
    }
    #expect(outcome.exit == .usage)
    #expect(
      outcome.world.errors.text.contains(advice.replacing("FOLDER", with: folder.path)),
      "\(outcome.world.errors.text)")
    #expect(outcome.world.processes.runs.isEmpty && outcome.world.output.text == "")
  }

  @Test func acceptsAPathWithSpaces() {
    let path = folder.write("my hook", "")
    let outcome = run("connections watch Kd7Rn2Qx --initial --timeout 0 --exec '\(path)'") { _, _ in
      ProcessResult(status: 0, output: [])
    }
    #expect(outcome.exit == .success && outcome.world.processes.runs.map(\.arguments) == [[path]])
  }

  @Test func argumentsAfterDashesAreIDsWithoutExec() {
    let outcome = run("connections watch --initial --timeout 0 -o csv --fields id --no-header -- Kd7Rn2Qx") { _, _ in
      ProcessResult(status: 0, output: [])
    }
    #expect(outcome.world.output.text == "Kd7Rn2Qx\n")
  }
}
