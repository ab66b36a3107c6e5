import JSON
import Text
import World

extension Emulator {
  /// Send the webhooks of connections that a request enabled, updated or disabled, and poll their triggers accordingly.
  mutating func announceChanges(since before: SandboxState, at now: Timestamp) {
    guard let service = runtime?.service else { return }
    for (user, connections) in state.changes(since: before) {
      guard let user = self.user(user, of: service) else { continue }
      for id in connections {
        guard let seeded = seed.connection(id), seeded.connection.services.first?.slug == service else { continue }
        if let change = change(of: seeded, for: user, since: before) { announce(change, of: seeded, user, at: now) }
      }
    }
  }

  private func change(
    of seeded: SeededConnection, for user: SandboxFixtures.User, since before: SandboxState
  ) -> ActivityRecord.Cause? {
    switch (status(of: user, in: seeded, before) == .enabled, status(of: user, in: seeded) == .enabled) {
    case (false, true): return .enabled
    case (true, false): return .disabled
    case (false, false): return nil
    case (true, true):
      let (old, new) = (configuration(of: user, in: seeded, before), configuration(of: user, in: seeded))
      // A refreshed label of an option changes nothing.
      let isSame = old.features.map(\.partnerContent) == new.features.map(\.partnerContent)
      return isSame ? nil : .updated
    }
  }

  private mutating func announce(
    _ change: ActivityRecord.Cause, of seeded: SeededConnection, _ user: SandboxFixtures.User, at now: Timestamp
  ) {
    let connection = seeded.connection
    if let partner = seed.partners.first(where: { $0.service == connection.services[0].slug }) {
      let webhook = Webhook.connection(
        change, connection, user, key: partner.key, at: now.milliseconds,
        request: makeWebhookRequestID(at: now.milliseconds))
      send(webhook, at: now)
    }
    if change == .disabled { runtime?.endRuns(of: user.id, in: connection.id) }
    let triggers = triggers(of: user, in: seeded)
    runtime?.subscribe(triggers, of: user.id, in: connection.id, change, causedBy: causeKey, at: now)
  }

  /// The triggers of the partner's own service that the user's enabled features use. A connection that is pending or
  /// disabled uses none.
  func triggers(of user: SandboxFixtures.User, in seeded: SeededConnection) -> [FiredTrigger] {
    guard let runtime, status(of: user, in: seeded) == .enabled, !configuration(of: user, in: seeded).isPending else {
      return []
    }
    return configuredTriggers(of: user, in: seeded).filter {
      $0.feature.isEnabled && $0.step.service.slug == runtime.service
    }
  }

  /// All triggers that the user has configured, also those of disabled features.
  func configuredTriggers(of user: SandboxFixtures.User, in seeded: SeededConnection) -> [FiredTrigger] {
    configuration(of: user, in: seeded).features.flatMap { feature in
      feature.configuredSteps(.triggers).map {
        FiredTrigger(
          connection: seeded.connection, user: user, feature: feature, step: $0.step, configured: $0.configured)
      }
    }
  }

  /// Act on a new event of a trigger: record it, send the webhook, and run the queries and actions of the feature if
  /// the server of its service is connected.
  ///
  /// - Returns: The key of the event's entry in the log.
  @discardableResult
  mutating func start(_ found: FoundEvent, at now: Timestamp) -> Int {
    let isConnected = found.trigger.connection.services[0].slug == runtime?.service
    let key = record(found, isConnected, at: now)
    let outer = causeKey
    causeKey = key
    fire(found.trigger, found.ingredients, event: found.id, sentAt: now.milliseconds)
    causeKey = outer
    if isConnected { runtime?.start(found, causeKey: key, at: now) }
    return key
  }

  private mutating func record(_ found: FoundEvent, _ isConnected: Bool, at now: Timestamp) -> Int {
    let record = found.record(at: now)
    if isConnected, let key = runtime?.add(record, causedBy: found.causeKey ?? causeKey) { return key }
    let key = makeKey()
    unsent.append(LogEntry(record, nil, key: key, cause: causeKey, at: now))
    return key
  }
}

