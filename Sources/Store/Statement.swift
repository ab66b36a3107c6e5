import CSQLite

/// A value that SQLite can hold in a column.
package enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A prepared statement: values in, rows out.
package struct Statement: ~Copyable {
  let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, in database: Database) { (self.handle, self.database) = (handle, database) }

  deinit { sqlite3_finalize(handle) }

  /// Binds all places from the first, ready for the first row.
  package func bind(_ values: [SQLValue]) throws(StoreError) {
    sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      try database.verify(bind(value, at: Int32(index + 1)))
    }
  }

  /// Runs a statement that gives no rows; it may be run again with other values.
  package func run(_ values: SQLValue...) throws(StoreError) { try run(values) }

  package func run(_ values: [SQLValue]) throws(StoreError) {
    try bind(values)
    while try step() {}
  }

  /// Goes to the next row.
  /// - Returns: false when there is none.
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

  package func bytes(_ column: Int32) -> [UInt8] { [UInt8](buffer(column)) }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The bytes of a text or blob, which live until the next step.
  package func buffer(_ column: Int32) -> UnsafeRawBufferPointer { bytesOfColumn(column, in: handle) }

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

/// The bytes of a text or blob in a statement's present row, which live until its next step.
func bytesOfColumn(_ column: Int32, in statement: OpaquePointer) -> UnsafeRawBufferPointer {
  let start = sqlite3_column_blob(statement, column)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
}
