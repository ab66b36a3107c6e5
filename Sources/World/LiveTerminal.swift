#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Terminal {
  /// What the system says of descriptors 0, 1 and 2. As in ls(1), `COLUMNS` counts only where the terminal does not
  /// know its own width.
  static func live(environment: Variables) -> Terminal {
    let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    return Terminal(
      inputIsTerminal: isatty(STDIN_FILENO) == 1, outputIsTerminal: outputIsTerminal,
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      columns: outputIsTerminal ? width(of: STDOUT_FILENO) ?? declaredWidth(environment) : nil)
  }

  static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static func declaredWidth(_ environment: Variables) -> Int? {
    guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 else { return nil }
    return columns
  }
}
