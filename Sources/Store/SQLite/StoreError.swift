import CSQLite
package import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The reason why the store cannot be used. The raw values of `code` are stable; those of errors in the store itself
/// start with `store_`.
package struct StoreError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    case locked = "store_locked"
    case damaged = "store_damaged"
    case foreign = "store_foreign"
    case newer = "store_newer"
    case unreadable = "store_unreadable"
    case unsafePermissions = "store_permissions"
    case full = "store_full"
    case readOnly = "store_read_only"
    case wrongKey = "store_wrong_key"
    case keyMissing = "store_key_missing"
    case failed = "store_failed"
    /// The file to be created already exists.
    case exists = "conflict"
    /// A file that the user named, outside the store, cannot be read or created.
    case refused
    /// Ctrl-C while waiting for a key or for a lock.
    case interrupted
  }
  package var code: Code
  /// A description of the problem, with the path.
  package var message: String
  /// The suggested action.
  package var hint: Hint
  package init(code: Code, message: String, hint: Hint) {
    (self.code, self.message, self.hint) = (code, message, hint)
  }

  package static let interrupted = StoreError(code: .interrupted, message: "interrupted", hint: "")
}

extension StoreError {
  /// Creates an error for a failed SQLite call.
  /// - Parameters:
  ///   - result: An extended result code (https://sqlite.org/rescode.html).
  ///   - systemNumber: The underlying `errno` value; 0 if there is none.
  init(sqlite result: Int32, message: String, systemNumber: Int32, path: String) {
    let number = folderProblem(path, result) ?? systemNumber
    let code = Code(sqlite: result, systemNumber: number)
    guard number == EMFILE || number == ENFILE else {
      self.init(code: code, message: "\(path): \(message)", hint: code.hint(for: path))
      return
    }
    self.init(
      code: code, message: "\(path): \(message): \(SystemError.message(for: number))",
      hint: "Raise the limit of open files (ulimit -n).")
  }

  init(system number: Int32, doing action: String, path: String) {
    let code = Code(system: number)
    self.init(
      code: code, message: "cannot \(action) \(path): \(SystemError.message(for: number))", hint: code.hint(for: path))
  }
}

/// Returns the reason why SQLite could not create its log. SQLite does not report it, so access(2) determines whether
/// the folder is writable.
private func folderProblem(_ path: String, _ result: Int32) -> Int32? {
  guard result & 0xff == SQLITE_CANTOPEN, access(PrivateFiles.folder(of: path), W_OK) != 0 else { return nil }
  return errno
}

extension StoreError.Code {
  fileprivate init(sqlite result: Int32, systemNumber: Int32) {
    switch result & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
    // All statements are valid for the schema, so a generic error means that the file does not have its tables.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: self = .damaged
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      self = systemNumber == 0 ? .unreadable : Self(system: systemNumber)
    case SQLITE_IOERR: self = systemNumber == 0 ? .failed : Self(system: systemNumber)
    default: self = .failed
    }
  }

  fileprivate init(system number: Int32) {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: self = .full
    case EROFS: self = .readOnly
    case EACCES, EPERM, ENOENT, ENOTDIR, ELOOP, EISDIR, ENAMETOOLONG: self = .unreadable
    default: self = .failed
    }
  }

  fileprivate func hint(for path: String) -> Hint {
    switch self {
    case .locked: "Another process is writing to it. Run the command again after that process ends."
    case .damaged: "Nothing in it was changed."
    case .full: "Free some space on the disk and run the command again."
    case .readOnly: "Make \(path) and its folder writable."
    case .unreadable: "Check that \(path) exists, and that you have access to it and its folder."
    default: "Run \(ifttt: "store check")."
    }
  }
}
