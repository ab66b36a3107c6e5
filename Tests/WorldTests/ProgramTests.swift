import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  /// Programs that exchange messages with this one while they run.
  @Suite struct ProgramTests {
    let interruption = TestInterruption()

    /// Ignores SIGPIPE, as the live world does.
    init() { signal(SIGPIPE, SIG_IGN) }

    private func start(
      _ script: String, environment: [String] = ["PATH=/usr/bin:/bin"]
    ) throws -> any RunningProgram {
      try LiveProcesses(interruption: interruption, environment: [:]).start(
        ProgramStart(path: "/bin/sh", arguments: ["-c", script], environment: environment))
    }

    /// Collects output until another event.
    private func heard(_ program: any RunningProgram) throws -> (output: String, errors: String, last: ProgramEvent) {
      var (output, errors): ([UInt8], [UInt8]) = ([], [])
      while true {
        switch try program.next(atMost: .seconds(3600), noticesInterruption: true) {
        case .output(let bytes): output += bytes
        case .errors(let bytes): errors += bytes
        case .outputEnded: continue
        case let event:
          return (String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self), event)
        }
      }
    }

    /// Returns whether the process has ended. A grandchild whose parent died may remain a zombie for a while.
    private func hasEnded(_ id: pid_t) -> Bool {
      guard kill(id, 0) == 0 else { return true }
      guard let status = try? LiveFiles(interruption: TestInterruption()).read("/proc/\(id)/stat", limit: 4096) else {
        return true
      }
      return String(decoding: status, as: UTF8.self).contains(") Z ")
    }

    @Test func transfersAllThreeStreams() throws {
      let program = try start("while read line; do echo \"<$line>\"; echo \"!$line\" >&2; done; exit 3")
      program.send(Array("one\ntwo\n".utf8))
      program.closeInput()
      let (output, errors, last) = try heard(program)
      #expect(output == "<one>\n<two>\n")
      #expect(errors == "!one\n!two\n")
      #expect(last == .ended(status: 3))
      #expect(!program.leftBehind)
    }

    @Test func transfersAMegabyteInBothDirections() throws {
      let program = try start("cat")
      let bytes = (0..<1_000_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
      program.send(bytes)
      program.closeInput()
      #expect(try heard(program).output == String(decoding: bytes, as: UTF8.self))
    }

    @Test func programSeesOnlyTheGivenVariables() throws {
      setenv("IFTTT_TEST_OF_VARIABLES", "leaked", 1)
      let program = try start("env", environment: ["PATH=/usr/bin:/bin", "SHELF=full"])
      let names = try heard(program).output.split(separator: "\n").map { $0.prefix { $0 != "=" } }
      // The shell sets a few variables itself.
      #expect(Set(names).subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == ["PATH", "SHELF"])
    }

    @Test func inheritsOnlyTheStandardStreams() throws {
      // A descriptor without FD_CLOEXEC, as a careless caller may leave it.
      let leak = open("/dev/null", O_RDONLY)
      defer { close(leak) }
      _ = fcntl(leak, F_SETFD, 0)
      let program = try start(
        "for d in 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 \(leak); do { true <&$d; } 2>/dev/null && echo $d; done; true"
      )
      #expect(try heard(program).output == "")
    }

    @Test func doesNotInheritAHighDescriptor() throws {
      var limit = rlimit()
      getrlimit(fileNumbers, &limit)
      limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 4096))
      setrlimit(fileNumbers, &limit)
      let leak = fcntl(STDERR_FILENO, F_DUPFD, 2345)
      try #require(leak >= 2345)
      defer { close(leak) }
      let program = try start("exec bash -c '{ true >&\(leak); } 2>/dev/null && echo open; echo closed'")
      #expect(try heard(program).output == "closed\n")
    }

    @Test func nextTimesOut() throws {
      let program = try start("sleep 1000")
      #expect(try program.next(atMost: .milliseconds(1), noticesInterruption: true) == .timeUp)
      program.end(grace: .seconds(60))
    }

    @Test func nextNoticesAnInterruptOnRequest() throws {
      let program = try start("cat")
      interruption.interrupt()
      #expect(try program.next(atMost: .seconds(3600), noticesInterruption: true) == .interrupted)
      program.closeInput()
      while try program.next(atMost: .seconds(3600), noticesInterruption: false) != .ended(status: 0) {}
    }

    @Test func startFailsAfterAnInterrupt() {
      interruption.interrupt()
      #expect(throws: SystemError(number: EINTR, call: "/bin/sh")) { try start("true") }
    }

    @Test func endsAndReportsRemainingProcesses() throws {
      let folder = TemporaryFolder()
      let program = try start("sleep 1000 & echo $! > '\(folder["id"])'")
      #expect(try heard(program).last == .ended(status: 0))
      #expect(program.leftBehind)
      let text = try #require(folder.text("id"))
      let id = try #require(pid_t(text.dropLast()))
      waitUntil(hasEnded(id))
    }

    @Test func killsAProgramThatIgnoresSIGTERM() throws {
      let folder = TemporaryFolder()
      let program = try start(
        "trap '' TERM; sleep 1000 & echo $$ $! > '\(folder["ids"])'; echo ready; while :; do wait; done")
      #expect(try program.next(atMost: .seconds(3600), noticesInterruption: true) == .output(Array("ready\n".utf8)))
      program.end(grace: .milliseconds(50))
      let ids = try #require(folder.text("ids")).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
      #expect(ids.count == 2)
      for id in ids { waitUntil(hasEnded(id)) }
    }

    #if os(Linux)
      /// Returns a script that starts a process in its own session, prints its id, waits for a line and runs the
      /// rest.
      private func escaping(_ rest: String) -> String {
        "setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' & read -r line; \(rest)"
      }

      private func number(_ event: ProgramEvent) throws -> pid_t {
        guard case .output(let bytes) = event else { throw ProbeFailure(number: 0) }
        return try #require(pid_t(String(decoding: bytes, as: UTF8.self).filter(\.isNumber)))
      }

      @Test func endsAProcessInAnotherSession() throws {
        let program = try start(escaping("exit 5"))
        let id = try number(try program.next(atMost: .seconds(3600), noticesInterruption: true))
        program.closeInput()
        #expect(try heard(program).last == .ended(status: 5))
        #expect(program.leftBehind)
        #expect(hasEnded(id), "the process has ended by then")
      }

      @Test func endAlsoEndsAProcessInAnotherSession() throws {
        let program = try start(escaping("trap '' TERM; sleep 1000"))
        let id = try number(try program.next(atMost: .seconds(3600), noticesInterruption: true))
        program.end(grace: .milliseconds(10))
        #expect(hasEnded(id))
      }

      @Test func programThatKillsItsSupervisorEnds() throws {
        let program = try start(
          "sleep 1000 >/dev/null 2>&1 & echo $$ $!; read -r line; kill -KILL $PPID; sleep 1000 >/dev/null 2>&1")
        guard case .output(let bytes) = try program.next(atMost: .seconds(3600), noticesInterruption: true) else {
          return #expect(Bool(false))
        }
        let ids = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
        #expect(ids.count == 2)
        program.closeInput()
        #expect(try heard(program).last == .ended(status: 128 + SIGKILL))
        // The rest of its group ends too.
        for id in ids { waitUntil(hasEnded(id)) }
      }

      @Test func endsAProgramThatStopsItsSupervisor() throws {
        let program = try start("kill -STOP $PPID; echo $$; sleep 1000")
        let id = try number(try program.next(atMost: .seconds(3600), noticesInterruption: true))
        program.end(grace: .milliseconds(10))
        #expect(hasEnded(id))
      }

      @Test func killedParentLeavesNoProcesses() throws {
        let probe = try Probe(["start", escaping("sleep 1000")])
        let id = try #require(pid_t(probe.read(until: "\n").filter(\.isNumber)))
        kill(probe.id, SIGKILL)
        #expect(probe.wait() == -SIGKILL)
        waitUntil(hasEnded(id))
      }
    #endif

    @Test func reportsAClosedOutputBeforeTheEnd() throws {
      let program = try start("exec >&-; read line; exit 0")
      #expect(try program.next(atMost: .seconds(3600), noticesInterruption: true) == .outputEnded)
      program.closeInput()
      #expect(try heard(program).last == .ended(status: 0))
    }

    @Test(
      .disabled(
        if: Sanitizer.active == .thread, "skipped: vfork is fork there, and the reason for a failed start is lost"))
    func leavesNoDescriptorOpen() throws {
      func count() -> Int { (0..<256).filter { fcntl($0, F_GETFD) != -1 }.count }
      // The first use of the interruption opens a pipe.
      _ = try heard(start("true"))
      let before = count()
      for _ in 0..<20 { _ = try heard(start("true")) }
      #expect(throws: SystemError.self) {
        _ = try LiveProcesses(interruption: interruption, environment: [:]).start(
          ProgramStart(path: "/no/such/program", environment: []))
      }
      // Other tests open and close descriptors at the same time.
      #expect(count() < before + 20)
    }

    @Test(
      .disabled(
        if: Sanitizer.active == .thread, "skipped: vfork is fork there, and the reason for a failed start is lost"),
      arguments: [("/no/such/program", ENOENT), ("/", EACCES)])
    func failedStartReportsTheReason(path: String, number: Int32) {
      #expect {
        _ = try LiveProcesses(interruption: interruption, environment: [:]).start(
          ProgramStart(path: path, environment: []))
      } throws: { ($0 as? SystemError)?.number == number }
    }
  }
}

#if canImport(Glibc)
  private let fileNumbers = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
#else
  private let fileNumbers = RLIMIT_NOFILE
#endif
