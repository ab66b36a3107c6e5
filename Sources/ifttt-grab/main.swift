import PluginProtocol

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The server takes standard input over; this end of the same pipe tells a running call that the program said something.
let arrivals = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
PluginServer(GrabProvider(arrivals: arrivals)).run()
