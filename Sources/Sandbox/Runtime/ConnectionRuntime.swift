package import Text
import World

/// IFTTT as a client of one partner's server: it polls the triggers of enabled connections, runs their queries and
/// actions, and sends webhooks.
///
/// It is a pure state machine. It decides which requests to send, and learns their responses.
package struct ConnectionRuntime: Sendable {
  /// The configurable behavior. None of it is documented by IFTTT (docs/api/service.md C30, U20).
  package struct Rules: Sendable, Equatable {
    /// The time between two polls of a trigger.
    package var pollInterval: Duration = .seconds(5)
    /// The number of times that a failing action or query is tried.
    package var attempts = 3
    /// The time before the second attempt. It doubles with each further one.
    package var retryPause: Duration = .seconds(2)
    /// Whether the host can send the refresh of an access token, which needs the service's client id and secret.
    package var refreshesTokens = false

    package init() {}
  }

  /// The slug of the service whose server it is. The steps of other services are only simulated.
  let service: String
  package var rules: Rules
  var credentials: PartnerCredentials
  package internal(set) var activity = ActivityLog()
  /// By trigger identity.
  var subscriptions: [String: TriggerSubscription] = [:]
  var runs: [Int: EventRun] = [:]
  /// The endpoints of options, validations and webhooks that the server does not have, which it said with a 404.
  var missingEndpoints: Set<String> = []
  /// The options that a page of an activation showed, by the key of their request, for the pages that follow.
  var shownOptions: [String: PartnerResponse] = [:]
  /// The rejected requests that wait for a new access token, by user, each with its response.
  var rejected: [String: [(planned: Planned, response: PartnerResponse)]] = [:]
  private var waiting: [Planned] = []
  private var inFlight: [Int: Planned] = [:]
  private var lastID = 0

  /// What a request is for.
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
  }

  /// A request that is waiting or in flight.
  struct Planned {
    let id: Int
    let call: PartnerCall
    let purpose: Purpose
    /// Requests of the same lane are sent one after the other.
    let lane: String?
    let notBefore: Timestamp
    /// The access token that it was sent with.
    var accessToken: String?
    /// Whether this is the second attempt, after a refresh of the access token.
    var isRepeated = false
  }

  init(service: String, rules: Rules, credentials: PartnerCredentials) {
    (self.service, self.rules, self.credentials) = (service, rules, credentials)
  }

  /// The credentials that may not appear in any log.
  package var secrets: [Secret] { credentials.secrets }

  /// A number that was never used before.
  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  /// A new runtime after a reset. Its ids continue, so that late responses to requests of the old one match none of its
  /// own.
  func restarted(as fresh: ConnectionRuntime) -> ConnectionRuntime {
    var fresh = fresh
    fresh.lastID = lastID
    return fresh
  }

  mutating func plan(_ call: PartnerCall, for purpose: Purpose, lane: String? = nil, notBefore: Timestamp) {
    waiting.append(Planned(id: makeID(), call: call, purpose: purpose, lane: lane, notBefore: notBefore))
  }

  /// Plans a request again, before all others, so that no later request of its lane overtakes it.
  mutating func planAgain(_ planned: Planned) {
    var again = Planned(
      id: makeID(), call: planned.call, purpose: planned.purpose, lane: planned.lane, notBefore: planned.notBefore)
    again.isRepeated = true
    waiting.insert(again, at: 0)
  }

  /// Remove and return the requests to send now, oldest first. The caller reports the response to each.
  mutating func takeRequests(at now: Timestamp) -> [PartnerRequest] {
    pollIfDue(at: now)
    var busy = busyLanes
    var (taken, rest): ([Planned], [Planned]) = ([], [])
    for request in waiting {
      if request.notBefore > now || isHeld(request, busy) {
        rest.append(request)
      } else {
        if let lane = request.lane { busy.insert(lane) }
        taken.append(request)
      }
    }
    waiting = rest
    return taken.map { request in
      var request = request
      request.accessToken = request.call.isForUser ? credentials.token(of: request.call.user) : nil
      inFlight[request.id] = request
      var sent = PartnerRequest(id: request.id, call: request.call, accessToken: request.accessToken)
      if case .refresh(let user) = request.purpose { sent.refreshToken = credentials.refreshTokens[user] }
      return sent
    }
  }

  /// End the runs of a connection that is no longer enabled, so that no further step or attempt follows.
  mutating func endRuns(of user: String, in connection: String) {
    runs = runs.filter { $0.value.trigger.user.id != user || $0.value.trigger.connection.id != connection }
    waiting.removeAll { request in
      if case .run(let id) = request.purpose { runs[id] == nil } else { false }
    }
  }

  /// The request with this id, which is then no longer in flight.
  mutating func finish(_ id: Int) -> Planned? { inFlight.removeValue(forKey: id) }

  private var busyLanes: Set<String> { Set(inFlight.values.compactMap(\.lane)) }

  /// Whether the request waits for a response: to an earlier request in its lane, or to the refresh of its user's
  /// access token.
  private func isHeld(_ request: Planned, _ busy: Set<String>) -> Bool {
    if request.lane.map(busy.contains) == true { return true }
    return request.call.isForUser && request.call.user.map { rejected[$0] != nil } == true
  }

  /// The time of the next request; nil if every request waits for a response. Any response may change it.
  var nextTime: Timestamp? {
    let busy = busyLanes
    return
      (waiting.filter { !isHeld($0, busy) }.map(\.notBefore)
      + subscriptions.values.filter { !$0.isPolling }.map(\.nextPoll)).min()
  }

  mutating func record(
    _ step: ActivityRecord.Step, _ cause: ActivityRecord.Cause, of call: PartnerCall, event: String? = nil,
    status: Int?, detail: String? = nil, at now: Timestamp
  ) {
    var record = ActivityRecord(step, cause, at: now)
    (record.connection, record.user, record.endpoint) = (call.connection, call.user, call.endpoint)
    (record.event, record.status, record.detail) = (event, status, detail)
    add(record)
  }
}
