import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  /// Waiting for a line at a terminal together with another event.
  @Suite struct TypedInputTests {
    private func waitUntilEchoIsOff(_ probe: Probe) { waitUntil(!probe.echoes) }

    private func holds(_ text: String, _ part: String) -> Bool { text.contains(part) }

    @Test func longLineIsNotTruncated() throws {
      let probe = try Probe(onTerminal: ["typed"])
      waitUntilEchoIsOff(probe)
      // The system's own line editing stops at 4,095 bytes and would wait forever.
      let address = String(repeating: "x", count: 12_000)
      probe.type(address + "\n")
      #expect(holds(probe.read(until: "status 0"), "<input 12001 xxx"))
      #expect(probe.echoes)
    }

    @Test func typedTextIsEchoedAndCanBeErased() throws {
      let probe = try Probe(onTerminal: ["typed"])
      waitUntilEchoIsOff(probe)
      probe.type("hallo\u{7f}w\n")
      #expect(probe.read(until: "status 0") == "Address: hallo\u{8} \u{8}w\r\n<input 6 hallw>\r\nstatus 0")
    }

    @Test func endOfInputEndsTheWait() throws {
      let probe = try Probe(onTerminal: ["typed"])
      waitUntilEchoIsOff(probe)
      probe.type("\u{4}")
      #expect(holds(probe.read(until: "status 0"), "<input 0 >"))
      #expect(probe.echoes)
    }

    @Test(arguments: [("\u{3}", "status 130"), ("\u{1c}", "status \(128 + SIGQUIT)")])
    func keyThatEndsTheProgramRestoresTheEcho(key: String, status: String) throws {
      let probe = try Probe(onTerminal: ["typed"])
      waitUntilEchoIsOff(probe)
      probe.type("half an addr\(key)")
      probe.read(until: status)
      #expect(probe.echoes)
    }

    @Test func typeAheadDoesNotAnswerAPrompt() throws {
      let probe = try Probe(onTerminal: ["ahead"])
      probe.type("one\ntwo\nthr")
      probe.read(until: "asked")
      probe.type("four\n")
      #expect(holds(probe.read(until: "status 0"), "<four>"))
    }

    @Test func discardTypeAheadKeepsPipedInput() throws {
      let probe = try Probe(["ahead"])
      probe.type("one\ntwo\n")
      #expect(holds(probe.read(until: ">"), "<two>"))
    }

    @Test func waitResumesAfterAStop() throws {
      let probe = try Probe(
        onTerminal: ["typed"], script: #""$@"; echo "stopped"; read go; fg; echo "status $?""#)
      waitUntilEchoIsOff(probe)
      probe.type("half\u{1a}")
      probe.read(until: "stopped")
      #expect(probe.echoes)
      probe.type("\n")
      waitUntilEchoIsOff(probe)
      probe.type(" and whole\n")
      // The terminal may have discarded earlier input together with the key that stopped the program.
      #expect(holds(probe.read(until: "status 0"), " and whole>"))
      #expect(probe.echoes)
    }
  }
}
