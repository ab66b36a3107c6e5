import Testing
import World

@testable import Session

/// A row is the document and what the cache knows about it. Its text is reused from row to row.
@Suite struct ConnectionRowTests {
  private struct Case {
    var document: String
    var tracked = true
    var stale = false
    var milliseconds: Int64
  }

  @Test func reusesNothingThatHasChanged() {
    let day: Int64 = 1_795_000_000_000
    let cases = [
      Case(document: #"{"id":"a"}"#, milliseconds: day), Case(document: #"{"id":"b"}"#, milliseconds: day + 999),
      Case(document: #"{"id":"c"}"#, milliseconds: day + 1000),
      Case(document: #"{"id":"d","name":"\#(String(repeating: "x", count: 5000))"}"#, milliseconds: day + 1000),
      Case(document: #"{"id":"e"}"#, stale: true, milliseconds: day + 1000),
      Case(document: #"{"id":"f"}"#, tracked: false, stale: true, milliseconds: day + 86_400_000),
      Case(document: #"{"id":"g"}"#, tracked: false, stale: true, milliseconds: day + 86_400_000 + 3_661_000),
      Case(document: #"{"id":"h"}"#, milliseconds: 0),
    ]
    var row = ConnectionRow()
    for example in cases {
      var printed = ""
      Array(example.document.utf8).withUnsafeBytes { document in
        row.complete(
          document.dropLastByte, tracked: example.tracked, stale: example.stale,
          fetchedAt: Timestamp(milliseconds: example.milliseconds)
        ) { printed = String(decoding: $0, as: UTF8.self) }
      }
      let time = Timestamp(milliseconds: example.milliseconds).rfc3339
      let end = #","tracked":\#(example.tracked),"stale":\#(example.stale),"fetched_at":"\#(time)"}"#
      #expect(printed == example.document.dropLast() + end)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The cache stores documents without their closing brace.
  fileprivate var dropLastByte: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: dropLast()) }
}
