import CArguments

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program's arguments as bytes, because they may not be valid UTF-8.
package enum ProcessArguments {
  /// Returns all arguments, including the program name if the system provides it.
  package static func raw() -> [[UInt8]] {
    var words: [[UInt8]] = []
    var next = process_arguments()
    while let word = next.pointee {
      words.append(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
      next += 1
    }
    return words
  }
}
