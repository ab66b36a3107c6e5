#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A child process that leads its own process group and that this process reaps.
struct Child {
  let id: pid_t

  /// Returns the exit status, or 128 + the signal number; nil while the child is running. Do not call it again after
  /// it has returned a status.
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

  /// Sends SIGTERM to the whole group, waits up to `grace`, sends SIGKILL to whatever remains and reaps the child.
  func end(grace: Duration, clock: LiveClock) {
    kill(-id, SIGTERM)
    let deadline = clock.monotonic() + grace
    var pause = Backoff()
    while !hasEnded, clock.monotonic() < deadline { Readiness.wait(for: [], atMost: pause.next()) }
    kill(-id, SIGKILL)
    _ = reap(blocking: true)
  }

  /// Whether the child has exited. Does not reap it, so its process and group ids cannot be reused yet.
  var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_signo != 0
  }
}

/// Increasing pauses for polling.
struct Backoff {
  private var pause = Duration.milliseconds(1)

  mutating func next() -> Duration {
    defer { pause = min(pause * 2, .milliseconds(50)) }
    return pause
  }
}
