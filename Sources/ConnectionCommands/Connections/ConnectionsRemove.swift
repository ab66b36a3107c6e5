import CommandLine
import IFTTT
import Session
import Store
import Text

enum ConnectionsRemove: Command {
  struct Options: Sendable {
    var selection = ConnectionSelection()
  }

  static let name = "remove"
  static let summary = "Stop tracking connections; nothing changes at IFTTT"
  static var flags: [Flag<Options>] { .lifted(ConnectionSelection.flags, into: \.selection) }
  static var positionals: [Positional<Options>] {
    [.many(.ownConnectionID, into: \.selection.ids, help: "The connections to stop tracking")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("connections remove Kd7Rn2Qx", "stop tracking a connection")] }
  static var shape: OutputSchema? { .many(TrackingRow.self) }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.selection.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.selection.ids, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    try session.storage.trackSandboxOnce()
    let selection = try options.selection.resolve(nil, in: session)
    var run = BatchRun(selection.ids, in: session)
    run.isChange = true
    run.faults = selection.faults
    if session.options.isDryRun {
      let tracked = try run.ids.filter { try session.storage.isTracked($0.description) }
      return session.dryRun(
        change: tracked.isEmpty
          ? nil : "Would stop tracking \(tracked.map(\.description).joined(separator: ", ")).")
    }
    if options.selection.isAll, !run.ids.isEmpty {
      let count = run.ids.count
      try session.console.confirm("Stop tracking \(count == 1 ? "the only connection" : "all \(count) connections")?")
    }
    return run.output(as: .many(TrackingRow.self)) { [run] report in
      let removed = Set(try store.untrack(run.ids.map(\.description), profile: profile))
      for id in run.ids {
        if removed.contains(id.description) {
          try report(id, .done(TrackingRow(id: id, isTracked: false, isChanged: true).bytes))
        } else {
          let problem = Problem(
            .notFound, "connection '\(id)' is not tracked",
            hint: "List the tracked connections with \(ifttt: "connections list").")
          try report(id, .failed(problem))
        }
      }
    }
  }
}
