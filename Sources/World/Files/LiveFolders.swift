import Text

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
        name.withMemoryRebound(to: CChar.self, capacity: 256) {
          FileName.text(of: UnsafeRawBufferPointer(start: $0, count: strlen($0)))
        }
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
      guard rename(try checked(folder), cPath(other)) == 0 else { throw .last("rename \(folder)") }
      return false
    }
    if RenameSwap.atOnce(folder, other) { return true }
    // Without an atomic swap, neither folder is in place for a moment. If the second step fails, undo the first.
    let aside = folder + ".aside"
    guard rename(cPath(other), cPath(aside)) == 0 else { throw .last("rename \(other)") }
    guard rename(cPath(folder), cPath(other)) == 0 else {
      let error = SystemError.last("rename \(folder)")
      rename(cPath(aside), cPath(other))
      throw error
    }
    guard rename(cPath(aside), cPath(folder)) == 0 else { throw .last("rename \(aside)") }
    return true
  }
}

/// An atomic swap of two names on one file system.
private enum RenameSwap {
  /// Returns false if the system or the file system does not support it.
  static func atOnce(_ one: String, _ other: String) -> Bool {
    #if canImport(Darwin)
      return renamex_np(cPath(one), cPath(other), UInt32(RENAME_SWAP)) == 0
    #else
      // glibc declares renameat2 only for C programs that define _GNU_SOURCE, and older versions lack it.
      typealias Function = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
      guard let symbol = dlsym(nil, "renameat2") else { return false }
      let exchange: UInt32 = 2
      return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, cPath(one), AT_FDCWD, cPath(other), exchange) == 0
    #endif
  }
}
