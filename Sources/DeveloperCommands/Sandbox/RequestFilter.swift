import HTTP
import Sandbox

/// A filter of recorded requests.
struct RequestFilter: LogFilter {
  var method: String?
  /// A path in which `*` matches any text.
  var path: String?
  var status: Int?
  var last: Int?
  var after: Int?

  static let conditions = ["method", "path", "status"]
  var conditions: [QueryItem] {
    [("method", method), ("path", path), ("status", status.map(String.init))].compactMap { name, value in
      value.map { QueryItem(name, $0) }
    }
  }

  mutating func set(_ item: QueryItem) throws(SandboxControl.Refusal) {
    switch item.name {
    case "method": method = item.value
    case "path": path = item.value
    default: status = try Self.number(item)
    }
  }

  func chosen(from all: [RecordedRequest]) -> [RecordedRequest] {
    chosen(from: all, number: \.number) { record in
      (method ?? record.method) == record.method && (status ?? record.status) == record.status
        && path.map { PathPattern($0).matches(record.path) } != false
    }
  }
}
