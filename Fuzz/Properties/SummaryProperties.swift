import JSON
import Session

/// The summary of a run that another machine wrote: sums of many of them do not overflow, and one that is accepted is
/// the same when it is written and read again.
enum SummaryProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard let value = try? JSONValue(parsing: bytes), let summary = RunSummary(reading: value) else { return nil }
    guard [summary.succeeded, summary.failed, summary.skipped].allSatisfy({ $0 >= 0 }) else {
      return "a negative number"
    }
    guard summary.total == value["total"]?.int else { return "another total" }
    guard let again = (try? JSONValue(parsing: summary.bytes)).flatMap(RunSummary.init(reading:)), again == summary
    else {
      return "a summary that changes"
    }
    var sum = RunSummary()
    // As many as there may be shards.
    for _ in 0..<1000 { sum.add(summary) }
    return sum.total == 1000 * summary.total ? nil : "another sum"
  }
}
