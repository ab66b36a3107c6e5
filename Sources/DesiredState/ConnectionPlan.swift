package import API
package import Connect
import JSON

/// What to change so that one connection has its desired state.
package struct ConnectionPlan {
  /// Why a connection cannot get its desired state.
  package enum Obstacle: Equatable {
    /// The file asks for something that this connection does not have or accept.
    case invalid([WantedConfiguration.Fault])
    /// The user must enable it in a browser first.
    case neverEnabled
    /// IFTTT sent no status for this user.
    case unknownStatus
    /// IFTTT sent no configuration, so replacing it could lose settings.
    case unknownConfiguration
  }

  package let target: TargetState
  package let present: Connection
  /// The change of the status; nil if it stays.
  package private(set) var change: ConnectClient.Change?
  /// The configuration to send; nil if nothing in it changes.
  package private(set) var configuration: UserConnection?
  package private(set) var differences: [StateDifference] = []
  package private(set) var obstacle: Obstacle?
  /// The steps whose options are needed before the plan is complete.
  package private(set) var missingOptions: [ConfigurationStep] = []
  /// Whether the configuration can be compared only once the connection is enabled: IFTTT sends none before.
  package private(set) var isComparedLater = false
  /// What the file says and the program does not apply.
  package private(set) var ignored: Ignored?

  /// A part of the file that has no effect.
  package enum Ignored: Equatable {
    /// No request sets this status.
    case status(UserStatus)
    /// The configuration of a connection that is and stays disabled.
    case configuration
  }

  /// - Parameters:
  ///   - present: the connection as fetched.
  ///   - isPending: whether it is known that the connection was never configured.
  ///   - options: the known options of its fields.
  package init(
    _ target: TargetState, _ present: Connection, isPending: Bool,
    _ options: [ConfigurationStep: FieldOptions] = [:]
  ) {
    (self.target, self.present) = (target, present)
    compareStatus()
    if obstacle == nil { obstacle = obstacleToConfiguration }
    guard obstacle == nil else { return }
    if target.namesConfiguration { compareConfiguration(isPending: isPending, options) }
    // A connection is configured before it is disabled.
    if change == .disable { addStatus() }
  }

  /// Whether it removes user features or values.
  package var removes: Bool { differences.contains { $0.change == .removed } }
  package var id: ConnectionID { target.id }
  package var isEmpty: Bool { change == nil && configuration == nil && !isComparedLater }

  // MARK: Status

  /// Why the settings in the file cannot be set; nil if they can, or if the file does not want the connection to be used.
  private var obstacleToConfiguration: Obstacle? {
    guard case .entry = target, target.namesConfiguration else { return nil }
    switch (target.status, present.status) {
    case (.neverEnabled?, _), (.unknown?, _): return nil
    case (_, .neverEnabled): return .neverEnabled
    case (_, .unknown): return .unknownStatus
    default: return nil
    }
  }

  private mutating func compareStatus() {
    switch (target.status, present.status) {
    case (nil, _): break
    case (let wanted?, let status) where wanted == status: if wanted == .unknown { ignored = .status(wanted) }
    case (.unknown?, _), (.neverEnabled?, .enabled), (.neverEnabled?, .unknown):
      ignored = target.status.map(Ignored.status)
    case (.disabled?, .neverEnabled), (.neverEnabled?, .disabled): break
    case (.enabled?, .neverEnabled): obstacle = .neverEnabled
    case (_, .unknown): obstacle = .unknownStatus
    case (.enabled?, _):
      change = .enable
      addStatus()
    default: change = .disable
    }
  }

  private mutating func addStatus() {
    guard let change, let wanted = target.status else { return }
    differences.append(
      StateDifference(
        id: id, change: change == .enable ? .enabled : .disabled, wanted: .string(wanted.rawValue),
        present: .string(present.status.rawValue)))
  }

  // MARK: Configuration

  private mutating func compareConfiguration(isPending: Bool, _ options: [ConfigurationStep: FieldOptions]) {
    guard present.status == .enabled else {
      if change == .enable { isComparedLater = true } else { ignored = ignored ?? .configuration }
      return
    }
    guard let stored = present.userConnection ?? (isPending ? UserConnection() : nil) else {
      obstacle = .unknownConfiguration
      return
    }
    guard let wanted = wanted(from: stored, options), wanted != stored else { return }
    let found = ConfigurationForm(present, stored).differences(to: wanted)
    guard !found.isEmpty else { return }
    configuration = wanted
    differences += found.map { StateDifference($0, of: id) }
  }

  /// The target's configuration; nil if it cannot be determined.
  private mutating func wanted(
    from stored: UserConnection, _ options: [ConfigurationStep: FieldOptions]
  ) -> UserConnection? {
    switch target {
    case .earlier(_, let state): return state.configuration.map(stored.merged(with:))
    case .entry(let entry):
      let wanted = WantedConfiguration(entry.features, of: present, options)
      missingOptions = wanted.missingOptions
      if !wanted.faults.isEmpty { obstacle = .invalid(wanted.faults) }
      return obstacle == nil && missingOptions.isEmpty ? wanted.configuration : nil
    }
  }
}
