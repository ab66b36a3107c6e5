import Arguments
import CommandContext
import Commands
import HTTP
import NIOListener
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

ProcessMemory.hide()
let code = Program.run(
  ProcessArguments.raw().dropFirst().map { Word(bytes: $0) }, world: .live(),
  transport: { CurlTransport(world: $0, version: version) }, listener: { SwiftNIOListener() })
exit(code.rawValue)
