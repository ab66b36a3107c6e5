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
    guard [.get, .head].contains(request.method) || (route.isActivation && request.method == .post) else {
      throw .wrongMethod(allowed: route.allowed)
    }
    do throws(WebPageError) {
      switch route {
      case .manage(let id, let edits): return try pages.managePage(id, edits: edits, request).response
      case .about(let id): return try pages.aboutPage(id, request).response
      case .service(let id): return try pages.servicePage(id, request).response
      case .terms: return pages.termsPage.response
      case .access(let id):
        return try activate(Visit(.access, try connection(id, request), request, target: target, web), at: now)
      case .connect(let id):
        return try activate(Visit(.connect, try connection(id, request), request, target: target, web), at: now)
      case .embedded(let service, let id):
        return try activate(
          Visit(.embedded, try applet(id, of: service, request), request, target: target, web), at: now)
      }
    } catch {
      return error.page(pages.parameterList(request.url.query)).response
    }
  }

  /// Returns the visit with the options that the partner's server has for the visitor. They are fetched once per
  /// activation, when the person is known, so that all its pages show the same options.
  private mutating func withCurrentOptions(_ visit: Visit) throws(WebPageError) -> Visit {
    guard runtime != nil, case .connection(let seeded) = visit.subject else { return visit }
    let step = visit.filled("step").flatMap(ActivationProgress.Step.init)
    // The first page has no fields, unless it is skipped.
    let isSkipped = web.outcome != nil || visit.value("emulator_outcome") != nil
    guard isSkipped || !visit.form.isEmpty else { return visit }
    let user = user(of: ActivationProgress(visit))
    var visit = visit
    do throws(ErrorResponse) {
      let current = try withCurrentOptions(seeded.connection, for: user, areShown: step != nil && step != .account)
      visit.subject = .connection(SeededConnection(current))
    } catch {
      throw WebPageError(status: error.status, heading: "The service cannot be reached", text: error.message)
    }
    return visit
  }

  func connection(_ id: String, _ request: Request) throws(WebPageError) -> ActivationSubject {
    guard let seeded = seed.connection(id),
      seeded.connection.isPublished || isInvited(to: seeded.connection.services, request)
    else { throw .notFound }
    return .connection(seeded)
  }

  private func applet(_ id: String, of service: String, _ request: Request) throws(WebPageError) -> ActivationSubject {
    guard let seeded = seed.applets(of: service)?.first(where: { $0.applet.id == id }),
      seeded.applet.isPublished || isInvited(to: seeded.applet.services, request)
    else { throw .notFound }
    return .applet(seeded)
  }

  func isInvited(to services: [SandboxFixtures.Service], _ request: Request) -> Bool {
    guard let owner = services.first?.slug, let code = seed.inviteCode(of: owner) else { return false }
    return request.parameter("invite_code") == code
  }

  private mutating func activate(_ visit: Visit, at now: Timestamp) throws(WebPageError) -> EmulatorResponse {
    let visit = try withCurrentOptions(visit)
    if visit.form.isEmpty {
      if let name = visit.value("emulator_outcome") {
        guard let outcome = ActivationOutcome(rawValue: name) else {
          throw WebPageError(
            heading: "emulator_outcome has an unknown value",
            text: "Use one of: \(ActivationOutcome.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return end(visit, with: outcome, nil)
      }
      if let outcome = web.outcome { return end(visit, with: outcome, nil) }
    }
    if let chosen = visit.filled("outcome") {
      guard let outcome = ActivationOutcome(rawValue: chosen) else {
        throw WebPageError(heading: "Unknown outcome", text: "The form is not from this page.")
      }
      return end(visit, with: outcome, nil)
    }
    var progress = ActivationProgress(visit)
    progress.advance(&self, at: now)
    if progress.isAtEnd { return end(visit, with: .complete, progress) }
    return pages.page(for: progress).response
  }
}

extension WebRoute {
  var allowed: String { isActivation ? "GET, HEAD, POST" : "GET, HEAD" }

  fileprivate var isActivation: Bool {
    switch self {
    case .access, .connect, .embedded: true
    case .manage, .about, .service, .terms: false
    }
  }
}
