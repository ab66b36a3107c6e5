import JSON
import World

/// A public document of the service, cached between runs with its age.
struct CachedDocument {
  let document: [UInt8]
  let fetchedAt: Timestamp
  let freshUntil: Timestamp

  init(document: [UInt8], fetchedAt: Timestamp, lifetime: Duration) {
    (self.document, self.fetchedAt) = (document, fetchedAt)
    freshUntil = fetchedAt - (.zero - lifetime)
  }

  init?(stored text: String) {
    guard let value = try? JSONValue(parsing: Array(text.utf8)), let document = value["document"]?.string,
      let fetched = value["fetched_at"]?.int, let fresh = value["fresh_until"]?.int
    else { return nil }
    self.document = Array(document.utf8)
    fetchedAt = Timestamp(milliseconds: Int64(fetched))
    freshUntil = Timestamp(milliseconds: Int64(fresh))
  }

  var stored: String {
    JSONValue.object([
      "document": .string(String(decoding: document, as: UTF8.self)),
      "fetched_at": JSONValue(Int(fetchedAt.milliseconds)), "fresh_until": JSONValue(Int(freshUntil.milliseconds)),
    ]).text
  }

  /// Whether the document is fresh. A clock that was set back makes it stale instead of fresh forever.
  func isFresh(at now: Timestamp) -> Bool { now < freshUntil && fetchedAt <= now }

  /// Whether the document is at least a minute old, so that it may be fetched again.
  func mayBeRefetched(at now: Timestamp) -> Bool { now >= fetchedAt - .seconds(-60) || now < fetchedAt }
}
