#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program's arguments as bytes, because they may not be valid UTF-8.
package enum ProcessArguments {
  /// Returns all arguments, including the program name if the system provides it.
  package static func raw() -> [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
      .map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
