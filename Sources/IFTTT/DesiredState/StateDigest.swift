import JSON
import Text

/// A hash of a connection's state as an exported file has it. An entry of a file with the same hash differs in nothing,
/// so that neither the cached response has to be read nor the settings compared.
///
/// An entry with the same meaning in other words, such as an option given by its label, has another hash.
package struct StateDigest: Sendable, Equatable {
  /// 128 bits of a SHA-256.
  package let bytes: [UInt8]

  /// Nil if the entry names no status, or one that no request can set.
  package init?(_ entry: DesiredConnection) {
    guard let status = entry.status, status != .unknown else { return nil }
    var writer = JSONWriter(reserving: 512)
    writer.beginArray()
    // A later version that compares in another way must write another number.
    writer.value(2)
    writer.string(status.rawValue)
    for feature in entry.features {
      writer.beginArray()
      writer.string(feature.feature)
      writer.value(feature.isEnabled.map(JSONValue.bool) ?? .null)
      writer.beginObject()
      for field in feature.fields {
        writer.key(field.name)
        writer.value(field.value)
      }
      writer.endObject()
      writer.endArray()
    }
    writer.endArray()
    bytes = Array(SHA256.hash(writer.bytes).prefix(16))
  }

  /// Nil if the connection's status is unknown.
  package init?(_ connection: Connection) {
    // Whether a connection is pending is not compared.
    self.init(DesiredConnection(connection, isPending: false))
  }
}
