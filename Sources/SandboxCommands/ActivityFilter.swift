import HTTP
import Sandbox

/// A filter of the activity.
struct ActivityFilter: LogFilter, Equatable {
  var connection: String?
  var step: ActivityRecord.Step?
  var last: Int?
  /// Selects only records with a higher number.
  var after: Int?

  init() {}

  /// - Parameter query: The query as it appears in a URL.
  init(_ query: String) throws(SandboxControl.Refusal) {
    let request = Request(receivedMethod: "GET", target: "/?\(query)", headers: [], body: [])
    for item in request?.url.query ?? [] {
      switch item.name {
      case "connection": connection = item.value
      case "step":
        guard let step = ActivityRecord.Step(rawValue: item.value) else {
          throw SandboxControl.Refusal(400, "step is unknown")
        }
        self.step = step
      case "last": last = try RequestFilter.number(item)
      case "after": after = try RequestFilter.number(item)
      default: throw SandboxControl.Refusal(400, "Unknown parameter; use connection, step, last or after")
      }
    }
  }

  var query: [QueryItem] {
    var items: [QueryItem] = []
    if let connection { items.append(QueryItem("connection", connection)) }
    if let step { items.append(QueryItem("step", step.rawValue)) }
    if let last { items.append(QueryItem("last", String(last))) }
    if let after { items.append(QueryItem("after", String(after))) }
    return items
  }

  func chosen(from all: [ActivityRecord]) -> [ActivityRecord] {
    let matching = all.filter { record in
      (connection == nil || record.connection == connection) && (step ?? record.step) == record.step
        && record.number > (after ?? 0)
    }
    return last.map { Array(matching.suffix($0)) } ?? matching
  }
}
