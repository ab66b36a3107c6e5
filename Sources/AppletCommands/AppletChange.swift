import API
import Applets
import Arguments
import Batch
import CommandContext
import HTTP
import Hints

/// The shared behavior of `applets enable` and `applets disable`.
struct AppletChange {
  struct Options: Sendable {
    var ids: [AppletID] = []
    var service: String?
    var credentials = CredentialOptions()
    var isForced = false

    static var flags: [Flag<Options>] {
      [
        .service(into: \.service),
        .toggle("force", into: \.isForced, help: "Send the request even if nothing would change"),
      ] + .lifted(CredentialOptions.flags, into: \.credentials)
    }
    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.appletID, atLeast: .one, into: \.ids, help: help)]
    }
  }

  let change: AppletsClient.Change
  let options: Options
  let session: Session

  typealias Report = (ChangeRow<AppletID>) throws -> Void

  private var aim: Applet.Status { change == .enable ? .enabled : .disabled }
  private var purpose: String { "'applets \(change.rawValue)'" }

  func run() throws -> Output {
    let slug = try session.serviceSlug(options.service, for: purpose)
    let caller = try session.network.caller(.api, options.credentials, as: authentication())
    let client = AppletsClient(caller: caller, service: slug)
    var many = BatchRun(options.ids, in: session)
    many.isChange = true
    if session.options.isDryRun { return try plan(many.ids, client) }
    return many.output(as: .many(ChangeRow<AppletID>.self)) { [many] told in
      let report: Report = { row in
        var row = row
        row.problem = row.problem?.completed(with: session.suggestions)
        try told(row.id, row.result)
      }
      var due: [AppletID] = []
      var before: [AppletID: Applet.Status] = [:]
      // Do not send inside the closure of `show`, or the results of sending would be counted as results of fetching.
      try client.show(many.ids) { id, result in
        switch result {
        case .success(let answer):
          let status = answer.applet.status
          before[id] = status
          switch verdict(id, status) {
          case .refuse(let problem): try report(.init(id: id, status: status, previous: status, problem: problem))
          case .nothingToDo: try report(.init(id: id, status: status, previous: status))
          case .send: due.append(id)
          }
        case .failure(let failure):
          let problem = Problem(failure, subject: "Applet '\(id)'")
          try report(.init(id: id, status: .unknown, previous: .unknown, problem: problem))
        }
      }
      try send(due, before: before, client, report)
    }
  }

  /// The requests that would be sent. The statuses are fetched first, unless --offline is given: then every request is
  /// listed.
  private func plan(_ ids: [AppletID], _ client: AppletsClient) throws -> Output {
    guard try !session.network.isCutOff else {
      return session.dryRun(try ids.map { try client.changeRequest(change, $0) })
    }
    let failures = BatchFailures(of: ids.count)
    var requests: [Request] = []
    try client.show(ids) { id, result in
      switch result {
      case .success(let answer):
        let status = answer.applet.status
        switch verdict(id, status) {
        case .refuse(let problem): failures.add(problem, of: id)
        case .nothingToDo: session.console.note("Applet '\(id)' already has the requested status.")
        case .send: requests.append(try client.changeRequest(change, id))
        }
      case .failure(let failure): failures.add(Problem(failure, subject: "Applet '\(id)'"), of: id)
      }
    }
    if ids.count == 1 { try failures.evaluate() }
    return session.dryRun(requests).judging(failures)
  }

  /// The authentication, which must identify a user: by a token, or by a user id with the service key (reference:
  /// applets-api-v1.md, section 1).
  private func authentication() throws -> Authentication {
    let known = try session.credentials.authentication(options.credentials)
    switch known {
    case .user, .service(_, .some): return known
    case .anonymous: throw session.credentials.missing(.userToken, for: purpose)
    case .service(_, nil):
      throw Problem(
        .credentialsMissing, "\(purpose) with a service key needs the user's id",
        hint: "Pass --user-id ID or set IFTTT_USER_ID, or pass a user token with --user-token-file FILE.")
    }
  }

  private enum Verdict { case send, nothingToDo, refuse(Problem) }

  private func verdict(_ id: AppletID, _ status: Applet.Status) -> Verdict {
    switch (change, status) {
    case (.enable, .neverEnabled):
      .refuse(
        Problem(
          .neverEnabled, "Applet '\(id)' was never enabled",
          reason: "the user must enable it in a browser the first time; IFTTT has no endpoint for this",
          hint: "Run \(ifttt: "applets activate \(id)")."))
    case (_, aim) where !options.isForced, (.disable, .neverEnabled) where !options.isForced: .nothingToDo
    case (_, .unknown) where !options.isForced:
      .refuse(
        Problem(
          .refused, "the status of Applet '\(id)' is unknown", reason: "IFTTT returned no status for this user",
          hint: "Check the credentials: \(ifttt: "token verify"). --force sends the request anyway."))
    default: .send
    }
  }

  /// Sends the changes, and fetches the Applets whose responses did not include the changed Applet.
  private func send(
    _ due: [AppletID], before: [AppletID: Applet.Status], _ client: AppletsClient, _ report: Report
  ) throws {
    func row(_ id: AppletID, _ status: Applet.Status, _ problem: Problem? = nil) -> ChangeRow<AppletID> {
      ChangeRow(id: id, status: status, previous: before[id] ?? .unknown, problem: problem)
    }
    var unread: [AppletID] = []
    let sending = Result {
      try client.change(change, due) { id, result in
        switch result {
        case .success(let answer?) where answer.applet.status != .unknown:
          try report(row(id, answer.applet.status, effect(on: id, answer.applet.status)))
        case .success: unread.append(id)
        case .failure(let failure):
          try report(row(id, before[id] ?? .unknown, Problem(failure, subject: "Applet '\(id)'")))
        }
      }
    }
    var rest = Set(unread)
    let reading = Result {
      try client.show(unread) { id, result in
        rest.remove(id)
        switch result {
        case .success(let answer):
          try report(row(id, answer.applet.status, effect(on: id, answer.applet.status)))
        case .failure(let failure):
          var problem = Problem(failure, subject: "Applet '\(id)'")
          problem.message = "IFTTT accepted the change, but its effect is unknown: \(problem.message)"
          try report(row(id, .unknown, problem))
        }
      }
    }
    // After an interruption the remaining changes have been sent, but their results are unknown.
    for id in unread where rest.contains(id) { try report(row(id, .unknown)) }
    try sending.get()
    try reading.get()
  }

  /// Why a status contradicts an accepted change; nil if it does not.
  private func effect(on id: AppletID, _ status: Applet.Status) -> Problem? {
    let hadNoEffect = change == .enable ? status == .disabled || status == .neverEnabled : status == .enabled
    guard hadNoEffect else { return nil }
    return Problem(
      .refused, "Applet '\(id)' is still \(status.rawValue)",
      reason: "IFTTT accepted the request, but nothing changed", hint: "Try again, or change it at ifttt.com.")
  }
}
