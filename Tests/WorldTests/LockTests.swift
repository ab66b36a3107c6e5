import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct LockTests {
    let folder = TemporaryFolder()
    let files = LiveFiles(interruption: TestInterruption())

    @Test func waitsForAnotherProcess() throws {
      let first = try Probe(["locked", folder["lock"]])
      #expect(first.read(until: "\n") == "locked\n")
      let second = try Probe(["locked", folder["lock"]])
      #expect(isHeld)
      first.endInput()
      #expect(first.wait() == 0)
      #expect(second.read(until: "\n") == "locked\n")
      second.endInput()
      #expect(second.wait() == 0)
      #expect(!isHeld)
    }

    @Test func lockIsHeldUntilReleased() throws {
      let lock = try #require(try files.lock(folder["lock"]))
      #expect(try files.lock(folder["lock"]) == nil)
      lock.release()
      lock.release()
      let again = try files.lock(folder["lock"])
      #expect(again != nil)
      // A lock is also released when its last reference is.
      do { _ = try files.lock(folder["other"]) }
      #expect(try files.lock(folder["other"]) != nil)
    }

    @Test func lockIsNilWhileAnotherProcessHoldsIt() throws {
      let holder = try Probe(["locked", folder["lock"]])
      #expect(holder.read(until: "\n") == "locked\n")
      #expect(try files.lock(folder["lock"]) == nil)
      holder.endInput()
      #expect(holder.wait() == 0)
      #expect(try files.lock(folder["lock"]) != nil)
    }

    @Test func lockIsReleasedWhenItsHolderIsKilled() throws {
      let holder = try Probe(["locked", folder["lock"]])
      #expect(holder.read(until: "\n") == "locked\n")
      kill(holder.id, SIGKILL)
      #expect(holder.wait() == -SIGKILL)
      #expect(try files.locked(folder["lock"]) { isHeld })
      #expect(!isHeld)
    }

    @Test func lockedAtOnceReturnsNilWhileHeld() throws {
      let holder = try Probe(["locked", folder["lock"]])
      #expect(holder.read(until: "\n") == "locked\n")
      #expect(try files.lockedAtOnce(folder["lock"]) { true } == nil)
      kill(holder.id, SIGKILL)
      #expect(holder.wait() == -SIGKILL)
      #expect(try files.lockedAtOnce(folder["lock"]) { isHeld } == true)
      #expect(!isHeld)
    }

    @Test func concurrentUpdatesAreNotLost() throws {
      folder.write("count", "0")
      let probes = try (0..<4).map { _ in try Probe(["count", folder["count"]]) }
      for probe in probes { #expect(probe.wait() == 0) }
      #expect(folder.text("count") == "200")
    }

    @Test func lockFileIsPrivateAndNotALink() throws {
      try files.locked(folder["lock"]) {}
      #expect(try files.status(folder["lock"]).mode == 0o600)
      symlink("lock", folder["link"])
      #expect(throws: SystemError(number: ELOOP, call: "open \(folder["link"])")) {
        try files.locked(folder["link"]) {}
      }
    }

    @Test func rethrowsTheBodysErrorAndReleasesTheLock() {
      struct Failure: Error {}
      #expect(throws: Failure.self) { try files.locked(folder["lock"]) { throw Failure() } }
      #expect(!isHeld)
    }

    @Test func interruptEndsTheWait() throws {
      let holder = try Probe(["locked", folder["lock"]])
      #expect(holder.read(until: "\n") == "locked\n")
      let interruption = TestInterruption()
      interruption.interrupt()
      #expect(throws: SystemError(number: EINTR, call: "flock \(folder["lock"])")) {
        try LiveFiles(interruption: interruption).locked(folder["lock"]) {}
      }
    }

    /// Whether another process holds the lock now.
    private var isHeld: Bool {
      let descriptor = open(folder["lock"], O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
  }
}
