import JSON
import Text
package import World

/// An activity of IFTTT for a connection, and its cause.
package struct ActivityRecord: Sendable, Equatable {
  package enum Step: String, Sendable, CaseIterable {
    /// The service sent a Realtime notification.
    case notified
    case polled
    case found
    case queried
    case ran
    case skipped
    /// A request failed. An action or query is tried again, unless the next record is ``givenUp``.
    case failed
    case givenUp = "given_up"
    case options
    case validated
    case webhookSent = "webhook_sent"
    /// A user signed in at the service.
    case signedIn = "signed_in"
    /// The user has a new access token.
    case refreshed
    case identityDeleted = "identity_deleted"
    /// The service or the configuration probably has a mistake, which IFTTT would not report.
    case warning
  }

  package enum Cause: String, Sendable, CaseIterable {
    /// The server started, and the connection was enabled already.
    case start
    case enabled, updated, disabled
    case schedule, notification, event
    /// The server rejected an access token.
    case unauthorized
    /// A request of the service, its app or a browser.
    case request
    /// A person sent an earlier request again.
    case sentAgain = "sent_again"
    /// A person fired a trigger.
    case fired
  }

  package let at: Timestamp
  package let step: Step
  package let cause: Cause
  package var connection: String?
  package var user: String?
  /// The endpoint below `/ifttt/v1`, or a step of another service such as `tidebook.add_entry`.
  package var endpoint: String?
  package var identity: String?
  package var event: String?
  /// The status of the response.
  package var status: Int?
  package var detail: String?

  init(_ step: Step, _ cause: Cause, at: Timestamp) { (self.step, self.cause, self.at) = (step, cause, at) }
}

/// A request to the partner's server that has ended, with its response.
final class CompletedCall: Sendable {
  let planned: ConnectionRuntime.PlannedRequest
  let response: PartnerResponse
  /// The request and response as they were sent; nil in tests without a server.
  let exchange: LoggedExchange?

  init(planned: ConnectionRuntime.PlannedRequest, response: PartnerResponse, exchange: LoggedExchange?) {
    (self.planned, self.response, self.exchange) = (planned, response, exchange)
  }

  var call: PartnerCall { planned.call }
  /// The key of its entry in the log.
  var key: Int { planned.id }
}

extension ConnectionRuntime {
  /// Record a step without a request. Text from the server is masked, because it may repeat the credentials that it
  /// received.
  ///
  /// - Parameter cause: The key of the entry that caused it.
  /// - Returns: The key of its entry.
  @discardableResult
  mutating func add(_ record: ActivityRecord, causedBy cause: Int?) -> Int {
    let key = makeID()
    entries.append(LogEntry(masked(record), nil, key: key, cause: cause, at: record.at))
    return key
  }

  /// Record a step with its request. Text from the server is masked.
  ///
  /// - Parameter extra: Credentials in the response that are not in use.
  mutating func add(_ record: ActivityRecord, for completed: CompletedCall, hiding extra: [String] = []) {
    add(masked(record, hiding: extra), completed, at: record.at)
  }

  /// Record a request that is no step of its own.
  mutating func addRequest(of completed: CompletedCall, at now: Timestamp) {
    if completed.exchange != nil { add(nil, completed, at: now) }
  }

  private mutating func add(_ record: ActivityRecord?, _ completed: CompletedCall, at now: Timestamp) {
    var exchange = completed.exchange
    exchange?.attempt = completed.planned.attempt
    entries.append(LogEntry(record, exchange, completed.planned, at: now))
  }

  /// A text from the server with all credentials masked.
  func masked(_ text: String, hiding extra: [String]) -> String { redactor(hiding: extra).redact(text) }

  private func redactor(hiding extra: [String]) -> Redactor {
    Redactor(credentials.secrets + extra.compactMap(Secret.init(parsing:)))
  }

  private func masked(_ record: ActivityRecord, hiding extra: [String] = []) -> ActivityRecord {
    let redactor = redactor(hiding: extra)
    var record = record
    for part in [\ActivityRecord.detail, \.event, \.identity, \.user] {
      record[keyPath: part] = record[keyPath: part].map(redactor.redact)
    }
    return record
  }

  mutating func recordDeletion(
    _ identity: String, _ cause: ActivityRecord.Cause, _ completed: CompletedCall, at now: Timestamp
  ) {
    let (call, response) = (completed.call, completed.response)
    var record = ActivityRecord(response.isSuccess ? .identityDeleted : .failed, cause, at: now)
    (record.connection, record.user, record.status) = (call.connection, call.user, response.status)
    (record.endpoint, record.identity) = (call.path.prefix(2).joined(separator: "/"), identity)
    record.detail = response.isSuccess ? nil : response.problem
    add(record, for: completed)
  }

  /// Record the response to a webhook. A service does not need an endpoint for webhooks, so only its first 404 is a
  /// failed step.
  mutating func recordWebhook(
    _ completed: CompletedCall, _ cause: ActivityRecord.Cause, event: String?, at now: Timestamp
  ) {
    let (call, response) = (completed.call, completed.response)
    let isMissing = response.status == 404
    if isMissing, !missingEndpoints.insert(call.endpoint).inserted { return addRequest(of: completed, at: now) }
    if !isMissing { missingEndpoints.remove(call.endpoint) }
    let detail = isMissing ? "the service has no endpoint for it, which is not listed again" : response.problem
    record(
      response.isSuccess ? .webhookSent : .failed, cause, of: completed, event: event,
      detail: response.isSuccess ? nil : detail, at: now)
  }

  /// Record a request that a received request caused: for options, for a validation, or for a step that the user runs.
  mutating func recordLookup(
    _ completed: CompletedCall, _ cause: ActivityRecord.Cause = .request, at now: Timestamp
  ) {
    let (call, response) = (completed.call, completed.response)
    if call.grant != nil { return recordExchange(completed, at: now) }
    if call.newToken != nil { return recordIdentity(completed, at: now) }
    // With a 404, the server reports that the field has no options or validation.
    if call.path.count > 2, response.status == 404 { missingEndpoints.insert(call.endpoint) }
    let step: ActivityRecord.Step
    var detail: String?
    switch (call.path.first, call.path.last) {
    case (_, "options"):
      step = .options
      detail = response.data?.array.map { items in
        "\(items.reduce(0) { $0 + ($1["values"]?.array?.count ?? 1) }) options"
      }
    case (_, "validate"):
      step = .validated
      detail = response.rejections(of: call).map { rejections in
        rejections.isEmpty ? "valid" : rejections.map(\.message).joined(separator: " ")
      }
    case ("queries", _): step = .queried
    default: step = .ran
    }
    let isMissing = call.path.count > 2 && response.status == 404
    if response.skip != nil {
      record(.skipped, cause, of: completed, detail: response.skip, at: now)
    } else if response.data == nil, !isMissing {
      record(.failed, cause, of: completed, detail: response.problem, at: now)
    } else {
      record(step, cause, of: completed, detail: isMissing ? "none" : detail, at: now)
    }
  }
}
