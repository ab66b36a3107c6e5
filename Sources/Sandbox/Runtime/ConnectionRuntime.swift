package import Text
import World

/// IFTTT as a client of one partner's server: it polls the triggers of enabled connections, runs their queries and
/// actions, and sends webhooks.
///
/// It is a pure state machine: it returns the requests to send, and receives their responses.
package struct ConnectionRuntime: Sendable {
  /// The configurable behavior. None of it is documented by IFTTT (docs/api/service.md C30, U20).
  package struct Rules: Sendable, Equatable {
    /// The time between two polls of a trigger.
    package var pollInterval: Duration = .seconds(5)
    /// The maximum number of attempts of an action or query.
    package var attempts = 3
    /// The pause before the second attempt. Each further pause is twice as long.
    package var retryPause: Duration = .seconds(2)
    /// How users sign in; nil if the host has no client id, client secret and token URL, so that it can neither
    /// exchange codes nor refresh access tokens.
    package var signIn: SignInRules?

    package init() {}
  }

  /// The slug of the partner's service. The steps of other services are only simulated.
  let service: String
  package var rules: Rules
  var credentials: PartnerCredentials
  /// Entries for the log, oldest first. The emulator moves them there.
  var entries: [LogEntry] = []
  /// The requests sent again whose responses have arrived: their tickets, and the keys of their entries.
  var sentAgain: [(ticket: Int, key: Int)] = []
  /// The polled triggers, by trigger identity.
  var subscriptions: [String: TriggerSubscription] = [:]
  var runs: [Int: EventRun] = [:]
  /// The endpoints that the server does not have: it responded with 404. Options and validations are not requested from
  /// them again.
  var missingEndpoints: Set<String> = []
  /// The options that a page of an activation showed, by the key of their request. Later pages of the activation show
  /// the same options.
  var shownOptions: [String: PartnerResponse] = [:]
  var signIns = SignInTable()
  /// The rejected requests that wait for a new access token, by user, each with its response.
  var rejected: [String: [CompletedCall]] = [:]
  private var waiting: [PlannedRequest] = []
  private var inFlight: [Int: PlannedRequest] = [:]
  private var lastID = 0

  /// The purpose of a request.
  enum Purpose: Equatable {
    /// The poll of a trigger identity.
    case poll(String)
    case deletion(String, ActivityRecord.Cause)
    case run(Int)
    case webhook(ActivityRecord.Cause, event: String?)
    /// A new access token for a user.
    case refresh(String)
    /// A response that a received request waits for.
    case lookup(Int)
    /// A request that a person sends again, with the ticket for its response.
    case again(Int)
  }

  /// A request that is waiting or in flight.
  struct PlannedRequest {
    let id: Int
    let call: PartnerCall
    let purpose: Purpose
    /// Requests with the same lane are sent one after the other.
    let lane: String?
    let notBefore: Timestamp
    /// The key of the entry that caused the request.
    let causeKey: Int?
    /// The number of the attempt, counted from 1.
    let attempt: Int
    /// The run that the request belongs to, as it was when the request was planned.
    let run: EventRun?
    /// The access token that the request was sent with.
    var accessToken: String?
    /// Whether this is the second attempt, after a refresh of the access token.
    var isRepeated = false
  }

  init(service: String, rules: Rules, credentials: PartnerCredentials) {
    (self.service, self.rules, self.credentials) = (service, rules, credentials)
  }

  /// The credentials that may not appear in any log.
  package var secrets: [Secret] { credentials.secrets + signIns.secrets }

  /// Returns an id that was never used before.
  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  /// The runtime `fresh`, to replace this one after a reset. Its ids continue from this runtime's ids, so that a late
  /// response to an old request does not match a new request.
  func restarted(as fresh: ConnectionRuntime) -> ConnectionRuntime {
    var fresh = fresh
    fresh.lastID = lastID
    return fresh
  }

  /// - Parameters:
  ///   - cause: The key of the entry that causes the request; nil for a scheduled one.
  ///   - attempt: The number of the attempt, counted from 1.
  ///   - run: The run that the request belongs to.
  mutating func plan(
    _ call: PartnerCall, for purpose: Purpose, lane: String? = nil, notBefore: Timestamp, causedBy cause: Int?,
    attempt: Int = 1, in run: EventRun? = nil
  ) {
    waiting.append(
      PlannedRequest(
        id: makeID(), call: call, purpose: purpose, lane: lane, notBefore: notBefore, causeKey: cause,
        attempt: attempt, run: run))
  }

  /// Puts a request back before all others, so that no later request of its lane overtakes it.
  mutating func planAgain(_ planned: PlannedRequest) {
    var again = PlannedRequest(
      id: makeID(), call: planned.call, purpose: planned.purpose, lane: planned.lane, notBefore: planned.notBefore,
      causeKey: planned.causeKey, attempt: planned.attempt + 1, run: planned.run)
    again.isRepeated = true
    waiting.insert(again, at: 0)
  }

  /// Removes and returns the requests to send now, oldest first. The caller must report the response to each.
  mutating func takeRequests(at now: Timestamp) -> [PartnerRequest] {
    pollIfDue(at: now)
    var busy = busyLanes
    var (due, rest): ([PlannedRequest], [PlannedRequest]) = ([], [])
    for request in waiting {
      if request.notBefore > now || isBlocked(request, busy) {
        rest.append(request)
      } else {
        if let lane = request.lane { busy.insert(lane) }
        due.append(request)
      }
    }
    waiting = rest
    return due.map { request in
      var request = request
      let call = request.call
      request.accessToken = call.newToken ?? (call.isForUser ? credentials.token(of: call.user) : nil)
      inFlight[request.id] = request
      var sent = PartnerRequest(id: request.id, call: call, accessToken: request.accessToken)
      if case .refresh(let user) = request.purpose {
        sent.call.grant = credentials.refreshTokens[user].map(TokenGrant.refreshToken)
      }
      return sent
    }
  }

  /// Ends the runs of a connection that is no longer enabled, so that no further step or attempt follows.
  mutating func endRuns(of user: String, in connection: String) {
    runs = runs.filter { $0.value.trigger.user.id != user || $0.value.trigger.connection.id != connection }
    waiting.removeAll { request in
      if case .run(let id) = request.purpose { runs[id] == nil } else { false }
    }
  }

  /// Removes the request with this id from those in flight, and returns it.
  mutating func finish(_ id: Int) -> PlannedRequest? { inFlight.removeValue(forKey: id) }

  private var busyLanes: Set<String> { Set(inFlight.values.compactMap(\.lane)) }

  /// Whether a response must arrive before the request can be sent: the response to an earlier request in its lane, or
  /// to the refresh of its user's access token.
  private func isBlocked(_ request: PlannedRequest, _ busy: Set<String>) -> Bool {
    if request.lane.map(busy.contains) == true { return true }
    return request.call.isForUser && request.call.user.map { rejected[$0] != nil } == true
  }

  /// The time of the next request or poll; nil if there is none before a response arrives. Any response may change it.
  var nextTime: Timestamp? {
    let busy = busyLanes
    return
      (waiting.filter { !isBlocked($0, busy) }.map(\.notBefore)
      + subscriptions.values.filter { !$0.isPolling }.map(\.nextPoll)).min()
  }

  mutating func record(
    _ step: ActivityRecord.Step, _ cause: ActivityRecord.Cause, of completed: CompletedCall, event: String? = nil,
    detail: String? = nil, at now: Timestamp
  ) {
    let call = completed.call
    var record = ActivityRecord(step, cause, at: now)
    (record.connection, record.user, record.endpoint) = (call.connection, call.user, call.endpoint)
    (record.event, record.status, record.detail) = (event, completed.response.status, detail)
    add(record, for: completed)
  }
}
