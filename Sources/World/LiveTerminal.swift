#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Terminal {
  /// What the system says of descriptors 0, 1 and 2. As in ls(1), `COLUMNS` counts only where the terminal does not
  /// know its own width.
  static func live(environment: Environment) -> Terminal {
    let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    return Terminal(
      inputIsTerminal: isatty(STDIN_FILENO) == 1, outputIsTerminal: outputIsTerminal,
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      columns: outputIsTerminal ? ScreenSize.live(.output)?.columns ?? declaredWidth(environment) : nil)
  }

  private static func declaredWidth(_ environment: Environment) -> Int? {
    guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 else { return nil }
    return columns
  }
}

extension ScreenSize {
  /// What the terminal behind a stream says of itself; nil where it is none, or one that does not know its width.
  static func live(_ stream: World.Stream) -> ScreenSize? {
    var size = winsize()
    let descriptor = stream == .output ? STDOUT_FILENO : STDERR_FILENO
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    // One that knows its width alone is taken for as high as terminals were when they were made of glass.
    return ScreenSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}
