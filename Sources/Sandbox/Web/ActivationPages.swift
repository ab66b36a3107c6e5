import HTTP
import Text

extension Emulator {
  /// The page of the next step.
  func page(for walk: ActivationWalk) -> WebPage {
    let visit = walk.visit
    let steps: [HTML] = ActivationWalk.Step.allCases.map { step in
      let name: HTML = step == .service ? .name(visit.thing.services.first?.name ?? "") : "\(step.word)"
      if step == walk.step { return "<li class=\"now\" aria-current=\"step\">\(name)</li>" }
      return walk.leavesOut(step) ? "<li class=\"out\">\(name)</li>" : "<li>\(name)</li>"
    }
    let warnings: [HTML] = visit.warnings.map { "<p class=\"warn\">\($0)</p>" }
    return WebPage(
      title: visit.thing.name,
      body: """
        <section class="card">\(heading(visit.thing))\(warnings)</section>
        <section class="card"><ol class="steps">\(steps)</ol>
        <form method="post" action="\(visit.target)">\(walk.baggage)\(question(walk))
        <div class="go"><button id="go" name="do" value="go">\(walk.step == .connect ? "Connect" : "Continue")</button>
        <button id="cancel" name="outcome" value="cancelled">Cancel</button></div></form></section>
        <details class="card" id="else"><summary>End with another outcome</summary>
        <form method="post" action="\(visit.target)"><div class="outcomes">\(others)</div></form></details>
        \(parameterList(visit.query))
        """)
  }

  private var others: [HTML] {
    ActivationOutcome.allCases.map { outcome in
      """
      <button name="outcome" value="\(outcome.rawValue)">\(outcome.rawValue)<small>\(outcome.summary)</small></button>
      """
    }
  }

  func heading(_ thing: Activated) -> HTML {
    let services: [HTML] = thing.services.map { "<li>\(.dot($0.color))\(.name($0.name))</li>" }
    return """
      <h1 dir="auto">\(thing.name)</h1><p class="soft" dir="auto">\(thing.description)</p>\
      <ul class="services">\(services)</ul>
      """
  }

  private func question(_ walk: ActivationWalk) -> HTML {
    switch walk.step {
    case .account: return accountQuestion(walk)
    case .service:
      let service = walk.visit.thing.services.first
      return """
        <h2>Sign in to \(.name(service?.name ?? ""))</h2>
        <p>A real service would ask you to sign in and to give IFTTT access. The sandbox skips that.</p>
        """
    case .configuration: return "\(FormInputs(visit: walk.visit, errors: walk.errors).all)"
    case .connect:
      let person = person(of: walk)
      let name = person.map { $0.isNew ? $0.account.email : $0.account.login } ?? ""
      return """
        <h2>Enable it?</h2><p>For <strong><bdi>\(name)</bdi></strong>. \
        \(walk.visit.skipsConfiguration ? "The configuration is skipped, so it will be pending." : "")</p>
        """
    }
  }

  private func accountQuestion(_ walk: ActivationWalk) -> HTML {
    let visit = walk.visit
    let person = person(of: walk)
    if visit.value("email") == nil, visit.filled("email") == nil, let person {
      return "<h2>Welcome back</h2><p>Continuing as <strong><bdi>\(person.account.login)</bdi></strong>.</p>"
    }
    let words: HTML
    switch person {
    case .some((let account, false)):
      words = """
        <h2>Welcome back</h2><p>This address belongs to the account <strong><bdi>\(account.login)</bdi></strong>. \
        IFTTT would send a link by email; here, a click is enough.</p>
        """
    case .some((_, true)):
      words = "<h2>A new account</h2><p>No account has this address yet. A new one will be created.</p>"
    case nil: words = "<h2>Who are you?</h2>"
    }
    let error: HTML? = walk.errors["email"].map { "<p class=\"error\">\($0)</p>" }
    return """
      \(words)<label for="email">Email address</label>\
      <input id="email" name="email" value="\(walk.email ?? "")" autocomplete="off" spellcheck="false">\(error)
      """
  }

  /// The page for an outcome without a redirect.
  func endPage(_ visit: Visit, _ outcome: ActivationOutcome) -> WebPage {
    let words = outcome == .stay ? "This page ends here." : "There is no redirect URL."
    return WebPage(
      title: visit.thing.name,
      body: """
        <section class="card" id="end"><p class="soft">\(.name(visit.thing.name))</p>
        <h1>\(outcome.completes ? "Connected" : "Ended")</h1>
        <p>Outcome: \(outcome.summary). \(words) You can close this window.</p></section>
        """)
  }

  /// All query parameters, decoded and with credentials masked.
  func parameterList(_ query: [QueryItem]) -> HTML? {
    guard !query.isEmpty else { return nil }
    let secret: Set = ["code", "token", "user_token", "access_token", "invite_code", "oauth_code"]
    let items: [HTML] = query.map { item in
      let value = secret.contains(item.name) ? Secret(parsing: item.value)?.masked ?? "…" : item.value
      return "<dt class=\"mono\">\(item.name)</dt><dd class=\"mono\"><bdi>\(value)</bdi></dd>"
    }
    return """
      <details class="card" id="parameters" open><summary>URL parameters</summary><dl>\(items)</dl></details>
      """
  }
}

extension ActivationWalk.Step {
  fileprivate var word: String {
    switch self {
    case .account: "Account"
    case .service: "Service"
    case .configuration: "Configuration"
    case .connect: "Connect"
    }
  }
}
