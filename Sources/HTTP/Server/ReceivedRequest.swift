/// A complete request as received, within the limits.
package struct ReceivedRequest: Sendable, Equatable {
  package var method: String
  /// The path and query as sent, beginning with `/`. The origin of an absolute URL is removed.
  package var target: String
  package var fields: [HeaderField]
  package var body: [UInt8]

  package init(method: String, target: String, fields: [HeaderField] = [], body: [UInt8] = []) {
    (self.method, self.target, self.fields, self.body) = (method, target, fields, body)
  }

  /// The first value of a field; the name is case-insensitive.
  package func field(_ name: String) -> String? { fields.first { $0.isNamed(name) }?.value }
}

/// The first line of a request as received, without the version.
package struct RequestLine: Sendable, Equatable {
  package var method: String
  package var target: String
  package init(method: String, target: String) { (self.method, self.target) = (method, target) }
}

/// One header field.
package struct HeaderField: Sendable, Equatable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// Whether this is the field's name, ignoring the case of ASCII letters. Allocates nothing.
  package func isNamed(_ other: String) -> Bool {
    let (own, theirs) = (name.utf8, other.utf8)
    return own.count == theirs.count && zip(own, theirs).allSatisfy { $0 == $1 || folded($0) == folded($1) }
  }
}

private func folded(_ byte: UInt8) -> UInt8 {
  UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}
