package import JSON

/// A connection as IFTTT describes it (reference: connect-api.md, section 8), read leniently (section 10).
package struct Connection: Sendable, Equatable {
  package enum Status: String, Sendable, CaseIterable {
    case enabled, disabled
    case neverEnabled = "never_enabled"
    case unknown
  }
  package var id: String
  package var name: String
  package var status: Status
}

extension Connection {
  /// Writes our JSON for it, compact, from `id` to `cover_images`, without the closing brace: what `tracked`, `stale` and
  /// `fetched_at` are is known only when it is shown.
  package func document(pending: Bool) -> [UInt8] { [] }
}
