import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct StartAgainTests {
    /// The new instance runs this program, leads its own session, and holds no descriptor open that a caller could
    /// wait for.
    @Test func startsADetachedInstance() throws {
      let folder = TemporaryFolder()
      mkfifo(folder["report"], 0o600)
      // The shell passes descriptors on without FD_CLOEXEC.
      let probe = try Probe(
        ["again", folder["report"]], wrapper: ["/bin/sh", "-c", #"exec "$@" 9>&1 7</dev/null"#, "sh"])
      #expect(probe.wait() == 0)
      #expect(probe.readToEnd() == "", "no process holds its output open")
      #expect(probe.readToEnd(probe.errors) == "")
      let report = try LiveFiles(interruption: TestInterruption()).read(folder["report"], limit: 1000)
      #expect(String(decoding: report, as: UTF8.self) == "3 null null null [] true")
    }
  }
}
