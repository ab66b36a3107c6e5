import Foundation
import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct OutputTests {
    @Test func closedPipeIsAnErrorRatherThanFatal() throws {
      let probe = try Probe(["write"])
      #expect(probe.read(until: "xxx") == "xxx")
      probe.closeOutput()
      #expect(probe.wait() == 3)
    }

    #if os(Linux)
      @Test func fullDiskIsAnError() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(throws: SystemError(number: ENOSPC, call: "write")) { try DescriptorSink(full).write("text") }
      }
    #endif

    @Test func closedStdoutIsAnErrorAndNotReused() throws {
      let folder = TemporaryFolder()
      let probe = try Probe(["locked", folder["lock"]], wrapper: ["sh", "-c", #"exec "$0" "$@" >&-"#])
      #expect(probe.readToEnd(probe.errors) == "write: \(String(cString: strerror(EBADF)))\n")
      #expect(probe.wait() == 1)
      #expect(folder.text("lock") == "")
    }

    @Test func writesEverythingToANonblockingDescriptor() throws {
      let (reader, writer) = Probe.pipe()
      _ = fcntl(writer, F_SETFL, fcntl(writer, F_GETFL) | O_NONBLOCK)
      let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let received = Received()
      // Use a separate thread, because both sides block.
      let thread = Thread {
        received.bytes = Self.readAll(reader); received.isWhole.signal()
      }
      thread.start()
      try DescriptorSink(writer).write(bytes)
      close(writer)
      received.isWhole.wait()
      #expect(received.bytes == bytes)
      close(reader)
    }

    /// A write of the given size must fit into the pipe without a reader, and leave room for another.
    @Test func twoLongWritesFillAPipe() throws {
      let (reader, writer) = Probe.pipe()
      defer { [reader, writer].forEach { close($0) } }
      let sink = DescriptorSink(writer)
      let size = sink.sizeOfLongWrites()
      #expect(size == sink.sizeOfLongWrites())
      #expect((32 * 1024...128 * 1024).contains(size) && size % 4096 == 0)
      _ = fcntl(writer, F_SETFL, fcntl(writer, F_GETFL) | O_NONBLOCK)
      let bytes = [UInt8](repeating: 1, count: size)
      #expect(write(writer, bytes, size) == size)
      #expect(write(writer, bytes, size) == size)
      #expect(write(writer, bytes, size) == -1)
    }

    @Test func longWritesToAFileAreOf32KiB() {
      let file = open("/dev/null", O_WRONLY | O_CLOEXEC)
      defer { close(file) }
      #expect(DescriptorSink(file).sizeOfLongWrites() == 32 * 1024)
    }

    @Test func emptyWriteDoesNothing() throws {
      try DescriptorSink(-1).write("")
      #expect(throws: SystemError(number: EBADF, call: "write")) { try DescriptorSink(-1).write("a") }
    }

    private final class Received: @unchecked Sendable {
      var bytes: [UInt8] = []
      let isWhole = DispatchSemaphore(value: 0)
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
      return bytes
    }
  }
}
