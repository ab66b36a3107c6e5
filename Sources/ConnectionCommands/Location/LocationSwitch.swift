import CommandLine
import IFTTT
import Output
import Session
import Store
import Text

enum LocationOn: LocationSwitch {
  static let name = "on"
  static let isOn = true
  static let summary = "Enable location reporting for a connection"
  static var discussion: [String] {
    [
      """
      This records the user's consent to report entries and exits of the connection's regions to IFTTT. Without it, nothing \
      is sent. The consent is stored in this profile. Fetching the connection again does not remove it.
      """
    ]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("location on Kd7Rn2Qx", "report the entries and exits of a connection")]
  }
}

enum LocationOff: LocationSwitch {
  static let name = "off"
  static let isOn = false
  static let summary = "Disable location reporting for a connection; changes nothing at IFTTT"
  static var discussion: [String] {
    ["Its queued events are neither sent nor discarded. See 'location events'."]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("location off Kd7Rn2Qx", "stop monitoring a connection's regions")]
  }
}

struct LocationSwitchOptions: CommandOptions {
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
  static var shape: OutputSchema? { .many(SwitchedLocation.self).report }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.ids, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    try session.storage.trackSandboxOnce()
    if let untracked = try options.ids.first(where: { try !session.storage.isTracked($0.description) }) {
      throw Problem(
        .notFound, "connection '\(untracked)' is not tracked", hint: "Run: \(ifttt: "connections add \(untracked)")")
    }
    if session.options.isDryRun {
      let choices = try LocationQueue(store, profile: profile).choices()
      let changed = options.ids.map(\.description).filter { choices[$0]?.isOn != isOn }
      return session.dryRun(
        change: changed.isEmpty ? nil : "Would turn location \(name) for \(changed.joined(separator: ", ")).")
    }
    return .rows(
      try options.ids.map { id in
        let isChanged = try LocationQueue(store, profile: profile).setReporting(isOn, of: id.description)
        return SwitchedLocation(id: id, state: isOn ? .on : .off, isChanged: isChanged)
      })
  }
}

private struct SwitchedLocation: OutputRecord {
  enum State: String, CaseIterable, OutputValue { case on, off }

  let id: ConnectionID
  let state: State
  let isChanged: Bool

  static let fields: Fields = [
    Field("id", "The connection's id", column: "ID", overflow: .keep) { $0.id.description },
    Field("location", "Whether location reporting is on", column: "LOCATION", style: .status) { $0.state },
    Field("changed", "Whether the command changed the setting", column: "CHANGED") { $0.isChanged },
  ]
}
