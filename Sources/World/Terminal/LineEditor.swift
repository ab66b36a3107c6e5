#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A line editor for input that is typed character by character. It behaves like a terminal's own editor, without its
/// length limit.
struct LineEditor {
  /// The complete lines, with their line endings.
  private(set) var lines: [UInt8] = []
  /// Whether Ctrl-D was typed on an empty line.
  private(set) var hasEnded = false
  private var line: [UInt8] = []

  /// Processes typed bytes.
  /// - Returns: The bytes to echo on the terminal.
  mutating func receive(_ bytes: [UInt8]) -> [UInt8] {
    var echo: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        lines += line + [UInt8(ascii: "\n")]
        line = []
        echo.append(UInt8(ascii: "\n"))
      case 0x08, 0x7f: echo += erase()
      // Ctrl-U.
      case 0x15: while !line.isEmpty { echo += erase() }
      case 0x04: if line.isEmpty { hasEnded = true } else { finish() }
      case 0x20...0x7e, 0x80...:
        line.append(byte)
        echo.append(byte)
      default: break
      }
    }
    return echo
  }

  /// Returns the complete lines and clears them.
  mutating func takeLines() -> [UInt8] {
    defer { lines = [] }
    return lines
  }

  /// Completes the line without a line ending, as at the end of input.
  private mutating func finish() { (lines, line) = (lines + line, []) }

  private mutating func erase() -> [UInt8] {
    guard let last = line.popLast() else { return [] }
    // Remove the remaining bytes of a multibyte character.
    if last & 0xc0 == 0x80 { while let byte = line.popLast(), byte & 0xc0 == 0x80 {} }
    return Array("\u{8} \u{8}".utf8)
  }
}

extension LineEditor {
  /// Whether this process can change the terminal's settings. A background process would be stopped by the attempt.
  static func canEdit(_ terminal: Int32) -> Bool { isatty(terminal) == 1 && tcgetpgrp(terminal) == getpgrp() }
}

/// A terminal mode without echo, or without the terminal's own line editing. Signals that would leave the terminal in
/// this mode are deferred until it ends.
struct NoEchoMode {
  private static let signals = [SIGHUP, SIGQUIT, SIGTSTP]

  /// The descriptor that is readable once a deferred signal has arrived.
  var descriptor: Int32 { pipe.readEnd }

  private let terminal: Int32
  private let settings: termios
  private let pipe: Pipe
  private let previous: [(number: Int32, action: SignalAction)]

  /// Enters the mode. Type-ahead is kept, because a program that controls this one may respond as soon as it sees the
  /// prompt.
  /// - Parameter deliversCharacters: Whether characters are delivered as they are typed, because the system limits the
  ///   lines that it edits itself to 4,095 bytes.
  init(on terminal: Int32, deliversCharacters: Bool = false) throws(InputError) {
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { throw .system(.last("tcgetattr")) }
    guard let pipe = Pipe.make() else { throw .system(.last("pipe")) }
    Descriptor.unblock(pipe.writeEnd)
    deferredSignal.pointee = DeferredSignal(number: 0, writeEnd: pipe.writeEnd)
    (self.terminal, self.settings, self.pipe) = (terminal, settings, pipe)
    previous = Self.signals.filter { !SignalAction.isIgnored($0) }
      .map { ($0, SignalAction.install(deferSignal, for: $0)) }

    settings.c_lflag &= ~tcflag_t(ECHO)
    if deliversCharacters { settings.c_lflag &= ~tcflag_t(ICANON) }
    guard tcsetattr(terminal, TCSANOW, &settings) == 0 else {
      let error = SystemError.last("tcsetattr")
      end()
      throw .system(error)
    }
  }

  /// Restores the terminal settings and the signal handlers.
  /// - Returns: The deferred signal that has yet to take effect, or 0.
  @discardableResult
  func end() -> Int32 {
    var settings = settings
    tcsetattr(terminal, TCSANOW, &settings)
    for (number, action) in previous { action.restore(for: number) }
    var pipe = pipe
    pipe.close()
    return deferredSignal.pointee.number
  }
}

private struct DeferredSignal {
  var number: Int32 = 0
  var writeEnd: Int32 = -1
}

/// The deferred signal, behind a pointer for the same reason as `state` in `Interruption.swift`.
nonisolated(unsafe) private let deferredSignal = {
  let deferredSignal = UnsafeMutablePointer<DeferredSignal>.allocate(capacity: 1)
  deferredSignal.initialize(to: DeferredSignal())
  return deferredSignal
}()

private func deferSignal(_ number: Int32) {
  let saved = errno
  deferredSignal.pointee.number = number
  var byte: UInt8 = 0
  _ = write(deferredSignal.pointee.writeEnd, &byte, 1)
  errno = saved
}
