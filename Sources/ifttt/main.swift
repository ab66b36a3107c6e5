import Arguments
import CommandContext
import Commands
import HTTP
import SocketListener
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

ProcessMemory.hide()
CrashReport.install(program: "ifttt \(version)")
let status = Program.run(
  ProcessArguments.raw().dropFirst().map { Word(bytes: $0) }, world: .live(),
  transport: { CurlTransport(world: $0, version: version) }, listener: { SocketListener() })
exit(status.rawValue)
