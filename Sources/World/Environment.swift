#if canImport(Glibc)
  @preconcurrency import Glibc
#else
  import Darwin
#endif

/// Reads the process's environment variables.
enum ProcessEnvironment {
  /// Every variable; the first of two with the same name counts, as for getenv(3). What is not UTF-8 is repaired
  /// and not left out, so that a variable never looks unset when it is set.
  static func variables() -> [String: String] {
    var count = 0
    while block[count] != nil { count += 1 }
    // A dictionary that grows hashes every name again each time.
    var variables: [String: String] = .init(minimumCapacity: count)
    var entry = block
    while let text = entry.pointee {
      let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
      if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(decoding: bytes[..<equals], as: UTF8.self)
        let value = String(decoding: bytes[(equals + 1)...], as: UTF8.self)
        if variables[name] == nil { variables[name] = value }
      }
      entry += 1
    }
    return variables
  }

  /// The variables as the system keeps them, ended by a null pointer; passed on to child processes.
  static var block: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    #if canImport(Glibc)
      environ
    #else
      _NSGetEnviron().pointee
    #endif
  }
}
