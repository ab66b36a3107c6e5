package import CommandLine
import Text
import World

/// The options that select a shard.
package struct ShardOptions: Sendable {
  package enum Choice: Sendable, Equatable {
    case number(Shard)
    /// The number is in the environment.
    case automatic
  }

  package var choice: Choice?
  /// The number of shards, if the engine does not provide it.
  package var count: Int?

  package init() {}

  package static var flags: [Flag<ShardOptions>] {
    [
      .value(
        "shard", .shard, into: \.choice, isAdvanced: true,
        help: "Process only the K-th of N parts; 'auto' reads K from the job's environment"),
      .value(
        "shards",
        .parsed("N", expected: "a whole number from 1 to \(Shard.maxCount)") { text in
          Shard.integer(text[...].utf8).flatMap { Shard(1, of: $0) }?.count
        }, into: \.count, isAdvanced: true, help: "Number of parts for --shard auto"),
    ]
  }

  package func check() throws(Conflict) {
    if count != nil, choice != .automatic { throw Conflict("--shards needs --shard auto", options: ["shards"]) }
  }

  /// The selected shard; nil for everything.
  /// - Throws: `usage` if `--shard auto` finds no shard in the environment.
  func shard(in environment: Environment) throws -> Shard? {
    switch choice {
    case nil: nil
    case .number(let shard): shard
    case .automatic: try ShardEnvironment(environment, count: count).shard()
    }
  }
}

extension ValueKind<ShardOptions.Choice> {
  static var shard: ValueKind {
    .parsed("K/N", expected: "K/N with K from 1 to N, such as 2/8, or 'auto'") { text in
      text == "auto" ? .automatic : Shard(parsing: text).map(ShardOptions.Choice.number)
    }
  }
}

/// The shard of this job, from the environment variables of the engine that started it.
struct ShardEnvironment {
  private let environment: Environment
  /// The value of `--shards`.
  private let count: Int?

  init(_ environment: Environment, count: Int?) { (self.environment, self.count) = (environment, count) }

  /// - Throws: `usage` if no variable names a shard, or several do.
  func shard() throws -> Shard {
    if let text = value(.shard) {
      guard let shard = Shard(parsing: text) else {
        throw unusable(.shard, "it is not K/N with K from 1 to N, such as 2/8")
      }
      return try checked(shard, .shard)
    }
    if value(.shardIndex) != nil || value(.shardTotal) != nil {
      let (index, total) = (try number(.shardIndex), try number(.shardTotal))
      return try checked(shard(index, from: 0, of: total, .shardIndex), .shardTotal)
    }
    let engines: [EnvironmentVariable] = [.slurmTask, .parallelSequence, .kubernetesIndex].filter { value($0) != nil }
    guard engines.count < 2 else {
      throw Problem(
        .usage, "--shard auto: the environment names several job engines",
        reason: engines.map(\.name).joined(separator: " and ") + " are set",
        hint: "Set IFTTT_SHARD to K/N, such as IFTTT_SHARD=2/8.")
    }
    switch engines.first {
    case .slurmTask?: return try checked(slurm(), .slurmCount)
    case .parallelSequence?: return try shard(number(.parallelSequence), from: 1, of: givenCount(), .parallelSequence)
    case .kubernetesIndex?: return try shard(number(.kubernetesIndex), from: 0, of: givenCount(), .kubernetesIndex)
    default:
      throw Problem(
        .usage, "--shard auto: no shard in the environment",
        hint: "Pass --shard K/N, or set IFTTT_SHARD to K/N, or run the command in a job array.")
    }
  }

  /// A task of a job array. Its ids may start at any number and have a constant step.
  private func slurm() throws -> Shard {
    let (task, first, count) = (try number(.slurmTask), try number(.slurmMin), try number(.slurmCount))
    let step = value(.slurmStep) == nil ? 1 : try number(.slurmStep)
    let isRegular =
      try step > 0 && task >= first && (task - first) % step == 0
      && (value(.slurmMax) == nil || (number(.slurmMax) - first) / step + 1 == count)
    guard isRegular, let shard = Shard((task - first) / step + 1, of: count) else {
      throw Problem(
        .usage, "--shard auto: the job array is irregular", reason: "its task ids are not evenly spaced",
        hint: "Use an array such as --array=1-8, or set IFTTT_SHARD to K/N.")
    }
    return shard
  }

  private func shard(_ index: Int, from first: Int, of count: Int, _ variable: EnvironmentVariable) throws -> Shard {
    guard index >= first, let shard = Shard(index - first + 1, of: count) else {
      throw unusable(variable, "it is not a number from \(first) to \(count - 1 + first)")
    }
    return shard
  }

  /// The value of `--shards`, for an engine that does not provide the number of shards.
  private func givenCount() throws -> Int {
    guard let count else {
      throw Problem(
        .usage, "--shard auto: the number of shards is unknown", reason: "the engine does not provide it",
        hint: "Pass --shards N.")
    }
    return count
  }

  /// The shard, checked against `--shards`.
  private func checked(_ shard: Shard, _ variable: EnvironmentVariable) throws -> Shard {
    guard count == nil || count == shard.count else {
      throw unusable(variable, "it stands for \(shard.count) shards, and --shards for another number")
    }
    return shard
  }

  private func value(_ variable: EnvironmentVariable) -> String? {
    environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func number(_ variable: EnvironmentVariable) throws -> Int {
    guard let text = value(variable) else { throw unusable(variable, "it is not set") }
    guard let number = Shard.integer(text[...].utf8), number <= Shard.maxIndex else {
      throw unusable(variable, "it is not a whole number")
    }
    return number
  }

  private func unusable(_ variable: EnvironmentVariable, _ reason: String) -> Problem {
    Problem(
      .usage, "--shard auto: cannot use \(variable)", reason: reason,
      hint: "Set IFTTT_SHARD to K/N, such as IFTTT_SHARD=2/8.")
  }
}
