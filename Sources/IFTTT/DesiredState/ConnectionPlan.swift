package import JSON

/// A step of a change, which is one request.
package enum ChangeStep: Sendable, Equatable {
  case enable, disable
  /// Replaces the whole configuration.
  case configure(UserConnection)
  /// Sets fields of a plugin's connection.
  case set(JSONObject)

  /// The status after the step; nil if it stays.
  package var status: UserStatus? {
    switch self {
    case .enable: .enabled
    case .disable: .disabled
    case .configure, .set: nil
    }
  }

  /// The request for a change of the status in IFTTT's API; nil if the status stays.
  package var statusSwitch: StatusSwitch? {
    switch self {
    case .enable: .enable
    case .disable: .disable
    case .configure, .set: nil
    }
  }
}

/// The requests that bring one subject to its target.
package struct ConnectionPlan: Sendable {
  /// The reason why a subject cannot reach its target.
  package enum Obstacle: Sendable, Equatable {
    /// The file contains a feature, field or value that this connection does not have or accept.
    case invalid([WantedConfiguration.Fault])
    /// The user must enable it in a browser first.
    case neverEnabled
    /// It was disabled before it was configured, and IFTTT does not enable such a connection.
    case pendingWhenDisabled
    /// Its status for this user is unknown.
    case unknownStatus
    /// IFTTT sent no configuration, so replacing it could lose settings.
    case unknownConfiguration
    /// IFTTT accepts no settings while it is disabled.
    case disabled
  }

  /// Options that extend a plan beyond the necessary changes.
  package struct Options: Sendable {
    /// Whether a status is sent even if the subject has it or seems not to accept it.
    package var isForced = false
    /// Whether the status is changed even if it is unknown.
    package var ignoresUnknownStatus = false
    /// Whether settings that IFTTT did not send may be replaced.
    package var replacesUnseen = false

    package init(isForced: Bool = false, replacesUnseen: Bool = false) {
      (self.isForced, self.replacesUnseen) = (isForced, replacesUnseen)
    }
  }

  package let id: String
  package let target: TargetState
  package private(set) var present: SubjectState
  /// The change of the status, which is `enable` or `disable`; nil if it stays.
  package private(set) var change: ChangeStep?
  /// The configuration to send; nil if nothing in it changes.
  package private(set) var configuration: UserConnection?
  package private(set) var differences: [StateDifference] = []
  package private(set) var obstacle: Obstacle?
  /// The steps whose options are needed before the plan is complete.
  package private(set) var missingOptions: [ConfigurationStep] = []
  /// Whether the configuration can be compared only once the connection is enabled: IFTTT sends none before.
  package private(set) var isComparedLater = false
  /// The part of the file that the plan does not apply; nil if it applies all of it.
  package private(set) var ignored: Ignored?
  private let options: Options

  /// A part of the file that has no effect.
  package enum Ignored: Sendable, Equatable {
    /// No request sets this status.
    case status(UserStatus)
    /// The configuration of a connection that is and stays disabled.
    case configuration
  }

  /// - Parameters:
  ///   - present: the subject as read.
  ///   - fieldOptions: the known options of its fields.
  package init(
    _ target: TargetState, of id: String, _ present: SubjectState,
    _ fieldOptions: [ConfigurationStep: FieldOptions] = [:], _ options: Options = Options()
  ) {
    (self.id, self.target, self.present, self.options) = (id, target, present, options)
    compareStatus()
    if obstacle == nil { obstacle = obstacleToConfiguration }
    guard obstacle == nil else { return }
    if let values {
      differences = values.members.map {
        StateDifference(id: id, field: $0.key, change: .added, wanted: $0.value, present: .null)
      }
    } else if target.namesConfiguration {
      compareConfiguration(fieldOptions)
    }
    // A connection is configured before it is disabled.
    if change == .disable { addStatus() }
  }

  /// The number of user features or values that it removes.
  package var removals: Int { differences.count { $0.change == .removed } }
  package var isEmpty: Bool { change == nil && !changesSettings }
  /// Whether settings are sent, or may be once the connection is enabled.
  package var changesSettings: Bool { configuration != nil || values != nil || isComparedLater }
  /// The fields of a plugin's connection that are set; nil for none.
  package var values: JSONObject? { if case .values(let values) = target { values } else { nil } }
  /// Whether it disables a connection that cannot be enabled again.
  package var isIrreversible: Bool { change == .disable && present.isPending && present.status != .disabled }

  /// The steps to send, in order.
  package var steps: [ChangeStep] {
    let settings = configuration.map { [ChangeStep.configure($0)] } ?? []
    if let values { return [.set(values)] }
    guard let change else { return settings }
    return change == .enable ? [change] + settings : settings + [change]
  }

  /// The same plan without the settings of the present state, which are large.
  package var withoutSettings: ConnectionPlan {
    var plan = self
    plan.present.connection = nil
    return plan
  }

  // MARK: Status

  /// The reason why the settings cannot be set; nil if they can, or if the target does not require it.
  private var obstacleToConfiguration: Obstacle? {
    guard target.namesConfiguration, values == nil else { return nil }
    switch (target.status, present.status) {
    case (.neverEnabled?, _), (.unknown?, _): return nil
    case (.disabled?, .neverEnabled): if case .state = target { return nil } else { return .neverEnabled }
    case (_, .neverEnabled): return .neverEnabled
    case (_, .unknown): if case .state = target { return nil } else { return .unknownStatus }
    case (nil, .disabled): if case .state = target { return .disabled } else { return nil }
    default: return nil
    }
  }

  private mutating func compareStatus() {
    switch (target.status, present.status) {
    case (nil, _): break
    case (.unknown?, _), (.neverEnabled?, .enabled), (.neverEnabled?, .unknown):
      ignored = target.status.map(Ignored.status)
    case (.neverEnabled?, _): break
    case (.enabled?, .neverEnabled): obstacle = .neverEnabled
    case (.enabled?, .disabled) where present.isPending && !options.isForced: obstacle = .pendingWhenDisabled
    case (let wanted?, let status) where wanted == status || (wanted == .disabled && status == .neverEnabled):
      if options.isForced { change = wanted == .enabled ? .enable : .disable }
    case (_, .unknown) where !options.isForced && !options.ignoresUnknownStatus && present.isReadable:
      obstacle = .unknownStatus
    case (.enabled?, _):
      change = .enable
      addStatus()
    default: change = .disable
    }
  }

  private mutating func addStatus() {
    guard let change, let wanted = target.status, wanted != present.status else { return }
    differences.append(
      StateDifference(
        id: id, change: change == .enable ? .enabled : .disabled, wanted: .string(wanted.rawValue),
        present: .string(present.status.rawValue)))
  }

  // MARK: Configuration

  private mutating func compareConfiguration(_ fieldOptions: [ConfigurationStep: FieldOptions]) {
    guard let connection = present.connection else { return }
    guard present.status == .enabled || (present.status == .unknown && target.status == nil) else {
      if change == .enable { isComparedLater = true } else { ignored = ignored ?? .configuration }
      return
    }
    let unseen = present.isPending || options.replacesUnseen ? UserConnection() : nil
    guard let stored = connection.userConnection ?? unseen else {
      obstacle = .unknownConfiguration
      return
    }
    guard let desired = targetConfiguration(of: connection, from: stored, fieldOptions), desired != stored else {
      return
    }
    let changes = ConfigurationForm(connection, stored).differences(to: desired)
    guard !changes.isEmpty else { return }
    configuration = desired
    differences += changes.map { StateDifference($0, of: id) }
  }

  /// The target's configuration; nil if it cannot be determined.
  private mutating func targetConfiguration(
    of connection: Connection, from stored: UserConnection, _ fieldOptions: [ConfigurationStep: FieldOptions]
  ) -> UserConnection? {
    switch target {
    case .state(let state): return state.configuration.map(stored.merged(with:))
    case .entry(let entry):
      let wanted = WantedConfiguration(entry.features, of: connection, fieldOptions)
      missingOptions = wanted.missingOptions
      if !wanted.faults.isEmpty { obstacle = .invalid(wanted.faults) }
      return obstacle == nil && missingOptions.isEmpty ? wanted.configuration : nil
    case .values: return nil
    }
  }
}

