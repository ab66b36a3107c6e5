package import Time
import World

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
  /// One cached row as it streams by; its bytes live only during the call. It has what a listing shows and no more, since
  /// each column of each row takes SQLite as long as copying the document.
  package struct CachedRow {
    package let document: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp
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
