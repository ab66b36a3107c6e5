import HTTP
import JSON
import Text

/// The pages of an activation, and the pages that the API links to. They show the state of the emulator and change
/// nothing.
struct WebPages {
  let emulator: Emulator

  /// The page of the next step.
  func page(for progress: ActivationProgress) -> WebPage {
    let visit = progress.visit
    let steps: [HTML] = ActivationProgress.Step.allCases.map { step in
      let name: HTML = step == .service ? serviceName(visit) : "\(step.word)"
      if step == progress.step { return "<li class=\"now\" aria-current=\"step\">\(name)</li>" }
      return progress.skips(step) ? "<li class=\"out\">\(name)</li>" : "<li>\(name)</li>"
    }
    let warnings: [HTML] = visit.warnings.map { "<p class=\"warn\">\($0)</p>" }
    let action = progress.step == .connect ? "Connect" : "Continue"
    return WebPage(
      title: visit.subject.connection.name,
      body: """
        <section class="card">\(heading(visit.subject.connection))\(warnings)</section>
        <section class="card"><ol class="steps">\(steps)</ol>
        <form method="post" action="\(visit.target)">\(progress.hiddenFields)\(question(progress))
        <div class="go"><button id="go" name="do" value="go">\(action)</button>
        <button id="cancel" name="outcome" value="cancelled">Cancel</button></div></form></section>
        <details class="card" id="else"><summary>End with another outcome</summary>
        <form method="post" action="\(visit.target)"><div class="outcomes">\(outcomeButtons)</div></form></details>
        \(parameterList(visit.query))
        """)
  }

  private var outcomeButtons: [HTML] {
    ActivationOutcome.allCases.map { outcome in
      """
      <button name="outcome" value="\(outcome.rawValue)">\(outcome.rawValue)<small>\(outcome.summary)</small></button>
      """
    }
  }

  func heading(_ connection: SandboxFixtures.Connection) -> HTML {
    let services: [HTML] = connection.services.map { "<li>\(.dot($0.color))\(.name($0.name))</li>" }
    return """
      <h1 dir="auto">\(connection.name)</h1><p class="soft" dir="auto">\(connection.description)</p>\
      <ul class="services">\(services)</ul>
      """
  }

  private func question(_ progress: ActivationProgress) -> HTML {
    switch progress.step {
    case .account: return accountQuestion(progress)
    case .service:
      let note =
        emulator.hasSignInPage(for: progress.visit)
        ? "You sign in on the service's own page, give IFTTT access there, and return here."
        : "A real service would ask you to sign in and to give IFTTT access. The sandbox skips that."
      return "<h2>Sign in to \(serviceName(progress.visit))</h2><p>\(note)</p>"
    case .configuration:
      return "\(signedIn(progress))\(FormInputs(visit: progress.visit, errors: progress.errors).all)"
    case .connect:
      let person = emulator.person(of: progress)
      let name = person.map { $0.isNew ? $0.account.email : $0.account.login } ?? ""
      return """
        <h2>Enable it?</h2>\(signedIn(progress))<p>For <strong><bdi>\(name)</bdi></strong>. \
        \(progress.visit.skipsConfiguration ? "The configuration is skipped, so it will be pending." : "")</p>
        """
    }
  }

  private func serviceName(_ visit: Visit) -> HTML { .name(visit.subject.connection.services.first?.name ?? "") }

  /// The user who signed in at the service; nil if the sandbox does not know it.
  private func signedIn(_ progress: ActivationProgress) -> HTML? {
    guard let signIn = progress.signIn, let id = signIn.userID else { return nil }
    let name: HTML = "<strong id=\"signed-in\"><bdi>\(signIn.name ?? id)</bdi></strong>"
    return "<p>Signed in to \(serviceName(progress.visit)) as \(name).</p>"
  }

