#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The words the program was started with, as bytes: an argument need not be UTF-8.
package enum ProcessArguments {
  /// All of them, the program's own name included where the system gave one.
  package static func raw() -> [[UInt8]] {
    let words = CommandLine.unsafeArgv
    return (0..<Int(CommandLine.argc)).compactMap { place in
      words[place].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}
