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
  /// The complete environment. No variable of this process is passed on.
  package var environment: [(name: String, value: String)]
  /// The files that it may open; nil for no limit.
  package var confinement: Confinement?

  package init(
    path: String, arguments: [[UInt8]], environment: [(name: String, value: String)], confinement: Confinement? = nil
  ) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
    self.confinement = confinement
  }

  package static func == (one: ReplacementProgram, other: ReplacementProgram) -> Bool {
    one.path == other.path && one.arguments == other.arguments && one.confinement == other.confinement
      && one.environment.elementsEqual(other.environment) { $0 == $1 }
  }

  /// Executes the program. Returns only by throwing.
  func start() throws(SystemError) {
    var words = arguments.map(cString) + [nil]
    var variables = environment.map { cString(Array("\($0.name)=\($0.value)".utf8)) } + [nil]
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
    for (place, byte) in bytes.enumerated() { text[place] = CChar(bitPattern: byte) }
    text[bytes.count] = 0
    return text
  }
}

// The defaults for implementations that do not start processes, such as a replay.
extension Processes {
  package var program: String? { nil }

  package func become(_ program: ReplacementProgram) throws(SystemError) {
    throw SystemError(number: ENOSYS, call: "start \(program.path)")
  }
}
