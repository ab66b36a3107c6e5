#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The terminal state of the standard streams.
package struct Terminal: Sendable, Equatable {
  package var inputIsTerminal: Bool
  package var outputIsTerminal: Bool
  package var errorIsTerminal: Bool
  /// The width of the output terminal in columns; nil if stdout is not a terminal.
  package var columns: Int?
  package init(inputIsTerminal: Bool, outputIsTerminal: Bool, errorIsTerminal: Bool, columns: Int?) {
    self.inputIsTerminal = inputIsTerminal
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    self.columns = columns
  }
}

/// The size of a terminal in characters. Each dimension is at least 1.
package struct ScreenSize: Sendable, Equatable {
  package var columns: Int
  package var rows: Int
  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// A stream that the program writes to.
package enum StandardStream: Sendable { case output, errors }

extension Terminal {
  /// Returns the terminal state of descriptors 0, 1 and 2. As in ls(1), `COLUMNS` is used only if the terminal does
  /// not report its width.
  static func live(environment: Environment) -> Terminal {
    let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    return Terminal(
      inputIsTerminal: isatty(STDIN_FILENO) == 1, outputIsTerminal: outputIsTerminal,
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      columns: outputIsTerminal ? ScreenSize.live(.output)?.columns ?? declaredWidth(environment) : nil)
  }

  private static func declaredWidth(_ environment: Environment) -> Int? {
    guard let columns = environment[.columns].flatMap({ Int($0) }), columns > 0 else { return nil }
    return columns
  }
}

extension ScreenSize {
  /// The size of the terminal behind a stream; nil if the stream is not a terminal or does not report its width.
  static func live(_ stream: StandardStream) -> ScreenSize? {
    var size = winsize()
    let descriptor = stream == .output ? STDOUT_FILENO : STDERR_FILENO
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    // If the terminal reports only its width, assume the traditional 24 rows.
    return ScreenSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}
