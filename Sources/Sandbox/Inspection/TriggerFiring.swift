import JSON
import Text
package import World

/// A trigger that a person selects.
package struct TriggerSelection: Sendable {
  package var user: String
  package var connection: String
  /// The id of the trigger that the user configured, or the full name of its step, such as `lampost.lamp_switched_on`.
  package var trigger: String

  package init(user: String, connection: String, trigger: String) {
    (self.user, self.connection, self.trigger) = (user, connection, trigger)
  }
}

extension Emulator {
  /// Fire a trigger with ingredients that a person typed, as if a poll had found the event.
  ///
  /// - Parameter ingredients: The values by name. Missing ingredients have example values.
  /// - Returns: The key of the event's entry in the log, which already has the entry.
  package mutating func fire(
    _ selection: TriggerSelection, ingredients typed: [String: String], at now: Timestamp
  ) throws(InspectionError) -> Int {
    let trigger = try selectedTrigger(selection)
    let examples = ingredientExamples(of: trigger, at: now)
    if let examples, typed.keys.contains(where: { examples[$0] == nil }) {
      let known = InspectionError.list(examples.members.map(\.key))
      throw .refused("The trigger does not have one of these ingredients; it has: \(known)")
    }
    var ingredients = examples ?? [:]
    for (name, value) in typed.inOrder { ingredients[name] = .string(value) }
    let key = start(
      FoundEvent(trigger: trigger, id: state.makeUUID(), ingredients: ingredients, cause: .fired), at: now)
    recordSteps()
    return key
  }

  /// The selected trigger. If several features use a step, it is the one of the first enabled feature.
  /// - Throws: If an event of the trigger would have no effect.
  func selectedTrigger(_ selection: TriggerSelection) throws(InspectionError) -> FiredTrigger {
    let user = try inspectedUser(selection.user)
    let seeded = try inspectedConnection(selection.connection, of: user)
    switch status(of: user, in: seeded) {
    case .neverEnabled: throw .refused("The user has never enabled this connection")
    case .disabled: throw .refused("The connection is disabled for this user")
    case .enabled: break
    }
    guard !configuration(of: user, in: seeded).isPending else {
      throw .refused("The connection is pending: the user has not configured it yet")
    }
    let configured = configuredTriggers(of: user, in: seeded)
    let selected = configured.filter {
      $0.configured.id == selection.trigger || $0.step.name == selection.trigger
    }
    guard !selected.isEmpty else {
      let names = InspectionError.list(Set(configured.map(\.step.name)).sorted())
      throw .notFound("The user has no trigger with this id or name in the connection; there are: \(names)")
    }
    guard let enabled = selected.first(where: \.feature.isEnabled) else {
      throw .refused("The feature of this trigger is disabled for this user")
    }
    return enabled
  }

  /// The ingredients of a trigger with example values: those of the newest event that a poll found, or else of the
  /// first row in the seed, or else those that IFTTT has for each trigger. Nil if only the partner's server knows them.
  func ingredientExamples(of trigger: FiredTrigger, at now: Timestamp) -> JSONObject? {
    if let found = runtime?.subscriptions[trigger.identity]?.ids.newest { return found }
    if let row = trigger.step.rows.all.first { return row.withoutMeta }
    return isOwn(trigger.step) ? nil : trigger.ingredients(of: CivilTime(now))
  }
}
