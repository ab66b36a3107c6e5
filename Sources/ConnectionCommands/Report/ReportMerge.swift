import CommandLine
import JSON
import Output
import Session
import Text
import World

enum ReportMerge: Command {
  struct Options: CommandOptions { var files: [String] = [] }

  static let name = "merge"
  static let summary = "Add up the summaries of the shards of a run"
  static var discussion: [String] {
    [
      """
      Reads files that '--report summary=FILE' wrote, one per shard, and prints their sum in the same format. If a shard \
      is missing or did not finish, the command names it and exits with 6.
      """,
      """
      Files of different numbers of shards, a shard that is given twice, and a summary without a shard are rejected.
      """,
    ]
  }
  static var positionals: [Positional<Options>] {
    [.many(.file, into: \.files, help: "The summaries, one per shard")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("report merge shard-1.json shard-2.json", "add up the summaries of two shards")]
  }
  static var shape: OutputSchema? { .one(RunSummary.self) }

  static func check(_ options: Options) throws(Conflict) {
    if options.files.isEmpty { throw Conflict("pass the summaries of the shards", isMissingArgument: true) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var sum = RunSummary()
    var found: [Int: String] = [:]
    var count: Int?
    var unfinished: [Int] = []
    for file in options.files {
      let (summary, shard) = try read(file, in: session)
      if let count, count != shard.count {
        throw rejected(file, "it is one of \(shard.count) shards, but the first file is one of \(count)")
      }
      if let other = found[shard.number] {
        throw rejected(file, "shard \(shard) is also in '\(other)'")
      }
      count = shard.count
      found[shard.number] = file
      if summary.isInterrupted { unfinished.append(shard.number) }
      sum.add(summary)
    }
    let total = count ?? 0
    let missing = Array((1...max(total, 1)).lazy.filter { found[$0] == nil }.prefix(BatchFailures.limit))
    var output = Output.one(sum)
    output.verdict = { [unfinished, found] in try evaluate(missing, unfinished, found.count, of: total) }
    return output
  }

  private static func read(_ file: String, in session: Session) throws -> (RunSummary, Shard) {
    let bytes = try session.console.contents(of: file, for: "SUMMARY", limit: 1 << 20)
    guard let summary = (try? JSONValue(document: bytes)).flatMap(RunSummary.init(reading:)) else {
      throw rejected(file, "it is not a summary of a run")
    }
    guard let shard = summary.shard else {
      throw rejected(file, "its run was not sharded")
    }
    return (summary, shard)
  }

  private static func rejected(_ file: String, _ reason: String) -> Problem {
    Problem(
      .refused, "cannot merge '\(file)'", reason: reason,
      hint: "Pass the files that --report summary=FILE wrote, one per shard of one run.")
  }

  /// - Parameter missing: the first missing shards, at most ``BatchFailures/limit``.
  private static func evaluate(_ missing: [Int], _ unfinished: [Int], _ found: Int, of total: Int) throws {
    guard !missing.isEmpty || !unfinished.isEmpty else { return }
    var reasons: [String] = []
    if !missing.isEmpty { reasons.append("\(total - found) of \(total) shards are missing") }
    if !unfinished.isEmpty { reasons.append("\(unfinished.count) of \(total) shards did not finish") }
    throw Problem(
      .partial, reasons.joined(separator: ", and "), hint: "Run these shards again, and merge all summaries.",
      details: missing.map { Problem.Detail(parameter: "shard \($0)/\(total)", message: "missing") }
        + unfinished.prefix(BatchFailures.limit).map {
          Problem.Detail(parameter: "shard \($0)/\(total)", message: "did not finish")
        })
  }
}
