#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A started process that leads its own group and is waited for.
struct Child {
  let id: pid_t

  /// The exit status, or 128 + the signal's number; nil while it runs. After a status it must not be asked again.
  func reap(blocking: Bool = false) -> Int32? {
    var status: Int32 = 0
    while true {
      let ended = waitpid(id, &status, blocking ? 0 : WNOHANG)
      if ended == id { break }
      if ended == -1 && errno == EINTR { continue }
      return nil
    }
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }

  /// Asks the whole group to end, gives it `grace`, ends what is left of it, and reaps the child.
  func end(grace: Duration, clock: LiveClock) {
    kill(-id, SIGTERM)
    let deadline = clock.monotonic() + grace
    var pause = Backoff()
    while !hasEnded, clock.monotonic() < deadline { Readiness.wait(for: [], atMost: pause.next()) }
    kill(-id, SIGKILL)
    _ = reap(blocking: true)
  }

  /// Does not reap: until then nothing else can get the same process or group id.
  var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_signo != 0
  }
}

/// Growing pauses for what can only be asked again and again.
struct Backoff {
  private var pause = Duration.milliseconds(1)

  mutating func next() -> Duration {
    defer { pause = min(pause * 2, .milliseconds(50)) }
    return pause
  }
}
