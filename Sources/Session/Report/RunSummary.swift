package import JSON
import Output
import Text

/// The counts of a run by result and error code: the file of `--report summary=FILE`.
package struct RunSummary: OutputRecord, Equatable {
  /// The shard that the run processed; nil for everything.
  package var shard: Shard?
  package private(set) var succeeded = 0
  package private(set) var failed = 0
  package private(set) var skipped = 0
  /// The number of failures by error code.
  package private(set) var errors: [String: Int] = [:]

  package init(shard: Shard? = nil) { self.shard = shard }

  package var total: Int { succeeded + failed + skipped }

  package static let fields: Fields = [
    Field("version", "The version of the file format") { _ in 1 },
    Field("shard", "The part of all items that the run processed; null for all of them") {
      $0.shard.map(ShardRecord.init)
    },
    Field("total", "The number of items", column: "TOTAL") { $0.total },
    Field("succeeded", "The number of items that succeeded", column: "SUCCEEDED") { $0.succeeded },
    Field("failed", "The number of items that failed", column: "FAILED") { $0.failed },
    Field("skipped", "The number of items that were not processed", column: "SKIPPED") { $0.skipped },
    Field("errors", "The number of failures by error code; 'interrupted' if the run did not finish") {
      OutputCounts($0.errors)
    },
  ]

  mutating func add(_ problem: Problem?) {
    guard let problem else { return succeeded += 1 }
    if problem.isSkip { return addSkipped() }
    failed += 1
    errors[problem.code.rawValue, default: 0] += 1
  }

  mutating func addSkipped() { skipped += 1 }

  /// The counts as variables of a shell or a step. `errors` has the codes of the failures, separated by commas.
  var variables: [(name: String, value: String)] {
    [("total", total), ("succeeded", succeeded), ("failed", failed), ("skipped", skipped)].map { ($0, "\($1)") }
      + [("errors", errors.inOrder.map(\.key).joined(separator: ","))]
  }

  /// The counts as a file of variables with a prefix (`artifacts:reports:dotenv` of GitLab).
  var dotenv: String { variables.map { "IFTTT_\($0.name.uppercased())=\($0.value)\n" }.joined() }

  /// Records what ended the run too early, so items are missing.
  mutating func addEnd(_ problem: Problem) {
    for code in Set([problem.code, .interrupted]) { errors[code.rawValue, default: 0] += 1 }
  }

  package var isInterrupted: Bool { errors[Problem.Code.interrupted.rawValue] != nil }

  /// Adds the counts of another shard.
  package mutating func add(_ other: RunSummary) {
    succeeded += other.succeeded
    failed += other.failed
    skipped += other.skipped
    errors.merge(other.errors) { $0 + $1 }
  }
}

extension RunSummary {
  /// Reads a summary; nil for any other JSON.
  package init?(reading value: JSONValue) {
    guard let object = value.object, object["version"]?.int == 1,
      Set(object.members.map(\.key)).count == object.members.count,
      let succeeded = object["succeeded"]?.count, let failed = object["failed"]?.count,
      let skipped = object["skipped"]?.count, let total = object["total"]?.count, let errors = object["errors"]?.object,
      let shard = object["shard"]
    else { return nil }
    (self.succeeded, self.failed, self.skipped) = (succeeded, failed, skipped)
    for (code, number) in errors.members {
      guard let number = number.count, self.errors.updateValue(number, forKey: code) == nil else { return nil }
    }
    guard total == self.total else { return nil }
    guard !shard.isNull else { return }
    guard let number = shard["number"]?.int, let count = shard["count"]?.int, let part = Shard(number, of: count) else {
      return nil
    }
    self.shard = part
  }
}

extension JSONValue {
  /// A number of items. The limit keeps sums of many summaries from overflowing.
  fileprivate var count: Int? { int.flatMap { 0...(1 << 50) ~= $0 ? $0 : nil } }
}

/// The shard in a summary.
private struct ShardRecord: OutputRecord {
  let shard: Shard

  static let fields: Fields = [
    Field("number", "The number of the shard, from 1") { $0.shard.number },
    Field("count", "The number of shards") { $0.shard.count },
  ]
}

/// An object of numbers with arbitrary keys, sorted.
private struct OutputCounts: OutputValue {
  private let counts: [String: Int]
  init(_ counts: [String: Int]) { self.counts = counts }

  static var schema: JSONObject { ["type": "object", "additionalProperties": .object(Int.schema)] }
  var json: JSONValue {
    .object(JSONObject(members: counts.inOrder.map { ($0.key, $0.value.json) }))
  }
}
