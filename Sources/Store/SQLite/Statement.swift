import CSQLite
import Text

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
  func unreadable(_ words: String) -> StoreError {
    database.file.advised(StoreError(code: .damaged, message: "\(database.path): \(words)", hint: ""))
  }

  private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, place)
    case .integer(let integer): return sqlite3_bind_int64(handle, place, integer)
    case .real(let real): return sqlite3_bind_double(handle, place, real)
    case .text(var text):
      return text.withUTF8 { csqlite_bind_text(handle, place, $0.baseAddress, UInt64($0.count)) }
    case .blob(let bytes):
      return bytes.withUnsafeBytes { csqlite_bind_blob(handle, place, $0.baseAddress, UInt64($0.count)) }
    }
  }
}

/// Returns the bytes of a text or blob in a statement's current row, which are valid until its next step.
func bytesOfColumn(_ column: Int32, in statement: OpaquePointer) -> UnsafeRawBufferPointer {
  let start = sqlite3_column_blob(statement, column)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
}
