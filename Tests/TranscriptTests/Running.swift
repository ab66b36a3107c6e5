import CPseudoTerminal
import Support

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program under way, with its standard streams in the test's hands.
final class Running {
  let id: pid_t
  /// Where the test writes what the program reads, and reads what it writes to the other two. On a terminal all
  /// three are the same.
  private(set) var input: Int32
  private(set) var output: Int32
  let errors: Int32
  private var status: Int32?

  /// With pipes. The program's path comes first.
  init(_ words: [String], environment: [String: String]) throws {
    let pipes = try (0..<3).map { _ in try closedOnExecPipe() }
    (input, output, errors) = (pipes[0].write, pipes[1].read, pipes[2].read)
    let streams = [pipes[0].read, pipes[1].write, pipes[2].write]
    id = try spawn(words.map { Array($0.utf8) }, environment: environment, newSession: true) { actions in
      for (target, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, stream, Int32(target)) }
    }
    for stream in streams { close(stream) }
  }

  /// On a pseudo-terminal of its own, as a job of a shell that says `status N` when the program has ended and stays:
  /// a terminal forgets its settings with the first process of its session.
  init(onTerminal words: [String], environment: [String: String]) throws {
    var path = [CChar](repeating: 0, count: 200)
    let terminal = pseudo_terminal_open(&path, UInt(path.count))
    guard terminal >= 0 else { throw SystemFailure(call: "posix_openpt", number: errno) }
    var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    (input, output, errors) = (terminal, terminal, terminal)
    let shell = ["/bin/sh", "-c", #"set -m; "$@"; echo "status $?"; read end"#, "sh"] + words
    id = try spawn(shell.map { Array($0.utf8) }, environment: environment, newSession: true) { actions in
      // The leader of a session gets the first terminal it opens as its own, and Ctrl-C from there.
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
    // Whoever has ended reads nothing more, and that is for the test to find.
    ignoreBrokenPipes()
    let bytes = Array(text.utf8)
    _ = write(input, bytes, bytes.count)
  }

  func endInput() {
    close(input)
    input = -1
  }

  /// As `head` does once it has its lines.
  func endOutput() {
    close(output)
    output = -1
  }

  /// Has the program wait for its reader as soon as a page is full, where the system can do that; a pipe takes 16 of them
  /// elsewhere.
  func narrowOutput() {
    #if os(Linux)
      // F_SETPIPE_SZ of linux/fcntl.h, which Swift's module of the C library leaves out.
      _ = fcntl(output, 1031, 4096)
    #endif
  }

  func signal(_ number: Int32) { Self.kill(id, number) }

  /// Whether what is typed on the terminal is shown.
  var echoes: Bool {
    var settings = termios()
    tcgetattr(output, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Reads until `text` has come, or the end; returns all that came.
  @discardableResult
  func read(until text: String, from descriptor: Int32? = nil) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while Self.readByte(descriptor ?? output, &byte) {
      bytes.append(byte)
      if bytes.suffix(text.utf8.count).elementsEqual(text.utf8) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func readToEnd(_ descriptor: Int32? = nil) -> String { read(until: "\u{0}", from: descriptor) }

  /// Waits for the end.
  /// - Returns: the exit status, or minus the signal's number.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    let ended = ending(of: id)
    status = ended
    return ended
  }

  /// Whether it has not ended yet.
  var isUnderWay: Bool {
    guard status == nil else { return false }
    var ended: Int32 = 0
    guard waitpid(id, &ended, WNOHANG) == id else { return true }
    status = ended & 0x7f == 0 ? ended >> 8 & 0xff : -(ended & 0x7f)
    return false
  }

  private static func readByte(_ descriptor: Int32, _ byte: inout UInt8) -> Bool {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, &byte, 1)
      #else
        let count = Darwin.read(descriptor, &byte, 1)
      #endif
      if count == 1 { return true }
      // The controlling side of a terminal that nobody has open any more answers EIO.
      if count == 0 || errno != EINTR { return false }
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
