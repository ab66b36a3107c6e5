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
  /// One cached row as it streams by: the bytes live only during the call.
  ///
  /// The texts stay bytes until one asks for them, since a listing of stored documents needs no `String`.
  package struct CachedRow {
    package let idBytes: UnsafeRawBufferPointer
    package let statusBytes: UnsafeRawBufferPointer
    package let document: UnsafeRawBufferPointer
    /// Empty unless it was asked for.
    package let raw: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp

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
