/// Writes compact JSON (RFC 8259) as UTF-8 bytes, commas and escapes included.
///
/// Calls must form a document: `key` before each value in an object. Control characters are escaped
/// (0x7f and C1 controls too), everything else is written as it is.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func beginObject() {}
  package mutating func endObject() {}
  package mutating func beginArray() {}
  package mutating func endArray() {}
  package mutating func key(_ name: String) {}
  package mutating func string(_ value: String) {}
  /// Null when there is no text.
  package mutating func string(_ value: String?) {}
  package mutating func int(_ value: Int?) {}
  package mutating func bool(_ value: Bool?) {}
  package mutating func null() {}
  package mutating func value(_ value: JSONValue) {}
  /// Bytes that already are one JSON value.
  package mutating func raw(_ json: some Sequence<UInt8>) {}
  /// Forgets what was written and keeps the memory.
  package mutating func removeAll() {}
}

extension JSONValue {
  /// The value as compact JSON.
  package var bytes: [UInt8] { [] }
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
