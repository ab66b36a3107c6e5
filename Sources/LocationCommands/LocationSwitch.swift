import Arguments
import CommandContext
import Connect
import Display
import Hints
import Store

enum LocationOn: LocationSwitch {
  static let name = "on"
  static let isOn = true
  static let summary = "Have a connection's geofences watched, and IFTTT told of entries and exits"
  static var discussion: [String] {
    [
      """
      This is the user's word that the places of this connection may be told. Without it nothing is sent; it stands in this \
      profile, however often the connection is fetched again.
      """
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("location on Kd7Rn2Qx", "its entries and exits are sent")] }
}

enum LocationOff: LocationSwitch {
  static let name = "off"
  static let isOn = false
  static let summary = "Leave a connection's geofences alone; nothing changes at IFTTT"
  static var discussion: [String] {
    ["Events of it that wait are held back, and neither sent nor given up: see 'location events'."]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("location off Kd7Rn2Qx", "its regions are not watched")] }
}

struct LocationSwitchOptions: Sendable {
  var ids: [ConnectionID] = []
}

/// The shared behavior of `location on` and `location off`.
protocol LocationSwitch: Command where Options == LocationSwitchOptions {
  static var isOn: Bool { get }
}

extension LocationSwitch {
  static var positionals: [Positional<Options>] {
    [.many(.connectionID, atLeast: .one, into: \.ids, help: "The connections")]
  }
  static var shape: OutputSchema? { .many(SwitchedLocation.self) }
  static func defaults() -> Options { Options() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.ids, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    try session.trackSandboxOnce()
    if let stray = try options.ids.first(where: { try !session.isTracked($0.description) }) {
      throw Problem(
        .notFound, "connection '\(stray)' is not tracked", hint: "Run: \(ifttt: "connections add \(stray)")")
    }
    if session.options.isDryRun {
      let choices = try store.locationChoices(profile: profile)
      let changed = options.ids.map(\.description).filter { choices[$0]?.isOn != isOn }
      return session.dryRun(
        change: changed.isEmpty ? nil : "Would switch location \(name) for \(changed.joined(separator: ", ")).")
    }
    return .rows(
      try options.ids.map { id in
        let isNew = try store.setLocation(isOn, of: id.description, profile: profile)
        return SwitchedLocation(id: id, state: isOn ? .on : .off, isChanged: isNew)
      })
  }
}

private struct SwitchedLocation: OutputRecord {
  enum State: String, CaseIterable, OutputValue { case on, off }

  let id: ConnectionID
  let state: State
  let isChanged: Bool

  static let fields: Fields = [
    Field("id", "The connection's ID", column: "ID", overflow: .keep) { $0.id.description },
    Field("location", "Whether location reporting is on", column: "LOCATION", style: .status) { $0.state },
    Field("changed", "Whether the command changed the setting", column: "CHANGED") { $0.isChanged },
  ]
}