extension ConnectionPlan {
  /// A sentence about the parts of the target without effect; nil if all have one.
  package var ignoredText: String? {
    switch ignored {
    case nil: nil
    case .status(let status): "Connection '\(id)' is \(status.rawValue) in the file, which no request can set."
    case .configuration: "The settings of connection '\(id)' are not compared: IFTTT sends none while it is disabled."
    }
  }
}

/// One difference between the desired and the present state of a connection.
package struct StateDifference: Sendable, Equatable {
  package enum Change: String, Sendable, CaseIterable { case added, changed, removed, enabled, disabled }

  package var id: String
  /// The address of the field or user feature; nil for the status of the connection.
  package var field: String?
  package var label: String?
  package var change: Change
  /// The target value in the form of a file; null if it is missing.
  package var wanted: JSONValue
  package var present: JSONValue
  /// The difference of the settings; nil for the status.
  package private(set) var setting: ConfigurationDifference?

  package init(
    id: String, field: String? = nil, label: String? = nil, change: Change, wanted: JSONValue, present: JSONValue
  ) {
    (self.id, self.field, self.label, self.change) = (id, field, label, change)
    (self.wanted, self.present) = (wanted, present)
  }
}

extension StateDifference {
  init(_ difference: ConfigurationDifference, of id: String) {
    self.init(
      id: id, field: difference.address, label: difference.label, change: Change(difference),
      wanted: difference.after.inFile, present: difference.before.inFile)
    setting = difference
  }
}

extension StateDifference.Change {
  /// Creates a change. A user feature that is in both configurations is enabled or disabled.
  fileprivate init(_ difference: ConfigurationDifference) {
    switch difference.change {
    case .added: self = .added
    case .removed: self = .removed
    case .changed:
      let isFeature = difference.location == nil
      self = isFeature ? (difference.after == true ? .enabled : .disabled) : .changed
    }
  }
}

extension JSONValue {
  fileprivate var inFile: JSONValue { FileValue(self)?.json ?? .null }
}
