import Arguments
import Commands
import HTTP
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let code = Program.run(CommandLineWords.raw().dropFirst().map { Word(bytes: $0) }, world: .live()) { world in
  CurlTransport(world: world, version: version)
}
exit(code.rawValue)
