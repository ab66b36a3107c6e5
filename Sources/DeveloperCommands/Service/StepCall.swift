import CommandLine
import HTTP
import IFTTT
import JSON
import Session
import Text
import World

/// The requests of `service call` to one trigger, query or action.
struct StepCall {
  private let session: Session
  private let http: HTTPClient
  private let step: ServiceStep
  private let make: () -> Request
  private let usesToken: Bool

  init(_ options: ServiceCall.Options, in session: Session) throws {
    (self.session, step) = (session, options.step.value)
    let token = try options.server.accessToken(in: session)
    let credential =
      try token.map(ServiceCredential.accessToken)
      ?? .serviceKey(
        options.server.requiredServiceKey(for: "a request to your server without an access token", in: session))
    usesToken = token != nil
    var fields: JSONObject = [:]
    for setting in options.settings { fields[setting.name] = Self.value(setting.value) }
    let requests = ServiceRequests(
      ServiceURL(prefix: options.server.url.value), isTest: false, random: session.network.reproducibleRandom)
    let (kind, slug) = (step.kind, step.slug)
    let (limit, cursor, isRealtime) = (options.limit, options.cursor, options.isRealtime)
    // Each request has an id of its own.
    make = {
      requests.request(
        .post, kind.path(slug), credential,
        body: requests.body(kind, slug, fields: fields, limit: limit, cursor: cursor),
        isRepeatable: kind != .actions, isRealtime: isRealtime)
    }
    http = session.partner
    if session.options.isVerbose { http.trace = { [console = session.console] in console.diagnose($0) } }
  }

  var request: Request { make() }

  /// Locations and lists are written as JSON.
  private static func value(_ text: String) -> JSONValue {
    guard text.hasPrefix("{") || text.hasPrefix("["), let value = try? JSONValue(parsing: Array(text.utf8)) else {
      return .string(text)
    }
    return value
  }

  /// - Returns: the rows of the response, and the cursor of the next page.
  func send() throws -> ([JSONObject], cursor: String?) {
    let request = make()
    let response: Response
    do throws(HTTPError) { response = try http.send(request) } catch { throw error }
    let exchange = ServiceExchange(request: request, result: .success(response))
    guard response.status == 200 else { throw problem(response, exchange) }
    guard let rows = exchange.rowList else {
      throw Problem(
        .badResponse, "the response cannot be read", reason: exchange.rowProblem,
        hint: "The endpoint must respond with {\"data\": […]}.", status: response.status)
    }
    return (rows, exchange.cursor)
  }

  /// Polls until Ctrl-C. A failed poll is noted, and the next one follows after the interval.
  func follow(every interval: Duration, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var seen: Set<String>?
    while true {
      do {
        let (rows, _) = try send()
        // The newest event comes first, and is printed last.
        let events = rows.reversed().filter { row in
          guard let id = row["meta"]?["id"]?.identifier else { return false }
          return seen?.contains(id) == false
        }
        for event in events { try JSONValue.object(event).bytes.withUnsafeBytes(body) }
        seen = (seen ?? []).union(rows.compactMap { $0["meta"]?["id"]?.identifier })
      } catch let error as HTTPError where error != .interrupted {
        session.console.note(Hint("Polling failed: \(Problem(error).summary)"))
      } catch let problem as Problem where problem.code.exit == .unavailable {
        session.console.note(Hint("Polling failed: \(problem.summary)"))
      }
      session.world.clock.sleep(for: interval)
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      if session.world.output.isAbandoned { throw BrokenPipe() }
    }
  }

  private func problem(_ response: Response, _ exchange: ServiceExchange) -> Problem {
    let (code, hint): (Problem.Code, Hint) =
      switch response.status {
      case 401:
        (
          .unauthorized,
          usesToken
            ? "Check the access token." : "If users sign in to the service, pass a token with --access-token-file."
        )
      case 404: (.notFound, "Check the URL and the slug. The path is \(step.kind.rawValue)/\(step.slug).")
      case 429: (.rateLimited, "Try again later.")
      case 500...: (.serverError, "See the log of the server; -v shows the request.")
      default: (.refused, "-v shows the request.")
      }
    return Problem(
      code, "the server rejected the request", reason: exchange.description, hint: hint, status: response.status)
  }
}
