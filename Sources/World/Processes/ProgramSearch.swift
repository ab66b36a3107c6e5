#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The search for programs in the folders of PATH, as the system makes it.
package struct ProgramSearch {
  /// The folders, in order.
  package let folders: [String]
  private let files: any Files

  /// - Parameters:
  ///   - path: The value of PATH; nil for the system's default.
  ///   - skipsRelative: Whether to skip relative folders, so that no file of the working folder is found.
  package init(_ path: String?, in files: any Files, skipsRelative: Bool) {
    self.files = files
    folders = (path ?? "/bin:/usr/bin").utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "." : String(Substring($0)) }
      .filter { !skipsRelative || $0.hasPrefix("/") }
  }

  /// Returns the path of a program; nil if there is none. A name with a slash is a path, which is not searched.
  package func find(_ name: String) -> String? { candidates(name).first { problem(with: $0) == nil } }

  /// Why a program is not found; nil if it is. A file that cannot be executed is a better reason than a missing one.
  package func problem(finding name: String) -> SystemError? {
    let problems = candidates(name).map { problem(with: $0) }
    guard problems.allSatisfy({ $0 != nil }) else { return nil }
    return problems.compactMap { $0 }.first { $0.number != ENOENT } ?? SystemError(number: ENOENT, call: name)
  }

  private func candidates(_ name: String) -> [String] {
    name.utf8.contains(UInt8(ascii: "/")) ? [name] : folders.map { "\($0)/\(name)" }
  }

  /// Why a file cannot be executed; nil if it can.
  package func problem(with path: String) -> SystemError? {
    do throws(SystemError) {
      let stamp = try files.status(try files.resolved(path))
      guard stamp.kind == .file, stamp.mode & 0o111 != 0 else { throw SystemError(number: EACCES, call: path) }
      return nil
    } catch {
      return error
    }
  }
}
