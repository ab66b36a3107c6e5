#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file that this process was started from.
enum CurrentExecutable {
  /// Where that file lies, links resolved; nil where the system does not tell.
  static var file: String? {
    guard let path, let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Nil where the system does not tell. A file that was replaced meanwhile is still this program on Linux.
  static var path: String? {
    #if canImport(Glibc)
      // In the child, where this is looked up, it is still the parent's file until the child becomes it.
      return access("/proc/self/exe", X_OK) == 0 ? "/proc/self/exe" : nil
    #else
      var size = UInt32(0)
      _NSGetExecutablePath(nil, &size)
      var path = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&path, &size) == 0 else { return nil }
      return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #endif
  }
}
