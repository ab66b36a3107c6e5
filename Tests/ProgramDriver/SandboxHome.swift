import CommandLine
import Commands
package import Session
package import Support
import Testing
package import World

/// Runs of the program on the sandbox profile, in process, with one temporary home.
package final class SandboxHome {
  package struct Run {
    package let code: ExitCode
    package var output: String
    package let errors: String
  }

  package let folder = TemporaryFolder()
  private var seed: UInt64 = 0
  /// March 4, 2026, 05:10:07 UTC, plus one second per run.
  private var now = Timestamp(milliseconds: 1_772_601_007_250)

  package init() {}

  /// - Parameter line: The arguments after the program's name, as typed in a shell.
  package func run(
    _ line: String, input: String? = nil, environment: [String: String] = ["IFTTT_PROFILE": "sandbox"],
    terminal: Terminal = .none
  ) -> Run {
    seed += 1
    now = now - .seconds(-1)
    let world = TestWorld(
      environment: environment, now: now, input: input.map { .text($0) }, terminal: terminal, folder: folder,
      seed: seed)
    let code = Program.run(ShellWords.split(line) ?? [], world: world.world) { _ in NoTransport() }
    return Run(code: code, output: world.output.text, errors: world.errors.text)
  }
}
