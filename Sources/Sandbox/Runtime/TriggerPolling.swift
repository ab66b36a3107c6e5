import HTTP
import JSON
import Text
import World

extension ConnectionRuntime {
  /// Replace the uses of triggers by one user's connection. A trigger with the same fields keeps its identity and its
  /// known events. An identity without a use is deleted on the server.
  ///
  /// - Parameter causeKey: The key of the entry that causes it.
  mutating func subscribe(
    _ triggers: [FiredTrigger], of user: String, in connection: String, _ cause: ActivityRecord.Cause,
    causedBy causeKey: Int?, at now: Timestamp
  ) {
    var newUses = triggers.map { (identity: $0.identity, use: $0) }
    for identity in subscriptions.keys.sorted() {
      guard var subscription = subscriptions[identity] else { continue }
      subscription.uses = subscription.uses.compactMap { use in
        guard use.trigger.user.id == user, use.trigger.connection.id == connection else { return use }
        let index = newUses.firstIndex { $0.identity == identity && $0.use.configured.id == use.trigger.configured.id }
        guard let index else { return nil }
        var use = use
        use.trigger = newUses.remove(at: index).use
        return use
      }
      subscriptions[identity] = subscription
    }
    for (identity, use) in newUses {
      var subscription =
        subscriptions[identity]
        ?? TriggerSubscription(
          user: user, slug: use.step.slug, fields: use.fields, uses: [], nextPoll: now, cause: cause)
      subscription.uses.append(.init(use))
      (subscription.nextPoll, subscription.cause, subscription.causeKey) = (now, cause, causeKey)
      subscriptions[identity] = subscription
    }
    for (identity, subscription) in subscriptions.inOrder where subscription.uses.isEmpty {
      subscriptions[identity] = nil
      let call = PartnerCall(
        method: .delete, path: ["triggers", subscription.slug, "trigger_identity", identity], user: user,
        connection: connection)
      plan(call, for: .deletion(identity, cause), lane: identity, notBefore: now, causedBy: causeKey)
    }
  }

  /// Poll at once the subject of a Realtime notification: a trigger identity, or all triggers of a user.
  ///
  /// - Parameter causeKey: The key of the entry of the request with the notification.
  mutating func notified(_ item: PartnerNotification, causedBy causeKey: Int?, at now: Timestamp) {
    let identities = subscriptions.filter { item.isAbout($0.key, of: $0.value.user) }.map(\.key).sorted()
    var record = ActivityRecord(.notified, .request, at: now)
    switch item {
    case .user(let id): record.user = id
    case .trigger(let identity): record.identity = identity
    }
    if let subscription = identities.first.flatMap({ subscriptions[$0] }), identities.count == 1 {
      (record.user, record.connection, record.endpoint, record.identity) = (
        subscription.user, subscription.uses.first?.trigger.connection.id, "triggers/\(subscription.slug)",
        identities[0]
      )
    }
    record.detail = identities.isEmpty ? "no enabled connection uses it" : nil
    let key = add(record, causedBy: causeKey)
    for identity in identities {
      subscriptions[identity]?.causeKey = key
      if subscriptions[identity]?.isPolling == true {
        subscriptions[identity]?.isNotified = true
      } else {
        subscriptions[identity]?.nextPoll = now
        subscriptions[identity]?.cause = .notification
      }
    }
  }

  mutating func pollIfDue(at now: Timestamp) {
    for (identity, subscription) in subscriptions.inOrder where !subscription.isPolling {
      // A clock that was set back must not stop the polls.
      let isEarly = subscription.nextPoll > now && subscription.nextPoll <= now + rules.pollInterval
      guard !isEarly else { continue }
      let connection = subscription.uses.first?.trigger.connection.id ?? ""
      let body = PartnerBody.step(
        .triggers, fields: subscription.fields, connection: connection, identity: identity)
      let call = PartnerCall(
        method: .post, path: ["triggers", subscription.slug], body: body,
        isRealtime: subscription.cause == .notification, user: subscription.user, connection: connection)
      subscriptions[identity]?.isPolling = true
      plan(call, for: .poll(identity), lane: identity, notBefore: now, causedBy: subscription.causeKey)
      subscriptions[identity]?.causeKey = nil
    }
  }

