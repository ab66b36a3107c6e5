import Arguments
import CommandContext
import Commands
import HTTP
import SocketListener
import World

/// Runs the program with the effects of the system, and returns its exit code.
func start() -> Int32 {
  ProcessMemory.hide()
  return Program.run(
    ProcessArguments.raw().dropFirst().map { Word(bytes: $0) }, world: .live(),
    transport: { CurlTransport(world: $0, version: version) }, listener: { SocketListener() }
  ).rawValue
}
