package import HTTP
package import JSON

/// One page of a query's rows (reference: connect-api.md, section 7.11).
package struct QueryPage: Sendable, Equatable {
  /// Free-form objects, one key per ingredient.
  package var rows: [JSONObject]
  /// The parameters of the next page; nil on the last page.
  package var next: Next?
  /// The number of elements that were not objects and were skipped.
  package var dropped: Int

  package struct Next: Sendable, Equatable {
    package var cursor: String
    /// Sent with the cursor; nil if the page has none, so that the fields stay unchanged.
    package var fields: JSONObject?
  }

  /// - Throws: ``APIError``; unreadable if the response contains no list.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard let data = object["data"]?.array else { throw response.unreadable("it contains no list") }
    rows = data.compactMap(\.object)
    dropped = data.count - rows.count
    let next = object.object("next")
    let cursor = next?.identifier("cursor") ?? (ConnectAssumptions.cursorAtTheTop ? object.identifier("cursor") : nil)
    self.next = cursor.map { Next(cursor: $0, fields: next?.object("fields")) }
  }
}