  /// Evaluate the response of a poll.
  /// - Returns: the new events, oldest first.
  mutating func finishPoll(_ identity: String, _ completed: CompletedCall, at now: Timestamp) -> [FoundEvent] {
    let (call, response) = (completed.call, completed.response)
    guard var subscription = subscriptions[identity] else {
      // It was deleted since.
      addRequest(of: completed, at: now)
      return []
    }
    let cause = subscription.cause
    let outcome = TriggerSubscription.PollOutcome(status: response.status)
    let isRepeated = subscription.lastOutcome == outcome
    subscription.isPolling = false
    subscription.lastOutcome = outcome
    (subscription.nextPoll, subscription.cause) =
      subscription.isNotified ? (now, .notification) : (now + rules.pollInterval, .schedule)
    subscription.isNotified = false
    var newEvents: [FoundEvent] = []
    var warnings: [String] = []
    if let rows = response.rows {
      // The newest is first in the response.
      let events = rows.reversed().compactMap { row -> EventIDs.Event? in
        guard let id = row["meta"]?["id"], let text = id.string ?? id.number?.text else { return nil }
        return (text, row["meta"]?["timestamp"], row.withoutMeta)
      }
      subscription.ids.add(events)
      for index in subscription.uses.indices {
        guard let fresh = subscription.uses[index].add(events.map(\.id)), !subscription.ids.isUnstable else {
          continue
        }
        if fresh.count >= EventIDs.limit, fresh.count == Set(events.map(\.id)).count {
          warnings = [
            "all \(fresh.count) events are new, so older ones may be lost: IFTTT reads the latest \(EventIDs.limit)"
          ]
        }
        newEvents += events.filter { fresh.contains($0.id) }.map { event in
          FoundEvent(
            trigger: subscription.uses[index].trigger, id: event.id, ingredients: event.row, cause: cause,
            causeKey: completed.key)
        }
      }
      if subscription.ids.isUnstable, !subscription.ids.isReported {
        subscription.ids.isReported = true
        warnings.append(
          "every poll has other values of meta.id, which would run the actions of all events again: none run")
      }
    }
    subscriptions[identity] = subscription
    // Most polls find nothing. A row for each would soon displace the others.
    if !isRepeated || !newEvents.isEmpty || cause != .schedule {
      let step: ActivityRecord.Step = response.rows == nil ? .failed : .polled
      var record = ActivityRecord(step, cause, at: now)
      (record.connection, record.user, record.endpoint) = (call.connection, call.user, call.endpoint)
      (record.identity, record.status) = (identity, response.status)
      let count = response.rows?.count ?? 0
      record.detail = response.rows == nil ? response.problem : count == 1 ? "1 event" : "\(count) events"
      add(record, for: completed)
    }
    for warning in warnings {
      var record = ActivityRecord(.warning, cause, at: now)
      (record.connection, record.user, record.endpoint) = (call.connection, call.user, call.endpoint)
      (record.identity, record.detail) = (identity, warning)
      add(record, causedBy: completed.key)
    }
    return newEvents
  }
}

/// The subject of a partner's Realtime notification.
package enum PartnerNotification: Sendable, Equatable {
  case user(String)
  case trigger(String)

  func isAbout(_ identity: String, of user: String) -> Bool {
    switch self {
    case .user(let id): id == user
    case .trigger(let id): id == identity
    }
  }
}

extension JSONObject {
  /// A row's ingredients.
  var withoutMeta: JSONObject { JSONObject(members: members.filter { $0.key != "meta" }) }
}

/// The ids of a trigger's events from poll to poll. A service that makes new ids for each response would run the actions
/// of all its events again with every poll.
struct EventIDs {
  typealias Event = (id: String, timestamp: JSONValue?, row: JSONObject)

  /// The number of events that IFTTT requests with a poll.
  static let limit = 50

  private var ids: Set<String> = []
  private var contents: [JSONValue] = []
  /// The ingredients of the newest event in the last poll.
  var newest: JSONObject? { contents.last?.array?.last?.object }
  /// The number of consecutive full polls that shared no id with the poll before.
  private var changes = 0
  /// Whether the ids were made for the last response, so that they show no new events.
  private(set) var isUnstable = false
  /// Whether unstable ids were reported.
  var isReported = false

  /// Compare the events of a poll with those of the poll before. The ids are unstable if all of them differ although
  /// nothing else does. If the events differ too, they may all be new. If that happens twice in a row with as many
  /// events as a response can have, however, the ids count as unstable.
  mutating func add(_ events: [Event]) {
    let (earlier, earlierContents) = (ids, contents)
    ids = Set(events.map(\.id))
    contents = events.map { .array([$0.timestamp ?? .null, .object($0.row)]) }
    guard !earlier.isEmpty, !ids.isEmpty, earlier.isDisjoint(with: ids) else {
      (changes, isUnstable) = (0, false)
      return
    }
    let isFull = events.count >= Self.limit && earlierContents.count >= Self.limit
    changes = isFull ? changes + 1 : 0
    isUnstable = contents == earlierContents || changes >= 2
  }
}
