import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that replaces this process.
package struct ReplacementProgram: Sendable, Equatable {
  package var path: String
  /// The arguments, starting with the program name. They may not be valid UTF-8.
  package var arguments: [[UInt8]]
  /// All environment variables, as `NAME=value`. No variable of this process is passed on.
  package var environment: [String]
  /// The files that it may open; nil for no limit.
  package var confinement: Confinement?

  package init(path: String, arguments: [[UInt8]], environment: [String], confinement: Confinement? = nil) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
    self.confinement = confinement
  }

  /// Executes the program. Returns only by throwing.
  func start() throws(SystemError) {
    var words = arguments.map(cString) + [nil]
    var variables = environment.map { cString(Array($0.utf8)) } + [nil]
    defer { for word in words + variables { free(word) } }
    InheritedDescriptors(namedBy: arguments).closeOthers()
    try confinement?.enforce()
    // Reset the signals that this program ignores only for its own purposes. Handlers do not survive exec anyway.
    let ignored = [SIGPIPE, SIGXFSZ]
    for number in ignored { signal(number, SIG_DFL) }
    execve(path, &words, &variables)
    let error = SystemError.last("start \(path)")
    for number in ignored { signal(number, SIG_IGN) }
    throw error
  }

  private func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
    text[bytes.count] = 0
    return text
  }
}

/// The descriptors that a program inherits from this program's caller: the standard streams, and each descriptor that
/// an argument names as `/dev/fd/N` or `/proc/self/fd/N`, as a shell does for `<(command)`. Others, such as a lock of a
/// script, are closed.
struct InheritedDescriptors {
  /// The descriptors above the standard streams.
  let named: Set<Int32>

  init(namedBy arguments: [[UInt8]]) {
    var named: Set<Int32> = []
    for argument in arguments {
      for prefix in ["/dev/fd/", "/proc/self/fd/"] {
        if let number = Self.number(after: Array(prefix.utf8), in: argument) { named.insert(number) }
      }
    }
    self.named = named
  }

  /// The number after the prefix, which may follow the name of an option: `--from=/dev/fd/63`.
  private static func number(after prefix: [UInt8], in argument: [UInt8]) -> Int32? {
    guard argument.count > prefix.count else { return nil }
    for start in 0..<(argument.count - prefix.count) where argument[start...].starts(with: prefix) {
      let digits = argument[(start + prefix.count)...].prefix(while: \.isDigit)
      return Int32(String(decoding: digits, as: UTF8.self))
    }
    return nil
  }

  /// Marks all other descriptors to be closed when the program is executed. If that fails, this process still has them.
  func closeOthers() {
    // Descriptors that this program opened itself are closed on exec anyway, even if an argument names them.
    for descriptor in Self.openNumbers where descriptor > STDERR_FILENO && !named.contains(descriptor) {
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }
  }

  /// The open descriptors. If the system does not list them: all numbers below its limit, but at most 65,536.
  private static var openNumbers: [Int32] {
    guard let listing = opendir("/dev/fd") else {
      return Array(0..<Int32(clamping: min(max(sysconf(Int32(_SC_OPEN_MAX)), 256), 1 << 16)))
    }
    defer { closedir(listing) }
    var numbers: [Int32] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
  }
}
