import CSQLite
import Time
import World

/// One connection to a SQLite file; every failure comes out as a ``StoreError`` that names the file.
package final class Database {
  package let path: String
  let handle: OpaquePointer
  let file: DatabaseFile
  /// Why nothing can be written to it; nil for one that was opened as usual.
  private(set) var readOnlyReason: StoreError?
  /// The wait for other processes' locks; nil for one that SQLite waits for by itself.
  let lockWait: LockWait?
  private var isPreparedToWrite = false

  /// Opens a file that is there and reads nothing of it yet.
  /// - Parameters:
  ///   - file: what the file is, though its path may be another: a copy, or one that is being made.
  ///   - name: the path that errors name, where that is another.
  package convenience init(path: String, as file: DatabaseFile, shownAs name: String? = nil) throws(StoreError) {
    try self.init(name: path, SQLITE_OPEN_READWRITE, as: file, path: name ?? path)
  }

  /// Opens a file to which nothing can be written, past its log and the locks of other processes.
  /// - Parameter reason: why it could not be opened as usual.
  convenience init(unchanging path: String, as file: DatabaseFile, because reason: StoreError) throws(StoreError) {
    let name = "file:\(percentEncoded(path))?immutable=1"
    try self.init(name: name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, as: file, path: path)
    readOnlyReason = reason
  }

  /// A database in memory in the place of a file that cannot be made or brought up to date.
  /// - Parameter reason: why not.
  convenience init(inMemoryFor file: DatabaseFile, because reason: StoreError) throws(StoreError) {
    try self.init(path: ":memory:", as: file, shownAs: file.path)
    readOnlyReason = reason
    // A file is copied only to pages of its own size.
    try execute("PRAGMA page_size = \(file.schema.pageSize)")
  }

  private init(name: String, _ access: Int32, as file: DatabaseFile, path: String) throws(StoreError) {
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(name, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard result == SQLITE_OK, let handle else {
      let number = handle.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(handle)
      let words = String(cString: sqlite3_errstr(result))
      throw StoreError(sqlite: result, words: words, systemNumber: number, path: path)
    }
    (self.path, self.handle, self.file) = (path, handle, file)
    lockWait = file.patience.map { LockWait(for: path, limit: file.busyTimeout, $0) }
    if let lockWait {
      lockWait.install(in: handle)
    } else {
      sqlite3_busy_timeout(handle, Int32(clamping: file.busyTimeout.wholeMilliseconds))
    }
  }

  deinit { sqlite3_close_v2(handle) }

  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    try verify(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    guard let statement else { throw failure(SQLITE_MISUSE) }
    return Statement(statement, in: self)
  }

  /// Runs every statement of a script that takes no values and gives no rows.
  package func execute(_ script: String) throws(StoreError) {
    try verify(sqlite3_exec(handle, script, nil, nil, nil))
  }

  /// Runs one statement and gives how many rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() {}
    return changedRows
  }

  /// By the statement that changed rows last.
  package var changedRows: Int { Int(sqlite3_changes64(handle)) }

  /// The first column of the first row.
  package func integer(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int64? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The first column of the first row.
  package func text(_ sql: String, _ values: SQLValue...) throws(StoreError) -> String? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Left to the first write because each pragma costs a reader time and helps it nothing.
  func prepareToWrite() throws(StoreError) {
    guard !isPreparedToWrite else { return }
    try execute(file.schema.writePragmas)
    isPreparedToWrite = true
  }

  /// `wal` or `delete`, as the file has it.
  func journalMode() throws(StoreError) -> String {
    guard readOnlyReason != nil else { return try text("PRAGMA journal_mode") ?? "" }
    // Read past its log, the file is said to have none.
    var header = [UInt8](repeating: 0, count: 19)
    try verify(csqlite_read_start(handle, &header, Int32(header.count)))
    return header[18] == 2 ? "wal" : "delete"
  }

  func verify(_ result: Int32) throws(StoreError) {
    if result != SQLITE_OK { throw failure(result) }
  }

  func failure(_ result: Int32) -> StoreError {
    // Some functions return a code that the connection does not remember; its message is then of the call before.
    let isRemembered = sqlite3_extended_errcode(handle) == result
    return file.advised(
      StoreError(
        sqlite: result, words: String(cString: isRemembered ? sqlite3_errmsg(handle) : sqlite3_errstr(result)),
        systemNumber: isRemembered ? sqlite3_system_errno(handle) : 0, path: path))
  }
}

/// A path for the `file:` URI of SQLite (https://sqlite.org/uri.html, section 3.1).
private func percentEncoded(_ path: String) -> String {
  var text = ""
  for byte in path.utf8 {
    switch byte {
    case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...: text += "%\(hexadecimal([byte]))"
    default: text.unicodeScalars.append(Unicode.Scalar(byte))
    }
  }
  return text
}
