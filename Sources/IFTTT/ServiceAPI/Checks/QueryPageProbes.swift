import HTTP
import JSON

/// The probes of a query's pages.
struct QueryPageProbes {
  /// A query with more pages than this is followed no further.
  private static let most = 20

  /// The rows without a small limit.
  let rows: [JSONObject]
  let part: ServicePart
  let path: ServicePath
  let plan: ServiceTestPlan
  let request: (_ limit: Int, _ cursor: String?) -> Request

  var probes: [Probe] {
    guard plan.wants([.queryLimit, .cursor, .lastPage], part, path) else { return [] }
    return [
      Probe(part, path, request(1, nil)) { exchange in
        guard case .success(let page) = exchange.rows else {
          let finding = Finding.failed("limit 1: \(exchange.description)")
          return [(.queryLimit, finding), (.cursor, .skipped("the query with limit 1 failed"))]
        }
        let isSingle = rows.count <= 1
        return [
          (.queryLimit, Finding(problem: page.count > 1 ? "\(page.count) rows" : nil)),
          (
            .cursor,
            isSingle
              ? .skipped("there is only one row")
              : Finding(problem: exchange.cursor == nil ? "no cursor, although there are \(rows.count) rows" : nil)
          ),
        ] + (exchange.cursor == nil ? [(.lastPage, .skipped("there is no second page"))] : [])
      } next: { exchange in
        exchange.cursor.map { [page($0, seen: [])] } ?? []
      }
    ]
  }

  private func page(_ cursor: String, seen: Set<String>) -> Probe {
    Probe(part, path, request(50, cursor)) { exchange in
      guard case .success = exchange.rows else {
        return [(.lastPage, .failed("with the cursor of the page before: \(exchange.description)"))]
      }
      guard let next = exchange.cursor else { return [(.lastPage, .passed)] }
      if next == cursor || seen.contains(next) {
        return [(.lastPage, .failed("a page returned the cursor of an earlier page"))]
      }
      return seen.count >= Self.most ? [(.lastPage, .skipped("there are more than \(Self.most) pages"))] : []
    } next: { exchange in
      guard let next = exchange.cursor, next != cursor, !seen.contains(next), seen.count < Self.most else {
        return []
      }
      return [page(next, seen: seen.union([cursor]))]
    }
  }
}
