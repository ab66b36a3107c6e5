import HTTP
import World

extension Emulator {
  var pages: WebPages { WebPages(emulator: self) }

  /// Respond with a page or a redirect.
  ///
  /// - Parameter target: The path and query as received, if the request came over the network.
  mutating func browse(
    _ route: WebRoute, _ request: Request, target: String?, at now: Timestamp
  ) throws(ErrorResponse) -> EmulatorResponse {
    guard [.get, .head].contains(request.method) || (route.hasForm && request.method == .post) else {
      throw .wrongMethod(allowed: route.allowed)
    }
    do throws(WebPageError) {
      switch route {
      case .manage(let id, true) where request.parameter("user_id") != nil:
        return try editConfiguration(id, of: request.parameter("user_id") ?? "", request, target: target)
      case .manage(let id, let edits): return try pages.managePage(id, edits: edits, request).response
      case .about(let id): return try pages.aboutPage(id, request).response
      case .service(let id): return try pages.servicePage(id, request).response
      case .terms: return pages.termsPage.response
      case .signIn(let service): return try finishSignIn(at: service, request, at: now)
      case .access, .connect, .embedded:
        return try activate(visit(at: route, request, target: target), at: now)
      }
    } catch {
      return error.page(pages.parameterList(request.url.query)).response
    }
  }

  /// The request of an activation's page.
  func visit(at route: WebRoute, _ request: Request, target: String?) throws(WebPageError) -> Visit {
    switch route {
    case .access(let id): try Visit(.access, connection(id, request), request, target: target, web)
    case .connect(let id): try Visit(.connect, connection(id, request), request, target: target, web)
    case .embedded(let service, let id):
      try Visit(.embedded, applet(id, of: service, request), request, target: target, web)
    case .manage, .signIn, .about, .service, .terms: throw .notFound
    }
  }

  /// Returns the visit with the options that the partner's server has for the visitor.
  /// - Parameter areShown: Whether an earlier page of the activation showed the options.
  private mutating func withCurrentOptions(
    _ visit: Visit, _ signIn: ServiceSignIn? = nil, areShown: Bool = false
  ) throws(WebPageError) -> Visit {
    guard runtime != nil, !visit.subject.connection.isApplet else { return visit }
    var visit = visit
    visit.subject = try withCurrentOptions(
      visit.subject, for: user(of: ActivationProgress(visit, signIn)), areShown: areShown)
    return visit
  }

  mutating func withCurrentOptions(
    _ seeded: SeededConnection, for user: SandboxFixtures.User?, areShown: Bool
  ) throws(WebPageError) -> SeededConnection {
    do throws(ErrorResponse) {
      return SeededConnection(try withCurrentOptions(seeded.connection, for: user, areShown: areShown))
    } catch {
      throw WebPageError(status: error.status, heading: "The service cannot be reached", text: error.message)
    }
  }

  func connection(_ id: String, _ request: Request) throws(WebPageError) -> SeededConnection {
    guard let seeded = seed.connection(id), shows(seeded.connection, to: request) else { throw .notFound }
    return seeded
  }

  private func applet(_ id: String, of service: String, _ request: Request) throws(WebPageError) -> SeededConnection {
    guard let seeded = seed.applets(of: service)?.first(where: { $0.id == id }), shows(seeded.connection, to: request)
    else { throw .notFound }
    return seeded
  }

  /// Whether pages show the connection or Applet: it is published, or the request has the owner's invite code.
  func shows(_ connection: SandboxFixtures.Connection, to request: Request) -> Bool {
    if connection.isPublished { return true }
    guard let owner = connection.services.first?.slug, let code = seed.inviteCode(of: owner) else { return false }
    return request.parameter("invite_code") == code
  }

  private mutating func activate(_ visit: Visit, at now: Timestamp) throws(WebPageError) -> EmulatorResponse {
    if let outcome = try chosenOutcome(of: visit) {
      return end(outcome.completes ? try withCurrentOptions(visit) : visit, with: outcome, nil)
    }
    return try proceed(visit, signIn(of: visit, at: now), at: now)
  }

  /// The outcome that ends the activation at once, or nil to show its pages.
  private func chosenOutcome(of visit: Visit) throws(WebPageError) -> ActivationOutcome? {
    if visit.form.isEmpty {
      if let name = visit.value("emulator_outcome") {
        guard let outcome = ActivationOutcome(rawValue: name) else {
          throw WebPageError(
            heading: "emulator_outcome has an unknown value",
            text: "Use one of: \(ActivationOutcome.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return outcome
      }
      if let outcome = web.outcome { return outcome }
    }
    guard let chosen = visit.filled("outcome") else { return nil }
    guard let outcome = ActivationOutcome(rawValue: chosen) else {
      throw WebPageError(heading: "Unknown outcome", text: "The form is not from this page.")
    }
    return outcome
  }

  /// Process the submitted form, and respond with the next step.
  mutating func proceed(
    _ visit: Visit, _ signIn: ServiceSignIn?, at now: Timestamp
  ) throws(WebPageError) -> EmulatorResponse {
    var visit = visit
    // The first page has no fields. Options are fetched once per activation, when the user is known, so that all its
    // pages show the same options.
    let hasPage = hasSignInPage(for: visit)
    if !visit.form.isEmpty, signIn != nil || !hasPage {
      let areShown =
        switch visit.filled("step").flatMap(ActivationProgress.Step.init) {
        case .account, nil: false
        case .service: !hasPage
        case .configuration, .connect: true
        }
      visit = try withCurrentOptions(visit, signIn, areShown: areShown)
    }
    var progress = ActivationProgress(visit, signIn)
    progress.advance(&self)
    if progress.isAtEnd { return end(visit, with: .complete, progress) }
    if progress.isAtService, let page = startSignIn(visit, at: now) { return .redirect(to: page.wire) }
    return pages.page(for: progress).response
  }
}

extension WebRoute {
  var allowed: String { hasForm ? "GET, HEAD, POST" : "GET, HEAD" }

  fileprivate var hasForm: Bool {
    switch self {
    case .access, .connect, .embedded, .manage(_, edits: true): true
    case .manage, .signIn, .about, .service, .terms: false
    }
  }
}
