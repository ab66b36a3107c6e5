#if canImport(Glibc)
  import Glibc
#else
  import Darwin
  import MachO
#endif

/// The executable file of this process.
enum CurrentExecutable {
  /// The path of the executable with symbolic links resolved; nil if the system does not provide it.
  static var file: String? {
    guard let path, let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A path for executing this program again; nil if the system does not provide it. On Linux it refers to the
  /// running program even if its file has been replaced since.
  static var path: String? {
    #if canImport(Glibc)
      // The child resolves this path while it still runs the parent's executable.
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
