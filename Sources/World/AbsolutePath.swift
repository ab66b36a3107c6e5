#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension World {
  /// Resolves a path from the user to one that is valid from any folder.
  package func absolutePath(_ name: String) throws(SystemError) -> String {
    let path = path(name)
    guard !path.hasPrefix("/") else { return path }
    guard let folder = getcwd(nil, 0) else { throw .last("access the working folder") }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path.hasPrefix("./") ? path.dropFirst(2) : path[...])"
  }
}
