#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveFiles {
  package func names(in folder: String) throws(SystemError) -> [String] {
    guard let listing = opendir(try checked(folder)) else { throw .last("open \(folder)") }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package func stamp(_ path: String) throws(SystemError) -> FileStamp {
    var status = stat()
    guard lstat(try checked(path), &status) == 0 else { throw .last("lstat \(path)") }
    return FileStamp(status)
  }

  package func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool {
    var status = stat()
    guard lstat(try checked(other), &status) == 0 else {
      guard rename(try checked(folder), other) == 0 else { throw .last("rename \(folder)") }
      return false
    }
    if RenameSwap.atOnce(folder, other) { return true }
    // Where the system cannot, there is a moment with neither; what fails puts the first back.
    let aside = folder + ".aside"
    guard rename(other, aside) == 0 else { throw .last("rename \(other)") }
    guard rename(folder, other) == 0 else {
      let error = SystemError.last("rename \(folder)")
      rename(aside, other)
      throw error
    }
    guard rename(aside, folder) == 0 else { throw .last("rename \(aside)") }
    return true
  }
}

/// Two names of a file system changing places in one step.
private enum RenameSwap {
  /// False where the system or the file system cannot.
  static func atOnce(_ one: String, _ other: String) -> Bool {
    #if canImport(Darwin)
      return renamex_np(one, other, UInt32(RENAME_SWAP)) == 0
    #else
      // glibc declares renameat2 only to C programs that ask for GNU extensions, and older ones lack it.
      typealias Function = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
      guard let symbol = dlsym(nil, "renameat2") else { return false }
      let exchange: UInt32 = 2
      return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, one, AT_FDCWD, other, exchange) == 0
    #endif
  }
}
