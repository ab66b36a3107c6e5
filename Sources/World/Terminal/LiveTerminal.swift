#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
