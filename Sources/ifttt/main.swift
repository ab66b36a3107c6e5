import CommandLine
import Commands
import HTTP
import Session
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

ProcessMemory.hide()
CrashReport.install(program: "ifttt \(programVersion)")
let status = Program.run(
  ProcessArguments.raw().dropFirst().map { RawArgument(bytes: $0) }, world: .live(),
  transport: { CurlTransport(world: $0, version: programVersion) }, listener: { SocketListener() })
exit(status.rawValue)
