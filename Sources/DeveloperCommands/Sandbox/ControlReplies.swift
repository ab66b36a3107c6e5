import HTTP
import JSON
import Sandbox
import Session
import Text
import World

/// The control endpoint.
extension SandboxResponder {
  func control(_ request: ReceivedRequest) -> Reply {
    if request.target == SandboxControl.healthPath {
      return ["GET", "HEAD"].contains(request.method)
        ? .json(["status": "ok"]) : .text(405, "This method is not supported here")
    }
    do throws(ControlError) {
      return try reply(to: try SandboxControl.command(request, key: key), from: request)
    } catch {
      return .text(error.status, error.message)
    }
  }

  private func reply(to command: ControlCommand, from request: ReceivedRequest) throws(ControlError) -> Reply {
    switch command {
    case .overview: return .json(overview(request))
    case .stream(let number): return stream(after: number)
    case .list(let view, let filter): return LogPage(view, of: emulator).list(filter)
    case .entry(let view, let number): return try LogPage(view, of: emulator).reply(to: number)
    case .sendAgain(let view, let number, let edit): return try sendAgain(number, edit, as: view)
    case .listFaults: break
    case .replaceFaults(let plan): faults = plan
    case .addFaults(let rules): faults.add(rules)
    case .users(let position): return .json(users(from: position))
    case .connections(let user):
      return .json(try inspecting { () throws(InspectionError) in try emulator.connections(of: user, at: clock.now()) })
    case .turn(let isEnabled, let id, let user):
      return try send {
        () throws(InspectionError) in try emulator.toggleRequest(enables: isEnabled, connection: id, of: user)
      }
    case .fire(let selection, let ingredients):
      let key = try inspecting {
        () throws(InspectionError) in try emulator.fire(selection, ingredients: ingredients, at: clock.now())
      }
      return entry(of: key, as: .entries)
    case .report(let isEntry, let selection):
      return try send {
        () throws(InspectionError) in try emulator.transitionRequest(isEntry: isEntry, of: selection, at: clock.now())
      }
    case .notify(let subject):
      return try send { () throws(InspectionError) in try emulator.notificationRequest(about: subject) }
    case .seed: return .json(emulator.presentSeed.json)
    case .load(let bytes):
      try load(bytes)
      return .json(["reset": true])
    case .reset:
      reset()
      return .json(["reset": true])
    case .stop:
      end()
      return .json(["stopped": true])
    }
    return .json(.array(faults.rules.map(\.json)))
  }

  private func overview(_ request: ReceivedRequest) -> JSONValue {
    // The name by which the client reaches the server is the one that other programs can use.
    let url = "http://\(request.field("Host") ?? "")"
    let environment = RunningServer.environment(at: url, for: initialState.credentials)
    return [
      "requests": JSONValue(emulator.state.requests), "last_entry": JSONValue(emulator.log.lastNumber),
      "faults": JSONValue(faults.rules.count), "started_at": .string(startedAt.rfc3339),
      "service": initialState.credentials.map { .string($0.service) } ?? .null,
      "service_url": initialState.serviceURL.map(JSONValue.string) ?? .null,
      "seed": initialState.seedName.map(JSONValue.string) ?? .null,
      "environment": .object(JSONObject(members: environment.map { ($0.key, .string($0.value)) })),
      "steps": .array(ActivityRecord.Step.allCases.map { .string($0.rawValue) }),
      "fault_names": .array(
        InjectedFault.names.map { ["name": .string($0.name), "summary": .string($0.summary)] }),
    ]
  }

  private func stream(after number: Int) -> Reply {
    var stream = LogStream(after: number)
    var reply = Reply(
      status: 200,
      fields: [HeaderField("Content-Type", "text/event-stream"), HeaderField("Cache-Control", "no-store")],
      body: LogStream.comment)
    reply.stream = ReplyStream(every: LogStream.pause) { [self] in lock.withLock { stream.next(of: emulator) } }
    return reply
  }

