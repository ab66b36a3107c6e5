import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct SecretTests {
    @Test func typedSecretIsNotEchoed() throws {
      let probe = try Probe(onTerminal: ["secret"])
      // The probe reports an echo in the prompt: a program may respond as soon as it sees the prompt.
      #expect(probe.read(until: ": ") == "Secret: ")
      probe.type("s3cret\n")
      #expect(probe.read(until: "status 0") == "<s3cret>\r\nstatus 0")
      #expect(probe.echoes)
    }

    @Test func endOfInputIsNotASecret() throws {
      let probe = try Probe(onTerminal: ["secret"])
      waitUntilEchoIsOff(probe)
      probe.type("\u{4}")
      #expect(probe.read(until: "status 0") == "Secret: <nothing>\r\nstatus 0")
      #expect(probe.echoes)
    }

    @Test(arguments: [("\u{3}", "status 130"), ("\u{1c}", "status \(128 + SIGQUIT)")])
    func keyThatEndsTheProgramRestoresTheEcho(key: String, status: String) throws {
      let probe = try Probe(onTerminal: ["secret"])
      waitUntilEchoIsOff(probe)
      probe.type("half a sec\(key)")
      #expect(!holds(probe.read(until: status), "half"))
      #expect(probe.echoes)
    }

    @Test(arguments: ["TERM", "HUP"])
    func signalThatEndsTheProgramRestoresTheEcho(signal: String) throws {
      let probe = try Probe(
        onTerminal: ["secret"],
        script: #""$@" & echo "job $!"; fg; echo "status $?""#)
      probe.read(until: "job ")
      let id = try #require(pid_t(probe.read(until: "\r\n").dropLast()))
      waitUntilEchoIsOff(probe)
      kill(id, signal == "HUP" ? SIGHUP : SIGTERM)
      probe.read(until: "status 130")
      #expect(probe.echoes)
    }

    @Test func terminalEchoesWhileTheProgramIsStopped() throws {
      let probe = try Probe(
        onTerminal: ["secret"], script: #""$@"; echo "stopped"; read go; fg; echo "status $?""#)
      waitUntilEchoIsOff(probe)
      probe.type("half\u{1a}")
      probe.read(until: "stopped")
      #expect(probe.echoes)
      probe.type("\n")
      waitUntilEchoIsOff(probe)
      probe.type("whole\n")
      let rest = probe.read(until: "status 0")
      #expect(holds(rest, "<whole>"))
      #expect(probe.echoes)
    }

    @Test func failsWithoutATerminal() throws {
      let probe = try Probe(["secret"], newSession: true)
      #expect(probe.readToEnd(probe.errors).hasPrefix("system("))
      #expect(probe.wait() == 1)
    }

    @Test func readsFromTheTerminalWhenStdinIsRedirected() throws {
      let probe = try Probe(onTerminal: ["secret"], script: #""$@" </dev/null; echo "status $?""#)
      waitUntilEchoIsOff(probe)
      probe.type("typed\n")
      #expect(probe.read(until: "status 0") == "Secret: <typed>\r\nstatus 0")
    }

    /// Waits until the echo is off.
    private func waitUntilEchoIsOff(_ probe: Probe) { waitUntil(!probe.echoes) }

    private func holds(_ text: String, _ part: String) -> Bool { text.contains(part) }
  }
}