  /// The page after a failed sign-in, with the reason and a button that returns to the app.
  func failedSignInPage(_ visit: Visit, _ failure: SignInFailure) -> WebPage {
    WebPage(
      title: visit.subject.connection.name,
      body: """
        <section class="card bad" id="sign-in-failed"><p class="soft">\(.name(visit.subject.connection.name))</p>
        <h1>Signing in to \(serviceName(visit)) failed</h1><p>Reason: \(failure.reason)</p>
        <p class="soft">“ifttt sandbox activity” lists the requests to the service with their responses.</p>
        <form method="post" action="\(visit.target)"><div class="go">\
        <button id="return" name="outcome" value="\(ActivationOutcome.authError.rawValue)">Return to the app</button>\
        </div></form></section>
        """)
  }

  private func accountQuestion(_ progress: ActivationProgress) -> HTML {
    let visit = progress.visit
    let person = emulator.person(of: progress)
    if visit.value("email") == nil, visit.filled("email") == nil, let person {
      return "<h2>Welcome back</h2><p>Continuing as <strong><bdi>\(person.account.login)</bdi></strong>.</p>"
    }
    let introduction: HTML
    switch person {
    case .some((let account, false)):
      introduction = """
        <h2>Welcome back</h2><p>This address belongs to the account <strong><bdi>\(account.login)</bdi></strong>. \
        IFTTT would send a link by email; here, a click is enough.</p>
        """
    case .some((_, true)):
      introduction = "<h2>A new account</h2><p>No account has this address yet. A new one will be created.</p>"
    case nil: introduction = "<h2>Who are you?</h2>"
    }
    let error: HTML? = progress.errors["email"].map { "<p class=\"error\">\($0)</p>" }
    return """
      \(introduction)<label for="email">Email address</label>\
      <input id="email" name="email" value="\(progress.email ?? "")" autocomplete="off" spellcheck="false">\(error)
      """
  }

  /// The page for an outcome without a redirect.
  func endPage(_ visit: Visit, _ outcome: ActivationOutcome) -> WebPage {
    let remark = outcome == .stay ? "This page ends here." : "There is no redirect URL."
    return WebPage(
      title: visit.subject.connection.name,
      body: """
        <section class="card" id="end"><p class="soft">\(.name(visit.subject.connection.name))</p>
        <h1>\(outcome.completes ? "Connected" : "Ended")</h1>
        <p>Outcome: \(outcome.summary). \(remark) You can close this window.</p></section>
        """)
  }

  /// The page for a path that the sandbox does not have.
  var unknownPage: WebPage {
    WebPage(
      status: 404, title: "Not found",
      body: """
        <section class="card bad"><h1>Not found</h1><p>The sandbox has nothing at this path.</p>\
        <p><a href="/">Open the inspector</a></p></section>
        """)
  }

  /// All query parameters, decoded and with credentials masked.
  func parameterList(_ query: [QueryItem]) -> HTML? {
    guard !query.isEmpty else { return nil }
    let secretNames: Set = ["code", "state", "token", "user_token", "access_token", "invite_code", "oauth_code"]
    let items: [HTML] = query.map { item in
      let value = secretNames.contains(item.name) ? Secret(parsing: item.value)?.masked ?? "…" : item.value
      return "<dt class=\"mono\">\(item.name)</dt><dd class=\"mono\"><bdi>\(value)</bdi></dd>"
    }
    return """
      <details class="card" id="parameters" open><summary>URL parameters</summary><dl>\(items)</dl></details>
      """
  }
}

extension ActivationProgress.Step {
  fileprivate var word: String {
    switch self {
    case .account: "Account"
    case .service: "Service"
    case .configuration: "Configuration"
    case .connect: "Connect"
    }
  }
}

/// The pages that the API's `url` members and the SDKs' texts link to.
extension WebPages {
  /// The page at `/applets/{id}`, for a connection or an Applet.
  func aboutPage(_ id: String, _ request: Request) throws(WebPageError) -> WebPage {
    let connection: SandboxFixtures.Connection
    do { connection = try emulator.connection(id, request).connection } catch {
      let applets = emulator.seed.partners.compactMap { emulator.seed.applets(of: $0.service) }.joined()
      guard let applet = applets.first(where: { $0.id == id })?.connection, emulator.shows(applet, to: request)
      else { throw error }
      connection = applet
    }
    let link: HTML = connection.isApplet ? "" : "<p><a href=\"/connections/\(id)\">Users</a></p>"
    return WebPage(title: connection.name, body: "<section class=\"card\">\(heading(connection))\(link)</section>")
  }

