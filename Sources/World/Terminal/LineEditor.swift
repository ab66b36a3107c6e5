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
  static func areTyped(on terminal: Int32) -> Bool { isatty(terminal) == 1 && tcgetpgrp(terminal) == getpgrp() }
}
