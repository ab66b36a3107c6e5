import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct ProcessesTests {
    let interruption = TestInterruption()

    /// As in the live world.
    init() { signal(SIGPIPE, SIG_IGN) }

    var processes: LiveProcesses {
      LiveProcesses(interruption: interruption, environment: [:], grace: .milliseconds(50), outputLimit: 1 << 20)
    }

    @Test func inputAndOutputFlowTogether() throws {
      let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
      #expect(try processes.run(["cat"], input: bytes, limit: .hour) == ProcessResult(status: 0, output: bytes))
    }

    @Test(arguments: [("exit 3", 3), ("kill -TERM $$", 128 + SIGTERM)])
    func theStatusTellsHowItEnded(script: String, status: Int32) throws {
      #expect(try processes.run(["sh", "-c", script], input: [], limit: .hour).status == status)
    }

    @Test func aProgramNeedNotReadItsInput() throws {
      let input = [UInt8](repeating: 0, count: 500_000)
      #expect(
        try processes.run(["sh", "-c", "exec <&-; echo done"], input: input, limit: .hour).output
          == Array("done\n".utf8))
    }

    @Test func wordsAreNeverReadByAShell() throws {
      let words = ["$(touch x)", "`id`", ";", "*", "a b", "", "naïve"]
      let result = try processes.run(["printf", "%s\\n"] + words, input: [], limit: .hour)
      #expect(String(decoding: result.output, as: UTF8.self) == words.map { $0 + "\n" }.joined())
    }

    @Test(arguments: [(["no-such-program-here"], ENOENT), ([], EINVAL), (["echo", "a\0b"], EINVAL), (["/"], EACCES)])
    func whatCannotStartSaysWhy(words: [String], number: Int32) {
      #expect { try processes.run(words, input: [], limit: .hour) } throws: { ($0 as? SystemError)?.number == number }
    }

    @Test func aProgramThatOverstaysIsEndedWithItsChildren() throws {
      let folder = TemporaryFolder()
      let script = "trap '' TERM; sleep 1000 & echo $$ $! > '\(folder["ids"])'; while :; do wait; done"
      #expect(throws: SystemError(number: ETIMEDOUT, call: "sh")) {
        try processes.run(["sh", "-c", script], input: [], limit: .milliseconds(500))
      }
      let ids = try #require(folder.text("ids")).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
      #expect(ids.count == 2)
      // A killed process that is not this one's child ends in its own time. One that was let live keeps this waiting.
      for id in ids { while !hasEnded(id) { sched_yield() } }
    }

    @Test func tooMuchOutputEndsIt() {
      #expect(throws: SystemError(number: EFBIG, call: "cat")) {
        try processes.run(["cat", "/dev/zero"], input: [], limit: .hour)
      }
    }

    @Test func aChildLeftBehindDoesNotKeepTheCallerWaiting() throws {
      let result = try processes.run(["sh", "-c", "sleep 1000 & echo $!"], input: [], limit: .hour)
      #expect(result.status == 0)
      let left = try #require(pid_t(String(decoding: result.output, as: UTF8.self).dropLast()))
      #expect(kill(left, SIGKILL) == 0)
    }

    @Test func anInterruptionEndsIt() {
      interruption.interrupt()
      #expect(throws: SystemError(number: EINTR, call: "sleep")) {
        try processes.run(["sleep", "1000"], input: [], limit: .hour)
      }
    }

    @Test func ctrlCInTheMiddleEndsTheProgramToo() throws {
      let probe = try Probe(["run", "sh", "-c", "echo $$ >&2; exec sleep 1000"])
      let id = try #require(pid_t(probe.read(until: "\n", from: probe.errors).dropLast()))
      kill(probe.id, SIGINT)
      #expect(probe.wait() == 1)
      #expect(hasEnded(id))
    }

    @Test func aProgramDoesNotInheritWhatThisOneIgnores() throws {
      let probe = try Probe(["run", "sh", "-c", "yes | head -n 1 >/dev/null; kill -PIPE $$"])
      #expect(probe.readToEnd() == "status \(128 + SIGPIPE)\n")
    }

    /// A grandchild whose parent died may wait for a while as a zombie of the system's.
    private func hasEnded(_ id: pid_t) -> Bool {
      guard kill(id, 0) == 0 else { return true }
      guard let status = try? LiveFiles(interruption: interruption).read("/proc/\(id)/stat", limit: 4096) else {
        return true
      }
      return String(decoding: status, as: UTF8.self).contains(") Z ")
    }
  }
}

extension Duration {
  static let hour = Duration.seconds(3600)
}
