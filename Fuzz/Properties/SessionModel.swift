import PluginProtocol
import Plugins

/// A session, and what it may do next according to the documented protocol.
struct SessionModel {
  private static let allowed = Set(PluginOutput.capabilities.dropLast())
  /// Methods that a list, a show, a completion or a status may not use, since nobody is asked then.
  private static let attended: Set<String> = [
    "redirect/bind", "redirect/open", "redirect/finish", "browser/open", "prompt", "confirm", "input/read", "wait",
  ]
  private static let unattended: Set<String> = [
    "connections/list", "connections/show", "credential/status", "complete",
  ]
  private static let tidying: Set<String> = ["credential/put", "credential/delete", "lock/release", "redirect/finish"]
  private static let limit = Duration.seconds(10)

  private(set) var history: [PluginSession.Action] = []
  private var session: PluginSession
  private var now = Duration.zero
  private var begun = Duration.zero
  private var lastID = 0
  /// The method of the program's request that has no result yet.
  private var open: String? = "initialize"
  private var isReady = false
  private var isCancelled = false
  private var hasEnded = false
  private var serving: [MessageID] = []
  /// The first rule that was broken.
  private var problem: String?

  init?() {
    guard let name = PluginName(parsing: "shelf") else { return nil }
    session = PluginSession(with: name, Greeting(), capabilities: Self.allowed)
    check(session.begin(at: .zero))
  }

  /// - Parameter splitting: whether the plugin's bytes arrive one by one.
  mutating func perform(_ step: SessionStep, splitting: Bool) -> String? {
    switch step {
    case .call(let method, let isHolding): call(method, isHolding)
    case .cancel:
      isCancelled = open != nil
      check(session.cancel(at: now))
    case .answer(let succeeds): answer(succeeds ? .success(["value": "x"]) : .failure(.cancelled))
    case .pass(let time):
      now += time
      check(session.checkDeadline(at: now))
      if let deadline = session.deadline, deadline <= now { fail("a deadline has no effect") }
    case .plugin(let output):
      let bytes = output.bytes(last: lastID)
      if splitting {
        for byte in bytes { check(session.receive([byte], at: now)) }
      } else {
        check(session.receive(bytes, at: now))
      }
    case .died: check(session.died(status: nil))
    }
    // As the host does once a request has a result.
    while open == nil, !serving.isEmpty { answer(.failure(.cancelled)) }
    checkState()
    return problem
  }

  /// Ends the session, after which everything has a result.
  mutating func end() -> String? {
    check(session.died(status: 1))
    if open != nil { fail("a request has no result") }
    if session.failure == nil || session.deadline != nil { fail("the session goes on after the end of the plugin") }
    if session.receive([UInt8(ascii: "\n")], at: now) != [] { fail("input is read after the end") }
    return problem
  }

  private mutating func call(_ method: String, _ isHolding: Bool) {
    // The host sends one request at a time.
    guard open == nil else { return }
    (open, isCancelled, begun) = (method, false, now)
    let (last, isPossible) = (lastID, isReady && !hasEnded && session.capabilities.contains(method))
    check(session.call(method, [:], limit: Self.limit, holding: isHolding, at: now))
    if (lastID > last) != isPossible { fail("\(method) was \(isPossible ? "not sent" : "sent")") }
  }

  private mutating func answer(_ result: Result<Value, PluginError>) {
    guard !serving.isEmpty else { return }
    let id = serving.removeFirst()
    let actions = session.respond(to: id, result, at: now)
    let expected: Message =
      switch result {
      case .success(let value): .response(id: id, result: value)
      case .failure(let error): .failure(id: id, error: error)
      }
    if actions != (hasEnded ? [] : [.send(expected)]) { fail("a request of the plugin has another response") }
    history += actions
  }

  private mutating func checkState() {
    if !session.capabilities.isSubset(of: Self.allowed) { fail("more capabilities than the manifest has") }
    if (session.failure != nil) != hasEnded { fail("it failed without ending, or ended without failing") }
    if (session.deadline != nil) != (open != nil) { fail("a deadline without a request, or a request without one") }
    let latest = begun + Self.limit + PluginSession.longestPause + PluginSession.graceTime
    if let deadline = session.deadline, deadline > max(latest, now + PluginSession.graceTime) {
      fail("a deadline that a plugin moved too far")
    }
  }

  private mutating func check(_ actions: [PluginSession.Action]) {
    for action in actions {
      if hasEnded, !isResult(action) { fail("an action follows the end") }
      check(action)
    }
    history += actions
  }

  /// The result of a request that was made after the end.
  private func isResult(_ action: PluginSession.Action) -> Bool {
    if case .finished(.failure) = action { open != nil } else { false }
  }

  private mutating func check(_ action: PluginSession.Action) {
    let isCalling = open != nil && open != "initialize"
    switch action {
    case .send(.request(.number(let id), _, _)):
      if id != lastID + 1 { fail("an id is not the next one") }
      lastID = id
    case .ready:
      if open != "initialize" || isReady { fail("it is ready without a greeting") }
      (open, isReady) = (nil, true)
    case .item(let value):
      if !isCalling || isCancelled || value.members == nil { fail("an item without a request for one") }
    case .progress(let done, let total, _):
      if !isCalling || isCancelled || done < 0 || total ?? 0 < 0 { fail("progress without a request") }
    case .serve(let id, let method, let params):
      if !isCalling || isCancelled && !Self.tidying.contains(method) { fail("\(method) is served without a request") }
      if Self.unattended.contains(open ?? ""), Self.attended.contains(method), !isCancelled {
        fail("\(method) is served in \(open ?? "")")
      }
      if serving.contains(id) || params.members == nil { fail("\(method) is served twice, or without parameters") }
      serving.append(id)
      if serving.count > PluginSession.waitingLimit { fail("too many requests wait") }
    case .finished:
      if open == nil { fail("a result without a request") }
      open = nil
    case .end: hasEnded = true
    case .send, .log, .note: break
    }
  }

  private mutating func fail(_ what: String) { problem = problem ?? what }
}
