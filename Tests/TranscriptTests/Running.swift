import CPseudoTerminal
import Support

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A running program whose standard streams the test controls.
final class Running {
  let id: pid_t
  /// The descriptors with which the test writes the program's input and reads its two outputs. On a terminal, all
  /// three are the same.
  private(set) var input: Int32
  private(set) var output: Int32
  let errors: Int32
  private var status: Int32?

  /// Start a program with pipes. The first argument is the program's path.
  init(_ words: [String], environment: [String: String]) throws {
    let pipes = try (0..<3).map { _ in try closedOnExecPipe() }
    (input, output, errors) = (pipes[0].write, pipes[1].read, pipes[2].read)
    let streams = [pipes[0].read, pipes[1].write, pipes[2].write]
    id = try spawn(words.map { Array($0.utf8) }, environment: environment, newSession: true) { actions in
      for (target, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, stream, Int32(target)) }
    }
    for stream in streams { close(stream) }
  }

  /// Start a program on a new pseudo-terminal, as a job of a shell that prints `status N` when the program exits. The
  /// shell stays, because a terminal loses its settings when the first process of its session exits.
  init(onTerminal words: [String], environment: [String: String]) throws {
    var path = [CChar](repeating: 0, count: 200)
    let terminal = pseudo_terminal_open(&path, UInt(path.count))
    guard terminal >= 0 else { throw SystemFailure(call: "posix_openpt", number: errno) }
    var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    (input, output, errors) = (terminal, terminal, terminal)
    let shell = ["/bin/sh", "-c", #"set -m; "$@"; echo "status $?"; read end"#, "sh"] + words
    id = try spawn(shell.map { Array($0.utf8) }, environment: environment, newSession: true) { actions in
      // The leader of a session gets the first terminal it opens as its controlling terminal, and receives Ctrl-C
      // from it.
      for target in Int32(0)...2 { posix_spawn_file_actions_addopen(&actions, target, path, O_RDWR, 0) }
    }
  }

  deinit {
    if status == nil {
      Self.kill(id, SIGKILL)
      wait()
    }
    for descriptor in Set([input, output, errors]) where descriptor >= 0 { close(descriptor) }
  }

  func type(_ text: String) {
    // A program that has exited no longer reads, and the test must detect that itself.
    ignoreBrokenPipes()
    let bytes = Array(text.utf8)
    _ = write(input, bytes, bytes.count)
  }

  func endInput() {
    close(input)
    input = -1
  }

  /// Close the output, as `head` does once it has its lines.
  func endOutput() {
    close(output)
    output = -1
  }

  /// Limit the pipe to one page, so that the program waits for its reader as soon as a page is full. Only some
  /// systems support this; elsewhere a pipe holds 16 pages.
  func narrowOutput() {
    #if os(Linux)
      // F_SETPIPE_SZ from linux/fcntl.h, which Swift's C library module does not export.
      _ = fcntl(output, 1031, 4096)
    #endif
  }

  func signal(_ number: Int32) { Self.kill(id, number) }

  /// Whether typed characters are echoed on the terminal.
  var echoes: Bool {
    var settings = termios()
    tcgetattr(output, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Read until `text` arrives or the output ends, and return everything that was read.
  @discardableResult
  func read(until text: String, from descriptor: Int32? = nil) -> String {
    let end = Array(text.utf8)
    var bytes: [UInt8] = []
    var byte: [UInt8] = [0]
    // What follows the text is left for the next call.
    while Self.read(descriptor ?? output, into: &byte) == 1 {
      bytes.append(byte[0])
      if byte[0] == end.last && bytes.suffix(end.count).elementsEqual(end) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func readToEnd(_ descriptor: Int32? = nil) -> String {
    var bytes: [UInt8] = []
    var some = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    repeat {
      count = Self.read(descriptor ?? output, into: &some)
      bytes += some[..<count]
    } while count > 0
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Wait for the program to exit.
  /// - Returns: The exit status, or the negative signal number.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    let ended = exitStatus(of: id)
    status = ended
    return ended
  }

  /// Whether the program is still running.
  var isUnderWay: Bool {
    guard status == nil else { return false }
    var ended: Int32 = 0
    guard waitpid(id, &ended, WNOHANG) == id else { return true }
    status = ended & 0x7f == 0 ? ended >> 8 & 0xff : -(ended & 0x7f)
    return false
  }

  /// Wait for the next bytes, and read as many of them as there are and fit.
  /// - Returns: The number of bytes, or 0 at the end.
  private static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Int {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
      #else
        let count = Darwin.read(descriptor, &bytes, bytes.count)
      #endif
      // The controlling side of a terminal returns EIO once no process has the terminal open.
      if count >= 0 || errno != EINTR { return max(count, 0) }
    }
  }

  private static func kill(_ id: pid_t, _ number: Int32) {
    #if canImport(Glibc)
      _ = Glibc.kill(id, number)
    #else
      _ = Darwin.kill(id, number)
    #endif
  }
}

private func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
