import CSQLite
import Text
package import World

/// A prepared statement, which binds parameters and returns rows. Both are addressed by name. A name that the SQL does
/// not have, or a parameter without a value, is a programming error and ends the program.
package struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let sql: String
  private let database: Database

  init(_ handle: OpaquePointer, _ sql: String, in database: Database) {
    (self.handle, self.sql, self.database) = (handle, sql, database)
  }

  deinit { database.end(handle, sql) }

  /// Binds all parameters and resets the statement.
  package func bind(_ parameters: SQLParameters) throws(StoreError) {
    sqlite3_reset(handle)
    precondition(
      parameters.all.count == sqlite3_bind_parameter_count(handle), "parameters are missing or extra: \(sql)")
    // A bit for each parameter that has a value: SQLite would use only one of two.
    var bound: UInt64 = 0
    for (name, value) in parameters.all {
      let index = name.withUTF8Buffer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { sqlite3_bind_parameter_index(handle, $0.baseAddress) }
      }
      precondition(index > 0 && bound & 1 << index == 0, "no parameter \(name), or two values for it: \(sql)")
      bound |= 1 << index
      try database.verify(value.bind(to: index, of: handle))
    }
  }

  /// Ends the current execution, and with it the read transaction.
  package func reset() { sqlite3_reset(handle) }

  /// Runs the statement to its end, ignoring its rows. It can be run again with other values.
  package func run(_ parameters: SQLParameters) throws(StoreError) {
    try bind(parameters)
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

  /// The value of a column in the current row.
  package subscript<Value: SQLConvertible>(_ name: String) -> Value { column(name).value() }

  /// Returns a column, for a loop over many rows.
  func column(_ name: String) -> SQLColumn {
    // The names of columns are case-insensitive in SQL.
    let index = (0..<sqlite3_column_count(handle)).first { sqlite3_stricmp(sqlite3_column_name(handle, $0), name) == 0 }
    guard let index else { preconditionFailure("no column \(name): \(sql)") }
    return SQLColumn(index: index, statement: handle)
  }

  var firstColumn: SQLColumn { SQLColumn(index: 0, statement: handle) }

  /// Returns the error for a value that this program cannot have stored.
  func unreadable(_ message: String) -> StoreError {
    database.file.advised(StoreError(code: .damaged, message: "\(database.path): \(message)", hint: ""))
  }
}

/// A column of a statement, with the value in the statement's current row. It must not outlive the statement.
struct SQLColumn {
  fileprivate let index: Int32
  fileprivate let statement: OpaquePointer

  func value<Value: SQLConvertible>() -> Value { Value(column: index, of: statement) }

  var isNull: Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

  /// The bytes of a text or blob, which are valid until the next step.
  var buffer: UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(statement, index)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
  }
}

/// The values of a statement's parameters, by name. The name includes its colon, as in SQL: `[":id": id]`.
package struct SQLParameters: ExpressibleByDictionaryLiteral {
  fileprivate var all: [(StaticString, any SQLConvertible)]

  package init(dictionaryLiteral elements: (StaticString, any SQLConvertible)...) { all = elements }

  /// The parameters of both lists.
  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.all += right.all
    return sum
  }
}

/// A value that can be bound to a parameter and read from a column.
package protocol SQLConvertible {
  /// Reads a column of the current row.
  init(column: Int32, of statement: OpaquePointer)
  /// Binds the value to a parameter.
  /// - Returns: SQLite's result code.
  func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32
}

extension Int64: SQLConvertible {
  package init(column: Int32, of statement: OpaquePointer) { self = sqlite3_column_int64(statement, column) }
  package func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32 {
    sqlite3_bind_int64(statement, parameter, self)
  }
}

extension Int: SQLConvertible {
  package init(column: Int32, of statement: OpaquePointer) { self = Int(Int64(column: column, of: statement)) }
  package func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32 {
    Int64(self).bind(to: parameter, of: statement)
  }
}

/// Stored as 0 or 1.
extension Bool: SQLConvertible {
  package init(column: Int32, of statement: OpaquePointer) { self = Int64(column: column, of: statement) != 0 }
  package func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32 {
    Int64(self ? 1 : 0).bind(to: parameter, of: statement)
  }
}

extension Double: SQLConvertible {
  package init(column: Int32, of statement: OpaquePointer) { self = sqlite3_column_double(statement, column) }
  package func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32 {
    sqlite3_bind_double(statement, parameter, self)
  }
}

extension String: SQLConvertible {
  package init(column: Int32, of statement: OpaquePointer) {
    self.init(decoding: SQLColumn(index: column, statement: statement).buffer, as: UTF8.self)
  }
  package func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32 {
    var text = self
    return text.withUTF8 { csqlite_bind_text(statement, parameter, $0.baseAddress, UInt64($0.count)) }
  }
}

extension [UInt8]: SQLConvertible {
  package init(column: Int32, of statement: OpaquePointer) {
    self.init(SQLColumn(index: column, statement: statement).buffer)
  }
  package func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32 {
    withUnsafeBytes { csqlite_bind_blob(statement, parameter, $0.baseAddress, UInt64($0.count)) }
  }
}

/// Stored in milliseconds since 1970.
extension Timestamp: SQLConvertible {
  package init(column: Int32, of statement: OpaquePointer) {
    self.init(milliseconds: Int64(column: column, of: statement))
  }
  package func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32 {
    milliseconds.bind(to: parameter, of: statement)
  }
}

/// Stored as NULL if there is no value.
extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  package init(column: Int32, of statement: OpaquePointer) {
    let isNull = SQLColumn(index: column, statement: statement).isNull
    self = isNull ? nil : Wrapped(column: column, of: statement)
  }
  package func bind(to parameter: Int32, of statement: OpaquePointer) -> Int32 {
    map { $0.bind(to: parameter, of: statement) } ?? sqlite3_bind_null(statement, parameter)
  }
}
