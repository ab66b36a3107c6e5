#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Edits lines that are typed character by character, as a terminal does, and of any length.
struct LineEditor {
  /// What has come whole: lines with their ends.
  private(set) var lines: [UInt8] = []
  /// Whether Ctrl-D was typed where no line is begun.
  private(set) var hasEnded = false
  private var line: [UInt8] = []

  /// - Returns: what the terminal is to show of it.
  mutating func take(_ bytes: [UInt8]) -> [UInt8] {
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

  /// The whole of what came, once.
  mutating func takeLines() -> [UInt8] {
    defer { lines = [] }
    return lines
  }

  /// A line without an end, as where the input ends in it.
  private mutating func finish() { (lines, line) = (lines + line, []) }

  private mutating func erase() -> [UInt8] {
    guard let last = line.popLast() else { return [] }
    // The rest of a character of several bytes.
    if last & 0xc0 == 0x80 { while let byte = line.popLast(), byte & 0xc0 == 0x80 {} }
    return Array("\u{8} \u{8}".utf8)
  }
}

extension LineEditor {
  /// Whether this process may change the terminal: in the background it would be stopped for trying.
  static func areTyped(on terminal: Int32) -> Bool { isatty(terminal) == 1 && tcgetpgrp(terminal) == getpgrp() }
}
