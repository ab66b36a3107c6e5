import HTTP
import Sandbox

/// A filter of the activity.
struct ActivityFilter: LogFilter {
  var connection: String?
  var step: ActivityRecord.Step?
  var last: Int?
  var after: Int?

  static let conditions = ["connection", "step"]
  var conditions: [QueryItem] {
    [("connection", connection), ("step", step?.rawValue)].compactMap { name, value in
      value.map { QueryItem(name, $0) }
    }
  }

  mutating func set(_ item: QueryItem) throws(SandboxControl.Refusal) {
    guard item.name == "step" else {
      connection = item.value
      return
    }
    guard let step = ActivityRecord.Step(rawValue: item.value) else {
      throw SandboxControl.Refusal(400, "step is unknown")
    }
    self.step = step
  }

  func chosen(from all: [ActivityRecord]) -> [ActivityRecord] {
    chosen(from: all, number: \.number) { record in
      (connection == nil || record.connection == connection) && (step ?? record.step) == record.step
    }
  }
}