  private func reset() {
    let old = emulator
    (emulator, faults) = (initialState.emulator, FaultPlan())
    emulator.replace(old)
    expireWaitingClients()
  }

  /// The page of users that begins at this position.
  private func users(from position: Int) -> JSONValue {
    let page = emulator.users(from: position)
    let users = page.users.map { user -> JSONValue in
      [
        "user_id": .string(user.id), "login": .string(user.login), "email": user.email.map(JSONValue.string) ?? .null,
        "user_token": .string(user.userToken), "access_token": .string(user.accessToken),
      ]
    }
    return ["users": .array(users), "next": page.next.map { JSONValue($0) } ?? .null]
  }

  /// Makes a seed the initial state, and resets to it.
  private func load(_ bytes: [UInt8]) throws(ControlError) {
    let seed: SandboxSeed
    do throws(SeedError) { seed = try SandboxSeed(parsing: bytes) } catch {
      throw ControlError(400, "The seed is not valid: \(error.description)")
    }
    try initialState.load(seed)
    reset()
  }

  /// Sends a request that a person asked for to the emulator.
  private func send(_ request: () throws(InspectionError) -> Request) throws(ControlError) -> Reply {
    evaluate(ReceivedRequest(try inspecting(request)), as: .entries)
  }

  private func inspecting<Result>(
    _ body: () throws(InspectionError) -> Result
  ) throws(ControlError) -> Result {
    do throws(InspectionError) { return try body() } catch {
      throw ControlError(error.kind == .notFound ? 404 : 409, error.reason)
    }
  }

  /// Sends the request of an entry again: to the emulator if a client sent it, or else to the partner's server.
  private func sendAgain(_ number: Int, _ edit: RequestEdit, as view: LogView) throws(ControlError) -> Reply {
    guard let entry = emulator.log[number] else { throw .noEntry }
    guard let exchange = entry.exchange else { throw ControlError(409, "This step has no request") }
    switch exchange.direction {
    case .sent:
      do throws(SendAgainError) {
        return wait(for: try emulator.sendAgain(entry, edit, at: clock.now()), as: view)
      } catch {
        throw ControlError(409, error.reason)
      }
    case .received:
      guard edit.body != nil || !exchange.request.isTruncated else {
        throw ControlError(409, "Only the beginning of the body is stored; pass the whole body")
      }
      return evaluate(
        ReceivedRequest(
          method: edit.method?.rawValue ?? exchange.method, target: edit.target ?? exchange.target,
          fields: edit.applied(to: exchange.request.headers), body: edit.body ?? exchange.request.body),
        as: view, causedBy: entry)
    }
  }

  /// Sends a request to the emulator for a person, and replies with its entry.
  private func evaluate(_ request: ReceivedRequest, as view: LogView, causedBy cause: LogEntry? = nil) -> Reply {
    let (reply, key) = emulate(request, causedBy: cause)
    return reply.deferred == nil ? entry(of: key, as: view) : wait(for: key, as: view)
  }

  /// Waits until the entry with this key or ticket is complete.
  private func wait(for ticket: Int, as view: LogView) -> Reply {
    let reply = DeferredReply(
      atMost: Self.longestWait, else: .text(504, "The service's server did not respond in time"))
    waitingSenders[ticket] = WaitingSender(reply: reply, view: view)
    return Reply(deferred: reply)
  }

  /// Replies to the client of the control endpoint that waits for the entry with this key, if one does.
  func finishWaiting(for ticket: Int, with key: Int) {
    guard let sender = waitingSenders.removeValue(forKey: ticket) else { return }
    sender.reply.fulfill(entry(of: key, as: sender.view))
  }

  private func entry(of key: Int, as view: LogView) -> Reply {
    guard let entry = emulator.log.entry(of: key) else { return .text(500, "The log is full") }
    return LogPage(view, of: emulator).reply(to: entry)
  }
}
