import HTTP
import Sandbox

/// A filter of recorded requests.
struct RequestFilter: LogFilter, Equatable {
  var method: String?
  /// A path in which `*` matches any text.
  var path: String?
  var status: Int?
  var last: Int?
  /// Selects only requests with a higher number.
  var after: Int?

  init() {}

  /// - Parameter query: The query as it appears in a URL.
  init(_ query: String) throws(SandboxControl.Refusal) {
    let request = Request(receivedMethod: "GET", target: "/?\(query)", headers: [], body: [])
    for item in request?.url.query ?? [] {
      switch item.name {
      case "method": method = item.value
      case "path": path = item.value
      case "status": status = try Self.number(item)
      case "last": last = try Self.number(item)
      case "after": after = try Self.number(item)
      default: throw SandboxControl.Refusal(400, "Unknown parameter; use method, path, status, last or after")
      }
    }
  }

  static func number(_ item: QueryItem) throws(SandboxControl.Refusal) -> Int {
    guard let number = Int(item.value), number >= 0 else {
      throw SandboxControl.Refusal(400, "\(item.name) is not a number")
    }
    return number
  }

  var query: [QueryItem] {
    var items: [QueryItem] = []
    if let method { items.append(QueryItem("method", method)) }
    if let path { items.append(QueryItem("path", path)) }
    if let status { items.append(QueryItem("status", String(status))) }
    if let last { items.append(QueryItem("last", String(last))) }
    if let after { items.append(QueryItem("after", String(after))) }
    return items
  }

  func chosen(from all: [RecordedRequest]) -> [RecordedRequest] {
    let matching = all.filter { record in
      (method ?? record.method) == record.method && (status ?? record.status) == record.status
        && record.number > (after ?? 0) && path.map { PathPattern($0).matches(record.path) } != false
    }
    return last.map { Array(matching.suffix($0)) } ?? matching
  }
}
