import CPseudoTerminal
import Support

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A running probe program whose standard streams are connected to the test.
final class Probe {
  let id: pid_t
  /// The descriptors for writing to the probe's stdin and for reading its stdout and stderr. With a terminal, all
  /// three are the same.
  private(set) var input: Int32
  let output: Int32
  let errors: Int32

  /// Starts a probe with pipes.
  /// - Parameters:
  ///   - wrapper: A command that ends by running the arguments that follow it.
  ///   - newSession: Whether to start without a terminal even if the tests have one.
  init(_ words: [String], wrapper: [String] = [], environment: [String] = [], newSession: Bool = false) throws {
    let pipes = (0..<3).map { _ in Probe.pipe() }
    (input, output, errors) = (pipes[0].write, pipes[1].read, pipes[2].read)
    let streams = [pipes[0].read, pipes[1].write, pipes[2].write]
    id = try Probe.start(
      wrapper + [BuiltProduct.path("WorldProbe")] + words, environment: environment, newSession: newSession
    ) { actions in
      for (target, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, stream, Int32(target)) }
    }
    for stream in streams { close(stream) }
  }

  /// Starts a probe on its own pseudo-terminal, `columns` wide. It runs as a job of a shell that outlives the probe,
  /// because the terminal loses its settings with the first process of its session.
  /// - Parameter script: A shell script that starts the probe as `"$@"`.
  init(
    onTerminal words: [String], script: String = #""$@"; echo "status $?""#, columns: UInt16 = 80,
    environment: [String] = []
  ) throws {
    var path = [CChar](repeating: 0, count: 200)
    let terminal = pseudo_terminal_open(&path, UInt(path.count))
    guard terminal >= 0 else { throw ProbeFailure(number: errno) }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    (input, output, errors) = (terminal, terminal, terminal)
    let shell = ["sh", "-c", "set -m; \(script); read end", "sh", BuiltProduct.path("WorldProbe")] + words
    id = try Probe.start(shell, environment: environment, newSession: true) { actions in
      // The first terminal that a session leader opens becomes its controlling terminal, which sends it Ctrl-C.
      for target in Int32(0)...2 { posix_spawn_file_actions_addopen(&actions, target, path, O_RDWR, 0) }
    }
  }

  deinit {
    for descriptor in Set([input, output, errors]) where descriptor >= 0 { close(descriptor) }
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(input, bytes, bytes.count)
  }

  func endInput() {
    close(input)
    input = -1
  }

  func closeOutput() { close(output) }

  /// Whether the terminal echoes its input.
  var echoes: Bool {
    var settings = termios()
    tcgetattr(output, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Reads until `text` or the end, and returns everything that was read.
  @discardableResult
  func read(until text: String, from descriptor: Int32? = nil) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while readByte(descriptor ?? output, &byte) {
      bytes.append(byte)
      if bytes.suffix(text.utf8.count).elementsEqual(text.utf8) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func readToEnd(_ descriptor: Int32? = nil) -> String { read(until: "\u{0}", from: descriptor) }

  /// Waits for the probe to end.
  /// - Returns: The exit status, or the negative signal number.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) == -1 && errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }
}

struct ProbeFailure: Error { var number: Int32 }