  /// The page at `/{service}`, with its connections and Applets.
  func servicePage(_ id: String, _ request: Request) throws(WebPageError) -> WebPage {
    guard let service = emulator.seed.service(id) else { throw .notFound }
    let all = (emulator.seed.allConnections + (emulator.seed.applets(of: id) ?? [])).map(\.connection)
    let shown = all.filter { connection in
      connection.services.contains { $0.slug == id } && emulator.shows(connection, to: request)
    }
    let items: [HTML] = shown.map { "<li><a dir=\"auto\" href=\"/applets/\($0.id)\">\($0.name)</a></li>" }
    let list: HTML = items.isEmpty ? "<p>This service has no connections or Applets.</p>" : "<ul>\(items)</ul>"
    return WebPage(
      title: service.name,
      body: "<section class=\"card\"><h1>\(.dot(service.color))\(.name(service.name))</h1>\(list)</section>")
  }

  var termsPage: WebPage {
    WebPage(
      title: "Terms",
      body:
        "<section class=\"card\"><h1>Terms</h1><p>IFTTT shows its terms of use here. The sandbox has none.</p></section>"
    )
  }

  /// The pages at `/connections/{id}`: the users who have it and, with `/edit`, their configurations.
  func managePage(_ id: String, edits: Bool, _ request: Request) throws(WebPageError) -> WebPage {
    // The real site requires signing in. The sandbox shows all users to every visitor.
    guard let seeded = emulator.seed.connection(id) else { throw .notFound }
    let owner = seeded.connection.services.first?.slug
    let users: [HTML] = emulator.allUsers.filter { $0.service == owner }.map { user in
      edits ? configured(user, in: seeded) : "<dt>\(user.id)</dt><dd>\(statusLine(of: user, in: seeded))</dd>"
    }
    let path = "/connections/\(id)"
    let body: HTML = edits ? "\(users)" : "<section class=\"card\"><h2>Users</h2><dl>\(users)</dl></section>"
    return WebPage(
      title: seeded.connection.name,
      body: """
        <section class="card">\(heading(seeded.connection))\
        <p><a href="\(edits ? path : "\(path)/edit")">\(edits ? "Back to the connection" : "Configuration")</a></p></section>
        \(body)
        """)
  }

  private func statusLine(of user: SandboxFixtures.User, in seeded: SeededConnection) -> HTML {
    let status = emulator.status(of: user, in: seeded)
    let text =
      status == .enabled && emulator.configuration(of: user, in: seeded).isPending ? "enabled, pending" : status.text
    return "<strong>\(text)</strong> – \(.name(user.name ?? user.login))"
  }

  private func configured(_ user: SandboxFixtures.User, in seeded: SeededConnection) -> HTML {
    let features: [HTML] = emulator.configuration(of: user, in: seeded).features.map { userFeature in
      let steps: [HTML] = StepKind.allCases.flatMap { kind in
        zip(userFeature.feature[keyPath: kind.ofFeature], userFeature[keyPath: kind.ofUser]).map { step, configured in
          Self.values(step.fields, configured?.values ?? [])
        }
      }
      return """
        <h2 dir="auto">\(userFeature.feature.title)</h2><p class="soft">\(userFeature.isEnabled ? "On" : "Off")</p>\
        <dl>\(Self.values(userFeature.feature.fields, userFeature.values))\(steps)</dl>
        """
    }
    return "<section class=\"card\"><p>\(.name(user.id)): \(statusLine(of: user, in: seeded))</p>\(features)</section>"
  }

  private static func values(_ fields: [SandboxFixtures.Field], _ values: [SandboxFixtures.Value?]) -> HTML {
    let rows: [HTML] = zip(fields, values).map { field, value in
      "<dt>\(.name(field.label))</dt><dd><bdi>\(value?.text ?? "–")</bdi></dd>"
    }
    return "\(rows)"
  }
}

extension SandboxUserStatus {
  fileprivate var text: String {
    switch self {
    case .enabled: "enabled"
    case .disabled: "disabled"
    case .neverEnabled: "never enabled"
    }
  }
}
