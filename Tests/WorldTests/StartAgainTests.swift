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
    /// It is this program, leads a session of its own, and holds nothing open that a caller could be waiting for.
    @Test func itIsLeftToItself() throws {
      let folder = TemporaryFolder()
      mkfifo(folder["told"], 0o600)
      // Without FD_CLOEXEC, as a shell hands descriptors on.
      let probe = try Probe(
        ["again", folder["told"]], wrapper: ["/bin/sh", "-c", #"exec "$@" 9>&1 7</dev/null"#, "sh"])
      #expect(probe.wait() == 0)
      #expect(probe.readToEnd() == "", "nobody holds its output any more")
      #expect(probe.readToEnd(probe.errors) == "")
      let told = try LiveFiles(interruption: TestInterruption()).read(folder["told"], limit: 1000)
      #expect(String(decoding: told, as: UTF8.self) == "3 null null null [] true")
    }
  }
}
