package import World

/// A connection as last fetched.
package struct CachedConnection: Sendable, Equatable {
  package var id: String
  package var name: String
  /// The status: `enabled`, `disabled`, `never_enabled` or `unknown`.
  package var status: String
  /// The program's own JSON object, compact, up to and including `cover_images` and without the closing brace.
  package var document: [UInt8]
  /// IFTTT's response, byte for byte.
  package var raw: [UInt8]
  package var fetchedAt: Timestamp
  /// A hash of its state, to compare it with a file. Nil if unknown.
  package var state: [UInt8]?
  package init(
    id: String, name: String, status: String, document: [UInt8], raw: [UInt8], fetchedAt: Timestamp,
    state: [UInt8]? = nil
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.document = document
    self.raw = raw
    self.fetchedAt = fetchedAt
    self.state = state
  }
}

extension Store {
  /// A cached connection in a listing. Its buffer is valid only during the callback. It contains only what a listing
  /// shows, because in SQLite each further column takes as long as copying the document.
  package struct CachedRow {
    package let document: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp
  }

  /// What a listing can show of a cached connection without reading its document. It and its buffers are valid only
  /// during the callback. A column that is not needed is not read, because each takes time.
  package struct CachedSummary {
    let row: OpaquePointer
    package let fetchedAt: Timestamp
    package var id: UnsafeRawBufferPointer { bytesOfColumn(1, in: row) }
    package var name: UnsafeRawBufferPointer { bytesOfColumn(2, in: row) }
    package var status: UnsafeRawBufferPointer { bytesOfColumn(3, in: row) }
  }
}
