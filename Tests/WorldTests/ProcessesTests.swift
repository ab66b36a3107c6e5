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

    /// Ignores SIGPIPE, as the live world does.
    init() { signal(SIGPIPE, SIG_IGN) }

    var processes: LiveProcesses {
      LiveProcesses(interruption: interruption, environment: [:], grace: .milliseconds(50), outputLimit: 1 << 20)
    }

    @Test func inputAndOutputAreConcurrent() throws {
      let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
      #expect(try processes.run(["cat"], input: bytes, limit: .hour) == ProcessResult(status: 0, output: bytes))
    }

    @Test(arguments: [("exit 3", 3), ("kill -TERM $$", 128 + SIGTERM)])
    func reportsTheExitStatusOrSignal(script: String, status: Int32) throws {
      #expect(try processes.run(["sh", "-c", script], input: [], limit: .hour).status == status)
    }

    @Test func toleratesAProgramThatIgnoresItsInput() throws {
      let input = [UInt8](repeating: 0, count: 500_000)
      #expect(
        try processes.run(["sh", "-c", "exec <&-; echo done"], input: input, limit: .hour).output
          == Array("done\n".utf8))
    }

    @Test func argumentsAreNeverParsedByAShell() throws {
      let words = ["$(touch x)", "`id`", ";", "*", "a b", "", "naïve"]
      let result = try processes.run(["printf", "%s\\n"] + words, input: [], limit: .hour)
      #expect(String(decoding: result.output, as: UTF8.self) == words.map { $0 + "\n" }.joined())
    }

    @Test(arguments: [(["no-such-program-here"], ENOENT), ([], EINVAL), (["echo", "a\0b"], EINVAL), (["/"], EACCES)])
    func failedStartReportsTheReason(words: [String], number: Int32) {
      #expect { try processes.run(words, input: [], limit: .hour) } throws: { ($0 as? SystemError)?.number == number }
    }

    @Test func timeoutEndsTheProgramAndItsChildren() throws {
      let folder = TemporaryFolder()
      let script = "trap '' TERM; sleep 1000 & echo $$ $! > '\(folder["ids"])'; while :; do wait; done"
      #expect(throws: SystemError(number: ETIMEDOUT, call: "sh")) {
        try processes.run(["sh", "-c", script], input: [], limit: .milliseconds(500))
      }
      let ids = try #require(folder.text("ids")).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
      #expect(ids.count == 2)
      // A killed process that is not a child of this one ends asynchronously. If one was not killed, this loop never
      // ends.
      for id in ids { waitUntil(hasEnded(id)) }
    }

    @Test func tooMuchOutputEndsTheProgram() {
      #expect(throws: SystemError(number: EFBIG, call: "cat")) {
        try processes.run(["cat", "/dev/zero"], input: [], limit: .hour)
      }
    }

    @Test func remainingChildDoesNotDelayTheCaller() throws {
      let result = try processes.run(["sh", "-c", "sleep 1000 & echo $!"], input: [], limit: .hour)
      #expect(result.status == 0)
      let left = try #require(pid_t(String(decoding: result.output, as: UTF8.self).dropLast()))
      #expect(kill(left, SIGKILL) == 0)
    }

    @Test func interruptEndsTheProgram() {
      interruption.interrupt()
      #expect(throws: SystemError(number: EINTR, call: "sleep")) {
        try processes.run(["sleep", "1000"], input: [], limit: .hour)
      }
    }

    @Test func ctrlCAlsoEndsTheRunningProgram() throws {
      let probe = try Probe(["run", "sh", "-c", "echo $$ >&2; exec sleep 1000"])
      let id = try #require(pid_t(probe.read(until: "\n", from: probe.errors).dropLast()))
      kill(probe.id, SIGINT)
      #expect(probe.wait() == 1)
      #expect(hasEnded(id))
    }

    @Test func programDoesNotInheritIgnoredSignals() throws {
      let probe = try Probe(["run", "sh", "-c", "yes | head -n 1 >/dev/null; kill -PIPE $$"])
      #expect(probe.readToEnd() == "status \(128 + SIGPIPE)\n")
    }

    private static let variables: Environment = [
      "PATH": "/usr/bin:/bin", "LC_TIME": "C", "XDG_RUNTIME_DIR": "/run/x", "DISPLAY": ":0", "GNUPGHOME": "/g",
      "PASSWORD_STORE_DIR": "/p", "DBUS_SESSION_BUS_ADDRESS": "unix:", "WAYLAND_DISPLAY": "w", "LD_PRELOAD": "",
      "TAR_OPTIONS": "--verbose", "IFTTT_SERVICE_KEY": "k", "IFTTT_USER_TOKEN": "t", "IFTTT_STORE_PASSPHRASE_FILE": "f",
      "AWS_SECRET_ACCESS_KEY": "s",
    ]

    @Test(
      arguments: [
        (.basic, []), (.desktop, ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"]),
        (
          .keys,
          [
            "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "GNUPGHOME", "PASSWORD_STORE_DIR", "WAYLAND_DISPLAY",
            "XDG_RUNTIME_DIR",
          ]
        ),
      ] as [(EnvironmentFilter, [String])])
    func programSeesTheFilteredEnvironment(_ kind: EnvironmentFilter, _ names: [String]) throws {
      let processes = LiveProcesses(interruption: interruption, environment: Self.variables)
      let output = try processes.run(["env"], input: [], limit: .hour, seeing: kind).output
      let seen = String(decoding: output, as: UTF8.self).split(separator: "\n").map { String($0.prefix { $0 != "=" }) }
      #expect(seen.sorted() == (names + ["LC_TIME", "PATH"]).sorted())
    }

    @Test func filterAppliesToTheProcessEnvironment() throws {
      setenv("IFTTT_TEST_OF_CREDENTIALS", "leaked", 1)
      setenv("XDG_TEST_OF_VARIABLES", "a=b", 1)
      let processes = LiveProcesses(interruption: interruption, environment: .live)
      func seen(_ kind: EnvironmentFilter) throws -> [Substring] {
        String(decoding: try processes.run(["env"], input: [], limit: .hour, seeing: kind).output, as: UTF8.self)
          .split(separator: "\n")
      }
      #expect(try seen(.desktop).contains("XDG_TEST_OF_VARIABLES=a=b"))
      #expect(try !seen(.keys).contains { $0.hasPrefix("IFTTT_") })
      #expect(try seen(.all).contains("IFTTT_TEST_OF_CREDENTIALS=leaked"))
      #expect(
        try processes.run(["env"], input: [], limit: .hour).output
          == processes.run(["env"], input: [], limit: .hour, seeing: .basic).output)
    }

    @Test func onlyTheUsersCommandInheritsDescriptors() throws {
      let leak = fcntl(STDERR_FILENO, F_DUPFD, 100)
      defer { close(leak) }
      let script = "{ true >&\(leak); } 2>/dev/null && echo open; true"
      func output(_ kind: EnvironmentFilter) throws -> [UInt8] {
        // Some shells only support descriptors of one digit.
        try processes.run(["bash", "-c", script], input: [], limit: .hour, seeing: kind).output
      }
      #expect(try output(.basic).isEmpty && output(.keys).isEmpty)
      #expect(try output(.all) == Array("open\n".utf8))
    }

    /// Returns whether the process has ended. A grandchild whose parent died may remain a zombie for a while.
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
