package import Time
import World

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
  /// A cached connection in a listing. Its buffer is valid only during the callback. It contains only what a listing
  /// shows, because in SQLite each further column takes as long as copying the document.
  package struct CachedRow {
    package let document: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp
  }
}
