import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM])
    func firstSignalEndsOnlyTheSleep(signal: Int32) throws {
      let probe = try Probe(["sleep"])
      #expect(probe.read(until: "\n", from: probe.errors) == "ready\n")
      kill(probe.id, signal)
      #expect(probe.readToEnd() == "interrupted\n")
      #expect(probe.wait() == 0)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func secondSignalEndsTheProgram(second: Int32) throws {
      let probe = try Probe(["stubborn"])
      #expect(probe.read(until: "\n") == "ready\n")
      kill(probe.id, SIGINT)
      #expect(probe.read(until: "\n") == "interrupted\n")
      kill(probe.id, second)
      #expect(probe.wait() == -second)
    }

    @Test func ignoredSignalsStayIgnored() throws {
      let probe = try Probe(["sleep"], wrapper: ["sh", "-c", #"trap "" INT; exec "$0" "$@""#])
      #expect(probe.read(until: "\n", from: probe.errors) == "ready\n")
      kill(probe.id, SIGINT)
      // If SIGINT had counted, this would be the second signal and end the probe.
      kill(probe.id, SIGTERM)
      #expect(probe.readToEnd() == "interrupted\n")
      #expect(probe.wait() == 0)
    }

    @Test func signalsKeepTheirDefaultUntilTheFirstCheck() throws {
      let probe = try Probe(["write"])
      probe.read(until: "x")
      kill(probe.id, SIGINT)
      #expect(probe.wait() == -SIGINT)
    }
  }
}
