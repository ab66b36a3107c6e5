import CSQLite
import World

/// One connection to a SQLite file; every failure comes out as a ``StoreError`` that names the file.
package final class Database {
  package let path: String
  let handle: OpaquePointer
  let file: DatabaseFile
  private var isPreparedToWrite = false

  /// Opens a file that is there and reads nothing of it yet.
  /// - Parameters:
  ///   - file: what the file is, though its path may be another: a copy, or one that is being made.
  ///   - name: the path that errors name, where that is another.
  package init(path: String, as file: DatabaseFile, shownAs name: String? = nil) throws(StoreError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &handle, flags, nil)
    guard result == SQLITE_OK, let handle else {
      let number = handle.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(handle)
      let words = String(cString: sqlite3_errstr(result))
      throw StoreError(sqlite: result, words: words, systemNumber: number, path: name ?? path)
    }
    (self.path, self.handle, self.file) = (name ?? path, handle, file)
    sqlite3_busy_timeout(handle, Int32(clamping: file.busyTimeout.wholeMilliseconds))
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

  func verify(_ result: Int32) throws(StoreError) {
    if result != SQLITE_OK { throw failure(result) }
  }

  func failure(_ result: Int32) -> StoreError {
    file.advised(
      StoreError(
        sqlite: result, words: String(cString: sqlite3_errmsg(handle)), systemNumber: sqlite3_system_errno(handle),
        path: path))
  }
}
