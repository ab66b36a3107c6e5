import CSQLite
import Text
import World

/// A connection to a SQLite file. Every failure is a ``StoreError`` that names the file.
package final class Database {
  package let path: String
  let handle: OpaquePointer
  let file: DatabaseFile
  /// The reason the database is read-only; nil if it was opened normally.
  private(set) var readOnlyReason: StoreError?
  /// Whether it is read in a single transaction.
  private(set) var isSnapshot = false
  /// The wait for locks of other processes; nil if SQLite itself waits.
  let lockWait: LockWait?
  private var isPreparedToWrite = false
  /// Compiled statements that are not in use, for the next use of the same SQL. Compiling takes longer than most queries.
  private var idleStatements: [(sql: String, handle: OpaquePointer)] = []

  /// Opens an existing file without reading it yet.
  /// - Parameters:
  ///   - file: The kind of file. Its path may differ, for a copy or for a file that is being created.
  ///   - name: The path to show in errors, if it is different.
  package convenience init(path: String, as file: DatabaseFile, shownAs name: String? = nil) throws(StoreError) {
    try self.init(name: path, SQLITE_OPEN_READWRITE, as: file, path: name ?? path)
  }

  /// Opens a read-only file, ignoring its log and the locks of other processes.
  /// - Parameter reason: The reason the file could not be opened normally.
  convenience init(unchanging path: String, as file: DatabaseFile, because reason: StoreError) throws(StoreError) {
    let name = "file:\(percentEncoded(path))?immutable=1"
    try self.init(name: name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, as: file, path: path)
    readOnlyReason = reason
  }

  /// Opens a file for reading without the shared memory of its log, unless another process uses that.
  /// - Parameter reason: The reason it is not opened for writing.
  convenience init(snapshotOf path: String, as file: DatabaseFile, because reason: StoreError) throws(StoreError) {
    let name = "file:\(percentEncoded(path))?readonly_shm=1"
    try self.init(name: name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, as: file, path: path)
    (readOnlyReason, isSnapshot) = (reason, true)
  }

  /// Opens an in-memory database in place of a file that cannot be created or migrated.
  /// - Parameter reason: The reason.
  convenience init(inMemoryFor file: DatabaseFile, because reason: StoreError) throws(StoreError) {
    try self.init(path: ":memory:", as: file, shownAs: file.path)
    readOnlyReason = reason
    // SQLite can only copy between databases with the same page size.
    try execute("PRAGMA page_size = \(file.schema.pageSize)")
  }

  private static let start = csqlite_start()

  private init(name: String, _ access: Int32, as file: DatabaseFile, path: String) throws(StoreError) {
    _ = Self.start
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(name, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard result == SQLITE_OK, let handle else {
      let number = handle.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(handle)
      let message = String(cString: sqlite3_errstr(result))
      throw StoreError(sqlite: result, message: message, systemNumber: number, path: path)
    }
    (self.path, self.handle, self.file) = (path, handle, file)
    lockWait = file.lockPolicy.map { LockWait(for: path, limit: file.busyTimeout, $0) }
    if let lockWait {
      lockWait.install(in: handle)
    } else {
      sqlite3_busy_timeout(handle, Int32(clamping: file.busyTimeout.wholeMilliseconds))
    }
  }

  deinit {
    for statement in idleStatements { sqlite3_finalize(statement.handle) }
    sqlite3_close_v2(handle)
  }

  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    if let index = idleStatements.firstIndex(where: { $0.sql == sql }) {
      return Statement(idleStatements.remove(at: index).handle, sql, in: self)
    }
    var statement: OpaquePointer?
    try verify(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    guard let statement else { throw failure(SQLITE_MISUSE) }
    return Statement(statement, sql, in: self)
  }

  /// Ends a statement and keeps it for the next use of the same SQL.
  func end(_ statement: OpaquePointer, _ sql: String) {
    // Returns the error of the last step, which was reported then.
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    idleStatements.append((sql, statement))
    // A search through many would take longer than it saves.
    if idleStatements.count > 24 { sqlite3_finalize(idleStatements.removeFirst().handle) }
  }

  /// Runs all statements of a script without parameters and result rows.
  package func execute(_ script: String) throws(StoreError) {
    try verify(sqlite3_exec(handle, script, nil, nil, nil))
  }

  /// Runs one statement and returns the number of rows it changed.
  @discardableResult
  package func run(_ sql: String, _ parameters: SQLParameters = [:]) throws(StoreError) -> Int {
    try prepare(sql).run(parameters)
    return changedRows
  }

  /// The number of rows changed by the last statement that changed any.
  package var changedRows: Int { Int(sqlite3_changes64(handle)) }

  /// Returns the first column of the first row.
  package func integer(_ sql: String, _ parameters: SQLParameters = [:]) throws(StoreError) -> Int64? {
    try first(sql, parameters) { $0.firstColumn.value() }
  }

  /// Returns the first column of the first row.
  package func text(_ sql: String, _ parameters: SQLParameters = [:]) throws(StoreError) -> String? {
    try first(sql, parameters) { $0.firstColumn.value() }
  }

  /// Returns the first column of every row.
  package func texts(_ sql: String, _ parameters: SQLParameters = [:]) throws(StoreError) -> [String] {
    try rows(sql, parameters) { $0.firstColumn.value() }
  }

  /// Returns the result of `read` for the first row; nil without rows.
  func first<Row>(
    _ sql: String, _ parameters: SQLParameters = [:], _ read: (borrowing Statement) throws(StoreError) -> Row
  ) throws(StoreError) -> Row? {
    let statement = try prepare(sql)
    try statement.bind(parameters)
    return try statement.step() ? try read(statement) : nil
  }

  /// Returns the results of `read` for all rows.
  func rows<Row>(
    _ sql: String, _ parameters: SQLParameters = [:], _ read: (borrowing Statement) throws(StoreError) -> Row
  ) throws(StoreError) -> [Row] {
    let statement = try prepare(sql)
    try statement.bind(parameters)
    var rows: [Row] = []
    while try statement.step() { rows.append(try read(statement)) }
    return rows
  }

  /// Sets the pragmas for writing. This is deferred to the first write, because each pragma costs a reader time
  /// without any benefit.
  func prepareToWrite() throws(StoreError) {
    guard !isPreparedToWrite else { return }
    try execute(file.schema.writePragmas)
    isPreparedToWrite = true
  }

  /// Returns the file's journal mode, `wal` or `delete`.
  func journalMode() throws(StoreError) -> String {
    guard readOnlyReason != nil else { return try text("PRAGMA journal_mode") ?? "" }
    // A file opened without its log reports no journal mode, so read it from the header.
    var header = [UInt8](repeating: 0, count: 19)
    try verify(csqlite_read_start(handle, &header, Int32(header.count)))
    return header[18] == 2 ? "wal" : "delete"
  }

  func verify(_ result: Int32) throws(StoreError) {
    if result != SQLITE_OK { throw failure(result) }
  }

  func failure(_ result: Int32) -> StoreError {
    // Some functions return a code that the connection does not record. Its message would then be that of an earlier
    // call.
    let isRecorded = sqlite3_extended_errcode(handle) == result
    return file.advised(
      StoreError(
        sqlite: result, message: String(cString: isRecorded ? sqlite3_errmsg(handle) : sqlite3_errstr(result)),
        systemNumber: isRecorded ? sqlite3_system_errno(handle) : 0, path: path))
  }
}

/// Encodes a path for SQLite's `file:` URI (https://sqlite.org/uri.html, section 3.1).
private func percentEncoded(_ path: String) -> String {
  var text = ""
  for byte in path.utf8 {
    switch byte {
    case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...: text += "%\(String(hex: byte, width: 2))"
    default: text.unicodeScalars.append(Unicode.Scalar(byte))
    }
  }
  return text
}
