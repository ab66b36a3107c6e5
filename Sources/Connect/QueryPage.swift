package import API
package import HTTP
package import JSON

/// One page of a query's rows (reference: connect-api.md, section 7.11).
package struct QueryPage: Sendable, Equatable {
  /// Free objects, one key an ingredient.
  package var rows: [JSONObject]
  /// What to ask the next page with; nil on the last.
  package var next: Next?
  /// How many elements were no objects, and left out.
  package var dropped: Int

  package struct Next: Sendable, Equatable {
    package var cursor: String
    /// To be sent with the cursor; nil where the page does not say, so that the fields stay as they were.
    package var fields: JSONObject?
  }

  /// - Throws: ``APIError``; unreadable where there is no list in it.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard let data = object["data"]?.array else { throw response.unreadable("there is no list in it") }
    rows = data.compactMap(\.object)
    dropped = data.count - rows.count
    let next = object.object("next")
    let cursor = next?.identifier("cursor") ?? (ConnectAssumptions.cursorAtTheTop ? object.identifier("cursor") : nil)
    self.next = cursor.map { Next(cursor: $0, fields: next?.object("fields")) }
  }
}
