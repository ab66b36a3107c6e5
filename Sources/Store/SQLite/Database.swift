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
  package func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int { try run(sql, with: values) }

  /// Runs one statement and returns the number of rows it changed.
  @discardableResult
  package func run(_ sql: String, with values: [SQLValue]) throws(StoreError) -> Int {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() {}
    return changedRows
  }

  /// The number of rows changed by the last statement that changed any.
  package var changedRows: Int { Int(sqlite3_changes64(handle)) }

  /// Returns the first column of the first row.
  package func integer(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int64? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Returns the first column of the first row.
  package func text(_ sql: String, _ values: SQLValue...) throws(StoreError) -> String? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? statement.text(0) : nil
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
    let isRemembered = sqlite3_extended_errcode(handle) == result
    return file.advised(
      StoreError(
        sqlite: result, message: String(cString: isRemembered ? sqlite3_errmsg(handle) : sqlite3_errstr(result)),
        systemNumber: isRemembered ? sqlite3_system_errno(handle) : 0, path: path))
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

/// A column value in SQLite.
package enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A prepared statement, which binds values and returns rows.
package struct Statement: ~Copyable {
  let handle: OpaquePointer
  private let sql: String
  private let database: Database

  init(_ handle: OpaquePointer, _ sql: String, in database: Database) {
    (self.handle, self.sql, self.database) = (handle, sql, database)
  }

  deinit { database.end(handle, sql) }

  /// Binds all parameters, starting with the first, and resets the statement.
  package func bind(_ values: [SQLValue]) throws(StoreError) {
    sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      try database.verify(bind(value, at: Int32(index + 1)))
    }
  }

  /// Ends the current execution, and with it the read transaction.
  package func reset() { sqlite3_reset(handle) }

  /// Runs a statement that returns no rows. It can be run again with other values.
  package func run(_ values: SQLValue...) throws(StoreError) { try run(values) }

  package func run(_ values: [SQLValue]) throws(StoreError) {
    try bind(values)
    while try step() {}
  }

  /// Advances to the next row.
  /// - Returns: false if there are no more rows.
  package func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw database.failure(result)
    }
  }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  package func text(_ column: Int32) -> String { String(decoding: buffer(column), as: UTF8.self) }

  /// Nil for NULL.
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  package func bytes(_ column: Int32) -> [UInt8] { [UInt8](buffer(column)) }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Returns the bytes of a text or blob, which are valid until the next step.
  package func buffer(_ column: Int32) -> UnsafeRawBufferPointer { bytesOfColumn(column, in: handle) }

  /// The error for a value that cannot be what was stored.
  func unreadable(_ message: String) -> StoreError {
    database.file.advised(StoreError(code: .damaged, message: "\(database.path): \(message)", hint: ""))
  }

  private func bind(_ value: SQLValue, at parameter: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, parameter)
    case .integer(let integer): return sqlite3_bind_int64(handle, parameter, integer)
    case .real(let real): return sqlite3_bind_double(handle, parameter, real)
    case .text(var text):
      return text.withUTF8 { csqlite_bind_text(handle, parameter, $0.baseAddress, UInt64($0.count)) }
    case .blob(let bytes):
      return bytes.withUnsafeBytes { csqlite_bind_blob(handle, parameter, $0.baseAddress, UInt64($0.count)) }
    }
  }
}

/// Returns the bytes of a text or blob in a statement's current row, which are valid until its next step.
func bytesOfColumn(_ column: Int32, in statement: OpaquePointer) -> UnsafeRawBufferPointer {
  let start = sqlite3_column_blob(statement, column)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
}
