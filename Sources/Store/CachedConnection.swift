import CSQLite
package import World

/// One connection as last seen.
package struct CachedConnection: Sendable, Equatable {
  package var id: String
  package var name: String
  /// `enabled`, `disabled`, `never_enabled` or `unknown`.
  package var status: String
  /// Our JSON object, compact, up to and including `cover_images` and without the closing brace.
  package var document: [UInt8]
  /// IFTTT's own answer, byte for byte.
  package var raw: [UInt8]
  package var fetchedAt: Timestamp
  package init(
    id: String, name: String, status: String, document: [UInt8], raw: [UInt8], fetchedAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.document = document
    self.raw = raw
    self.fetchedAt = fetchedAt
  }
}

extension Store {
  /// One cached row as it streams by: it and its bytes live only during the call.
  ///
  /// Each column is fetched when it is asked for, and no text is made that nobody wants: a listing of stored documents
  /// needs the document and its age alone.
  package struct CachedRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    package var idBytes: UnsafeRawBufferPointer { bytesOfColumn(0, in: statement) }
    package var statusBytes: UnsafeRawBufferPointer { bytesOfColumn(1, in: statement) }
    package var fetchedAt: Timestamp { Timestamp(milliseconds: sqlite3_column_int64(statement, 2)) }
    package var document: UnsafeRawBufferPointer { bytesOfColumn(3, in: statement) }
    /// Empty unless it was asked for.
    package var raw: UnsafeRawBufferPointer { bytesOfColumn(4, in: statement) }

    package var id: String { String(decoding: idBytes, as: UTF8.self) }
    package var status: String { String(decoding: statusBytes, as: UTF8.self) }
  }

  /// What shell completion shows of a connection.
  package struct ConnectionName: Sendable, Equatable {
    package let id: String
    /// Empty where the connection was never seen.
    package let name: String
    package let status: String
    package init(id: String, name: String, status: String) { (self.id, self.name, self.status) = (id, name, status) }
  }
}
