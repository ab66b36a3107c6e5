import CommandLine
import Session
import Store
import Text

enum LocationReset: Command {
  struct Options: CommandOptions {
    var regions: [String] = []
  }

  static let name = "reset"
  static let summary = "Clear the remembered inside/outside states"
  static var discussion: [String] {
    [
      """
      These are the states that 'location replay --remember' stores. The next replay starts with unknown states, so \
      its first position reports nothing.
      """,
      "With --json it prints one object with the number of cleared states, not the regions.",
    ]
  }
  static var positionals: [Positional<Options>] {
    [.many(.region, into: \.regions, help: "Only these regions; default: all")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("location reset", "clear the states of all regions")] }
  static var shape: OutputSchema? { .one(ResetCount.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let regions = options.regions.isEmpty ? nil : options.regions
    let queue = LocationQueue(try session.store, profile: try session.profile.name)
    if session.options.isDryRun {
      let known = try queue.fenceStates().keys.filter { regions?.contains($0) ?? true }.count
      return session.dryRun(change: known == 0 ? nil : "Would clear the states of \(known.counted("region")).")
    }
    let count = try queue.forgetLocations(of: regions)
    return .one(ResetCount(forgotten: count))
  }
}

private struct ResetCount: OutputRecord {
  let forgotten: Int

  static let fields: Fields = [
    Field("forgotten", "The number of cleared states", column: "CLEARED") { $0.forgotten }
  ]
}
