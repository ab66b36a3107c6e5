import CommandLine
import Commands
import HTTP
import Session
import World

/// A command line, run without files, network or terminal, ends with a documented exit code. It writes nothing to
/// standard error that a terminal would interpret, and behaves the same when repeated.
///
/// The arguments are separated by NUL, as for `xargs -0`.
enum ArgumentProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map { RawArgument(bytes: $0) }
    let (first, second) = (run(words), run(words))
    guard first == second else { return "the second run has a different result" }
    guard first.code == .usage || first.code == .success || !first.errors.isEmpty else {
      return "it fails without an error message"
    }
    guard first.code != .usage || first.output.isEmpty else { return "a usage error prints a result" }
    for scalar in String(decoding: first.errors, as: UTF8.self).unicodeScalars where scalar != "\n" {
      if scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) {
        return "standard error contains a control character"
      }
    }
    return nil
  }

  private struct RunResult: Equatable {
    var code: ExitCode
    var output: [UInt8]
    var errors: [UInt8]
  }

  private static func run(_ words: [RawArgument]) -> RunResult {
    let (output, errors, nothing) = (KeptBytes(), KeptBytes(), NothingThere())
    let world = World(
      environment: [:], clock: nothing, input: nothing, output: output, errors: errors,
      terminal: Terminal(inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, columns: nil),
      files: nothing, random: nothing, processes: nothing, interruption: nothing)
    let code = Program.run(words, world: world) { OfflineTransport(world: $0) }
    return RunResult(code: code, output: output.bytes, errors: errors.bytes)
  }
}
