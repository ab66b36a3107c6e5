import Support

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Probe {
  static func pipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      _ = Glibc.pipe(&ends)
    #else
      _ = Darwin.pipe(&ends)
    #endif
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  static func start(
    _ words: [String], environment: [String], newSession: Bool, streams: (inout FileActions) -> Void
  ) throws -> Int32 {
    // Without this, Swift's runtime reports SIGQUIT on a terminal as a crash.
    let coverage = getenv("LLVM_PROFILE_FILE").map { ["LLVM_PROFILE_FILE=" + String(cString: $0)] } ?? []
    let base = ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"] + coverage
    return try spawn(
      words.map { Array($0.utf8) }, variables: base + environment, newSession: newSession, streams: streams)
  }
}

func readByte(_ descriptor: Int32, _ byte: inout UInt8) -> Bool {
  while true {
    let count = read(descriptor, &byte, 1)
    if count == 1 { return true }
    // The controlling side of a terminal returns EIO once no process has it open.
    if count == 0 || errno != EINTR { return false }
  }
}