extension FoundEvent {
  fileprivate func record(at now: Timestamp) -> ActivityRecord {
    var record = ActivityRecord(.found, cause, at: now)
    (record.connection, record.user, record.event) = (trigger.connection.id, trigger.user.id, id)
    let isOwn = trigger.step.service.slug == trigger.connection.services[0].slug
    record.endpoint = isOwn ? "triggers/\(trigger.step.slug)" : trigger.step.name
    if isOwn { record.identity = trigger.identity }
    return record
  }
}

extension SandboxState {
  /// The connections whose status or configuration differs from the earlier state, by user.
  fileprivate func changes(since before: SandboxState) -> [(user: String, connections: [String])] {
    // Most requests change neither, so the comparison ends at the identity of the dictionaries' storage.
    guard statuses != before.statuses || configurations != before.configurations else { return [] }
    let users = Set(statuses.keys).union(before.statuses.keys).union(configurations.keys)
    return users.sorted().compactMap { user in
      let (new, old) = (statuses[user] ?? [:], before.statuses[user] ?? [:])
      let (newer, older) = (configurations[user] ?? [:], before.configurations[user] ?? [:])
      let ids = Set(new.keys).union(old.keys).union(newer.keys)
      let changed = ids.filter { new[$0] != old[$0] || newer[$0] != older[$0] }
      return changed.isEmpty ? nil : (user, changed.sorted())
    }
  }
}

extension SandboxFixtures.UserFeature {
  /// The part of the configuration that a partner's server receives.
  fileprivate var partnerContent: JSONValue {
    var parts: [JSONValue] = [.string(id), .bool(isEnabled), .array(values.map { $0?.sent() ?? .null })]
    for kind in StepKind.allCases {
      parts += self[keyPath: kind.ofUser].map { step in .array(step?.values.map { $0?.sent() ?? .null } ?? []) }
    }
    return .array(parts)
  }
}

extension FiredTrigger {
  /// The webhook *Trigger fired* (docs/api/service.md §10).
  /// - Parameter milliseconds: The time of sending, in milliseconds since 1970.
  func webhook(
    _ ingredients: JSONObject, _ cause: ActivityRecord.Cause, key: String, sentAt milliseconds: Int64, request: String
  ) -> Webhook {
    Webhook(
      "trigger_subscription", "fired",
      [
        "sent_at": .number(JSONNumber(Int(milliseconds))),
        "data": [
          "user_id": .string(user.id), "user_timezone": .string(Webhook.timezone),
          "connection_id": .string(connection.id), "trigger_id": .string("\(step.service.slug).\(step.slug)"),
          "feature_id": .string(feature.feature.id), "user_feature_id": .string(feature.id),
          "user_feature_trigger_id": .string(configured.id),
        ],
        "event_data": ["ingredients": .object(ingredients)],
      ], about: connection, user, cause, key: key, request: request)
  }
}

extension Emulator {
  /// - Parameter event: the id of the event; nil for a test.
  mutating func fire(
    _ fired: FiredTrigger, _ ingredients: JSONObject, event: String? = nil, sentAt milliseconds: Int64
  ) {
    // A service without a key receives no webhooks.
    guard let partner = seed.partners.first(where: { $0.service == fired.connection.services[0].slug }) else { return }
    var webhook = fired.webhook(
      ingredients, event == nil ? .request : .event, key: partner.key, sentAt: milliseconds,
      request: makeWebhookRequestID(at: milliseconds))
    webhook.event = event
    send(webhook, at: Timestamp(milliseconds: milliseconds))
  }

  /// Creates a request id of 32 hexadecimal digits, as IFTTT does. Ids differ for each webhook, even after a restart.
  mutating func makeWebhookRequestID(at milliseconds: Int64) -> String {
    webhookCount += 1
    var random = SplitMix64(state: UInt64(bitPattern: milliseconds) << 20 ^ UInt64(webhookCount))
    return [random.next(), random.next()].map { String(hex: $0, width: 16) }.joined()
  }
}
