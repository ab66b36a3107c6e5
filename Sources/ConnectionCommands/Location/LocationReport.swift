import CommandLine
import IFTTT
import JSON
import Location
import Output
import Session
import Store
import Text
import World

enum LocationReport: Command {
  struct Options: CommandOptions {
    var region = Required<String>()
    var kind = Required<LocationEvent.Kind>()
    var time: Timestamp?
    var isForced = false
    var credentials = CredentialOptions()
  }

  static let name = "report"
  static let summary = "Report one entry or exit to IFTTT"
  static var discussion: [String] {
    [
      """
      The event is stored first and then sent, together with the queued events. REGION is an id from 'location regions', \
      the beginning of one, or a label. Without --force, an event that the region's trigger does not report is rejected.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("at", .moment, into: \.time, defaultText: "now", help: "Time of the event"),
      .toggle("force", into: \.isForced, help: "Report the event even if the trigger does not report this direction"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [
      .required(.region, into: \.region, help: "The region's id or label"),
      .required(.transitionKind, into: \.kind, help: "The event"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "location report d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54 exit --yes", "report that the user left the region"),
      ExampleSchema(
        "location report d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54 exit --dry-run", "show the request without sending it"),
    ]
  }
  static var shape: OutputSchema? { .one(LocationEventRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let sender = try LocationSender(options.credentials, in: session)
    let found = try session.watchedRegions(of: [], options.credentials)
    let region = try found.region(
      named: options.region.value, reporting: options.isForced ? nil : options.kind.value)
    let kind = options.kind.value
    guard options.isForced || region.direction.wants(kind) else {
      throw Problem(
        .refused, "region '\(region.id)' does not report \(kind.rawValue) events",
        reason: "its trigger reports only \(region.direction.rawValue) events",
        hint: "Pass --force to report it anyway.")
    }
    guard found.choices[region.connection]?.isOn != false else {
      throw Problem(
        .refused, "location is off for connection '\(region.connection)'",
        hint: "Run: \(ifttt: "location on \(region.connection)")")
    }
    let now = session.world.clock.now()
    var event = LocationEvent(kind, region: region.id, connection: region.connection, at: options.time ?? now)
    if session.options.isDryRun {
      event.queued = LocationEvent.Queued(recordID: session.world.random.uuid(), recordedAt: now)
      return session.dryRun(try sender.requests(with: [event]))
    }
    var reported = found
    reported.regions = [region]
    try session.consent(to: &reported)
    let recorded = try LocationQueue(session.store, profile: session.profile.name).record(
      [event], owner: sender.owner)
    sender.add(found.regions)
    var row: LocationEventRow?
    let failure = try sender.send { event, status in
      if event.recordID == recorded.first?.recordID { row = LocationEventRow(event, status) }
    }
    if row == nil, let event = recorded.first {
      let isAccepted = try !sender.accepted(among: recorded).isEmpty
      row = LocationEventRow(event, isAccepted ? .accepted : .waiting)
    }
    var output = Output.rows([row].compactMap { $0?.bytes }, as: .one(LocationEventRow.self))
    output.verdict = {
      if let problem = failure.problem { throw try problem.notingQueuedEvents(in: session) }
      if let note = failure.foreignNote { session.console.note(Hint(note)) }
    }
    return output
  }
}

extension ConnectionRegions {
  /// The region with this id, or else the only one whose id begins with it or whose label it is.
  /// - Parameter kind: The event to report. If several regions match, those that do not report it are ignored.
  fileprivate func region(named name: String, reporting kind: LocationEvent.Kind?) throws -> Region {
    if let region = regions.first(where: { $0.id == name }) { return region }
    let named = regions.filter { $0.id.hasPrefix(name) || $0.label == name }
    let reporting = kind.map { kind in named.filter { $0.direction.wants(kind) } } ?? []
    let matching = named.count > 1 && !reporting.isEmpty ? reporting : named
    if matching.count == 1 { return matching[0] }
    try verdict()
    guard let first = matching.first else {
      throw Problem(
        .notFound, "no enabled connection has a region '\(name)'",
        hint: "See \(ifttt: "location regions") for the available regions.")
    }
    throw Problem(
      .usage, "\(matching.count) regions are named '\(name)'",
      reason: matching.map { "\($0.id) of connection \($0.connection)" }.joined(separator: ", "),
      hint: "Name one by its id, such as \(first.id).")
  }
}

extension ValueKind where Value == Timestamp {
  static var moment: ValueKind {
    .parsed("TIME", expected: "a time such as 2026-03-04T17:42:09Z") { Timestamp(parsing: $0) }
  }
}

extension ValueKind where Value == String {
  /// The id of a region, as printed by `location regions`.
  static var region: ValueKind { .nonEmpty("REGION", completion: .dynamic(CompletionCandidates.region.rawValue)) }
}

extension ValueKind where Value == LocationEvent.Kind {
  /// A transition: `enter` or `exit`, or IFTTT's own term `entry`.
  static var transitionKind: ValueKind {
    .parsed("EVENT", completion: .choices([Choice("enter"), Choice("exit")]), expected: "enter or exit") { word in
      switch word {
      case "enter", "entry": .entry
      case "exit": .exit
      default: nil
      }
    }
  }
}
