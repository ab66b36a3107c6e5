import CommandLine
import Output
import Session
import Store
import Text
import World

enum LocationEventsClear: Command {
  struct Options: Sendable {
    var ids: [String] = []
    var areRefused = false
    var age: Duration?
  }

  static let name = "clear"
  static let summary = "Discard queued location events without sending them"
  static var flags: [Flag<Options>] {
    [
      .toggle("refused", into: \.areRefused, help: "Only events that IFTTT rejected"),
      .value("older-than", .duration, into: \.age, help: "Only events older than this"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.many(.nonEmpty("RECORD_ID"), into: \.ids, help: "Only these events; default: all")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location events clear --yes --json", "discard all queued events"),
      ExampleSchema("location events clear --older-than 7d --yes --json", "discard events older than a week"),
    ]
  }
  static var shape: OutputSchema? { .many(LocationEventRow.self) }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) {
    guard !options.ids.isEmpty else { return }
    if options.areRefused { throw Conflict("pass record ids or --refused, not both", options: ["refused"]) }
    if options.age != nil { throw Conflict("pass record ids or --older-than, not both", options: ["older-than"]) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let named = Set(options.ids)
    let newest = options.age.map { session.world.clock.now() - $0 }
    var chosen = try session.store.oldestLocationEvents(
      .max, refused: options.areRefused ? true : nil, profile: profile
    ).filter { event in
      (named.isEmpty || named.contains(event.recordID)) && newest.map { event.event.occurredAt < $0 } ?? true
    }
    if let stray = options.ids.first(where: { id in !chosen.contains { $0.recordID == id } }) {
      throw Problem(
        .notFound, "location event '\(stray)' is not queued",
        hint: "See \(ifttt: "location events") for the queued events.")
    }
    let what = chosen.count == 1 ? "1 location event" : "\(chosen.count) location events"
    if session.options.isDryRun {
      return session.dryRun(change: chosen.isEmpty ? nil : "Would discard \(what).")
    }
    if chosen.isEmpty {
      session.console.noteEmpty("No location events are queued.")
    } else {
      try session.console.confirm("Discard \(what) that IFTTT has not accepted?")
      // An upload in flight may deliver some of these events, so wait for it to end.
      let lock = try session.locationLock()
      defer { lock.release() }
      let waiting = try session.store.stillWaiting(chosen.map(\.recordID), profile: profile)
      chosen.removeAll { !waiting.contains($0.recordID) }
      _ = try session.store.removeLocationEvents(chosen.map(\.recordID), profile: profile)
    }
    return .rows(chosen.map { $0.row() })
  }
}
