@testable import Session
import Support
import Testing
import World

/// `--shard auto`: the shard of a job from the variables of its engine.
@Suite struct ShardEnvironmentTests {
  private func shard(_ variables: [String: String], count: Int? = nil) throws -> String {
    try ShardEnvironment(TestWorld(environment: variables).world.environment, count: count).shard().description
  }

  private func slurm(_ task: Int, _ first: Int, _ last: Int, _ count: Int, step: Int? = nil) -> [String: String] {
    var variables = [
      "SLURM_ARRAY_TASK_ID": "\(task)", "SLURM_ARRAY_TASK_MIN": "\(first)", "SLURM_ARRAY_TASK_MAX": "\(last)",
      "SLURM_ARRAY_TASK_COUNT": "\(count)",
    ]
    if let step { variables["SLURM_ARRAY_TASK_STEP"] = "\(step)" }
    return variables
  }

  @Test func enginesTellTheShard() throws {
    #expect(try shard(["IFTTT_SHARD": "2/8"]) == "2/8")
    #expect(try shard(["IFTTT_SHARD_INDEX": "0", "IFTTT_SHARD_TOTAL": "4"]) == "1/4")
    #expect(try shard(["IFTTT_SHARD_INDEX": "3", "IFTTT_SHARD_TOTAL": "4"]) == "4/4")
    #expect(try shard(["PARALLEL_SEQ": "3"], count: 5) == "3/5")
    #expect(try shard(["JOB_COMPLETION_INDEX": "0"], count: 5) == "1/5")
    #expect(try shard(slurm(1, 1, 8, 8, step: 1)) == "1/8")
    #expect(try shard(slurm(0, 0, 7, 8)) == "1/8")
    #expect(try shard(slurm(20, 10, 30, 3, step: 10)) == "2/3")
    #expect(try shard(slurm(8, 0, 8, 3, step: 4)) == "3/3")
    #expect(try shard(slurm(8, 0, 10, 3, step: 4)) == "3/3", "a last number that no task has")
  }

  @Test func theProgramsOwnVariablesWin() throws {
    let others = slurm(1, 1, 8, 8).merging(["PARALLEL_SEQ": "1", "JOB_COMPLETION_INDEX": "1"]) { $1 }
    #expect(try shard(others.merging(["IFTTT_SHARD": "2/3"]) { $1 }) == "2/3")
    #expect(try shard(others.merging(["IFTTT_SHARD_INDEX": "2", "IFTTT_SHARD_TOTAL": "3"]) { $1 }) == "3/3")
    #expect(
      try shard(["IFTTT_SHARD": "2/8", "IFTTT_SHARD_INDEX": "0", "IFTTT_SHARD_TOTAL": "4"]) == "2/8")
  }

  @Test(arguments: [
    [:], ["IFTTT_SHARD": ""], ["IFTTT_SHARD": "9/8"], ["IFTTT_SHARD": "0/8"], ["IFTTT_SHARD_INDEX": "1"],
    ["IFTTT_SHARD_TOTAL": "1"], ["IFTTT_SHARD_INDEX": "4", "IFTTT_SHARD_TOTAL": "4"],
    ["IFTTT_SHARD_INDEX": "-1", "IFTTT_SHARD_TOTAL": "4"], ["IFTTT_SHARD_INDEX": "x", "IFTTT_SHARD_TOTAL": "4"],
    ["PARALLEL_SEQ": "1"], ["PARALLEL_JOBSLOT": "1"], ["JOB_COMPLETION_INDEX": "1"],
    ["SLURM_ARRAY_TASK_ID": "1"],
    ["SLURM_ARRAY_TASK_ID": "99999999999999999999", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "2"],
  ])
  func anythingElseIsAUsageError(_ variables: [String: String]) {
    check(variables)
  }

  @Test func anIrregularArrayIsAUsageError() {
    check(slurm(3, 1, 7, 3, step: 1))
    check(slurm(2, 1, 7, 4, step: 2))
    check(slurm(1, 1, 4, 4, step: 0))
    check(slurm(9, 1, 8, 8, step: 1))
    check(slurm(0, 1, 8, 8, step: 1))
  }

  @Test func numbersThatDoNotFitAreUsageErrors() {
    check(["PARALLEL_SEQ": "6"], count: 5)
    check(["PARALLEL_SEQ": "0"], count: 5)
    check(["JOB_COMPLETION_INDEX": "5"], count: 5)
    check(["IFTTT_SHARD": "2/8"], count: 9)
    check(slurm(1, 1, 8, 8), count: 9)
  }

  @Test func severalEnginesAreAUsageError() {
    check(["PARALLEL_SEQ": "1", "JOB_COMPLETION_INDEX": "1"], count: 5)
  }

  private func check(
    _ variables: [String: String], count: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: Problem.self, sourceLocation: sourceLocation) { try shard(variables, count: count) }
    #expect(error?.code == .usage, sourceLocation: sourceLocation)
  }
}
