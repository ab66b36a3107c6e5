import HTTP
import Text

extension Emulator {
  /// The page of the next step.
  func page(for progress: ActivationProgress) -> WebPage {
    let visit = progress.visit
    let steps: [HTML] = ActivationProgress.Step.allCases.map { step in
      let name: HTML = step == .service ? .name(visit.subject.services.first?.name ?? "") : "\(step.word)"
      if step == progress.step { return "<li class=\"now\" aria-current=\"step\">\(name)</li>" }
      return progress.skips(step) ? "<li class=\"out\">\(name)</li>" : "<li>\(name)</li>"
    }
    let warnings: [HTML] = visit.warnings.map { "<p class=\"warn\">\($0)</p>" }
    let action = progress.step == .connect ? "Connect" : "Continue"
    return WebPage(
      title: visit.subject.name,
      body: """
        <section class="card">\(heading(visit.subject))\(warnings)</section>
        <section class="card"><ol class="steps">\(steps)</ol>
        <form method="post" action="\(visit.target)">\(progress.hiddenFields)\(question(progress))
        <div class="go"><button id="go" name="do" value="go">\(action)</button>
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

  func heading(_ subject: ActivationSubject) -> HTML {
    let services: [HTML] = subject.services.map { "<li>\(.dot($0.color))\(.name($0.name))</li>" }
    return """
      <h1 dir="auto">\(subject.name)</h1><p class="soft" dir="auto">\(subject.description)</p>\
      <ul class="services">\(services)</ul>
      """
  }

  private func question(_ progress: ActivationProgress) -> HTML {
    switch progress.step {
    case .account: return accountQuestion(progress)
    case .service:
      let service = progress.visit.subject.services.first
      return """
        <h2>Sign in to \(.name(service?.name ?? ""))</h2>
        <p>A real service would ask you to sign in and to give IFTTT access. The sandbox skips that.</p>
        """
    case .configuration: return "\(FormInputs(visit: progress.visit, errors: progress.errors).all)"
    case .connect:
      let person = person(of: progress)
      let name = person.map { $0.isNew ? $0.account.email : $0.account.login } ?? ""
      return """
        <h2>Enable it?</h2><p>For <strong><bdi>\(name)</bdi></strong>. \
        \(progress.visit.skipsConfiguration ? "The configuration is skipped, so it will be pending." : "")</p>
        """
    }
  }

  private func accountQuestion(_ progress: ActivationProgress) -> HTML {
    let visit = progress.visit
    let person = person(of: progress)
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
      title: visit.subject.name,
      body: """
        <section class="card" id="end"><p class="soft">\(.name(visit.subject.name))</p>
        <h1>\(outcome.completes ? "Connected" : "Ended")</h1>
        <p>Outcome: \(outcome.summary). \(remark) You can close this window.</p></section>
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
