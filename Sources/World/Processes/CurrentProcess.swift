internal import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
  import MachO
#endif

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
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

/// The program's arguments as bytes, because they may not be valid UTF-8.
package enum ProcessArguments {
  /// Returns all arguments, including the program name if the system provides it.
  package static func raw() -> [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
      .map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}

/// The memory of this process, which may contain secrets.
package enum ProcessMemory {
  /// Prevents core dumps. On Linux, other processes of the same user can no longer read the memory either. Programs that
  /// this one starts are not affected.
  package static func hide() { secret_memory_hide() }
}

/// The line on stderr that a crash leaves, because a core dump would contain secrets.
package enum CrashReport {
  /// Prints the line from now on, with the program's name and version. `script/symbolize` reads it.
  package static func install(program: String) { crash_report_install(program) }
}
