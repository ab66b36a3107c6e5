package import CommandLine
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
        .parsed("N", expected: "a whole number from 1 to \(Shard.most)") { text in
          Shard.integer(text[...].utf8).flatMap { Shard(1, of: $0) }?.count
        }, into: \.count, isAdvanced: true, help: "Number of parts for --shard auto"),
    ]
  }

  package func check() throws(Conflict) {
    if count != nil, choice != .automatic { throw Conflict("--shards needs --shard auto", options: ["shards"]) }
  }

  /// The selected shard; nil for everything.
  /// - Throws: `usage` if the environment tells no shard.
  package func shard(in session: Session) throws -> Shard? {
    switch choice {
    case nil: nil
    case .number(let shard): shard
    case .automatic: try ShardEnvironment(session.world.environment, count: count).shard()
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
