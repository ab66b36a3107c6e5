#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that this process is to become.
package struct ReplacementProgram: Sendable, Equatable {
  package var path: String
  /// With the first, which is the program's own name for itself. They need not be UTF-8.
  package var arguments: [[UInt8]]
  /// All of it: nothing of this process's own is passed on.
  package var environment: [(name: String, value: String)]

  package init(path: String, arguments: [[UInt8]], environment: [(name: String, value: String)]) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
  }

  package static func == (one: ReplacementProgram, other: ReplacementProgram) -> Bool {
    one.path == other.path && one.arguments == other.arguments
      && one.environment.elementsEqual(other.environment) { $0 == $1 }
  }

  /// Returns only by throwing.
  func start() throws(SystemError) {
    var words = arguments.map(cString) + [nil]
    var variables = environment.map { cString(Array("\($0.name)=\($0.value)".utf8)) } + [nil]
    defer { for word in words + variables { free(word) } }
    // What this program ignores it ignores for its own sake, and a handler of its own is gone in the other anyway.
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

// Who starts nothing, as a replay, has no program either.
extension Processes {
  package var program: String? { nil }

  package func become(_ program: ReplacementProgram) throws(SystemError) {
    throw SystemError(number: ENOSYS, call: "start \(program.path)")
  }
}
