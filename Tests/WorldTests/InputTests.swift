import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct InputTests {
    @Test(arguments: [
      ("", []), ("one", ["one"]), ("one\n", ["one"]), ("one\n\ntwo\n", ["one", "", "two"]),
      ("dos\r\nend\r", ["dos", "end"]),
      ("naïve 日本\n", ["naïve 日本"]), ("\u{fffd}\n", ["\u{fffd}"]),
    ])
    func readLineStripsLineEndings(text: String, lines: [String]) throws {
      let input = LiveInput(descriptor: pipe(holding: Array(text.utf8)), interruption: TestInterruption())
      var read: [String] = []
      while let line = try input.readLine() { read.append(line) }
      #expect(read == lines)
    }

    @Test func readsManyLinesInOrder() throws {
      let probe = pipe(holding: Array((0..<9000).map { "\($0)\n" }.joined().utf8))
      let input = LiveInput(descriptor: probe, interruption: TestInterruption())
      for number in 0..<9000 { #expect(try input.readLine() == "\(number)") }
      #expect(try input.readLine() == nil)
    }

    @Test func readAllReturnsTheRestAfterALine() throws {
      let input = LiveInput(
        descriptor: pipe(holding: Array("first\nthe rest\n".utf8)), interruption: TestInterruption())
      #expect(try input.readLine() == "first")
      #expect(try input.readAll(limit: 100) == Array("the rest\n".utf8))
      #expect(try input.readAll(limit: 100) == [])
    }

    @Test func readSomeReturnsAvailableBytes() throws {
      let input = LiveInput(descriptor: pipe(holding: Array("line\nrest".utf8)), interruption: TestInterruption())
      #expect(try input.readLine() == "line")
      #expect(try input.readSome() == Array("rest".utf8))
      #expect(try input.readSome() == [])
    }

    @Test func readAllAcceptsUpToTheLimit() throws {
      let interruption = TestInterruption()
      #expect(
        try LiveInput(descriptor: pipe(holding: [1, 2, 3]), interruption: interruption).readAll(limit: 3) == [1, 2, 3])
      #expect(throws: InputError.tooLong(limit: 2)) {
        try LiveInput(descriptor: pipe(holding: [1, 2, 3]), interruption: interruption).readAll(limit: 2)
      }
    }

    @Test func rejectsALineThatIsNotUTF8() {
      let input = LiveInput(descriptor: pipe(holding: [0x61, 0xff, 0x0a]), interruption: TestInterruption())
      #expect(throws: InputError.notUTF8) { try input.readLine() }
    }

    @Test func rejectsALineBeyondTheLimit() throws {
      let zero = open("/dev/zero", O_RDONLY | O_CLOEXEC)
      defer { close(zero) }
      let input = LiveInput(descriptor: zero, interruption: TestInterruption())
      #expect(throws: InputError.tooLong(limit: LiveInput.lineLimit)) { try input.readLine() }
    }

    @Test func reportsAFolderAsInput() {
      let folder = open("/", O_RDONLY | O_CLOEXEC)
      defer { close(folder) }
      let input = LiveInput(descriptor: folder, interruption: TestInterruption())
      #expect(throws: InputError.system(SystemError(number: EISDIR, call: "read"))) { try input.readAll(limit: 10) }
    }

    @Test func interruptEndsARead() {
      let interruption = TestInterruption()
      let (silent, writer) = Probe.pipe()
      defer { [silent, writer].forEach { close($0) } }
      interruption.interrupt()
      let input = LiveInput(descriptor: silent, interruption: interruption)
      #expect(throws: InputError.interrupted) { try input.readLine() }
      #expect(throws: InputError.interrupted) { try input.readAll(limit: 10) }
    }

    @Test(arguments: [["line"], ["all", "10"]])
    func ctrlCEndsARead(words: [String]) throws {
      let probe = try Probe(onTerminal: ["ready"] + words)
      // Earlier, Ctrl-C could reach the shell, or be lost between the shell's fork and the probe's start.
      probe.read(until: "ready\r\n")
      probe.type("\u{3}")
      probe.read(until: "status 130")
    }

    @Test func readsAPipeToItsEnd() throws {
      let probe = try Probe(["all", "100000"])
      probe.type(String(repeating: "x", count: 5000))
      probe.type(String(repeating: "y", count: 5000))
      probe.endInput()
      #expect(probe.readToEnd() == "10000 bytes\n")
      #expect(probe.wait() == 0)
    }

    private func pipe(holding bytes: [UInt8]) -> Int32 {
      let (reader, writer) = Probe.pipe()
      #expect(write(writer, bytes, bytes.count) == bytes.count)
      close(writer)
      return reader
    }
  }
}
