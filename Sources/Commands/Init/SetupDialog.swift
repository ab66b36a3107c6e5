import IFTTT
import Session
import Store
import Text
import World

/// The dialog of `init`: prompts for the values of each step, and runs its commands.
final class SetupDialog {
  private let steps: SetupSteps
  private let session: Session
  private var console: Console { session.console }
  private var name: String { steps.profile.description }
  /// The file of a service key that is verified, but not stored: the placeholder if it was typed.
  private var keyFile: String?

  init(_ steps: SetupSteps, in session: Session) { (self.steps, self.session) = (steps, session) }

  func run() throws {
    console.say("This sets up profile '\(name)'. An empty line skips a step; Ctrl-C keeps what is stored by then.")
    if try steps.stored != nil { _ = try steps.run(["profile", "show", name]) }
    try repeated(service)
    try repeated(serviceKey)
    try repeated(userToken)
    try repeated(connections)
    if try steps.hasTracked {
      _ = try steps.run(steps.listing(keyOption))
    } else {
      console.say("Track a connection later with \(ifttt: SetupSteps.command(steps.adding(["ID"], []))).")
    }
  }

  /// Runs a step until it succeeds or is skipped.
  private func repeated(_ step: () throws -> Bool) throws {
    console.say("")
    while try !step() {}
  }

  // MARK: Steps. Each returns false if it failed and can be repeated.

  private func service() throws -> Bool {
    console.say("Step 1 of 4: your service. The slug is the last part of the URL of its page, https://ifttt.com/SLUG.")
    let stored = try steps.stored?.settings[.service]
    guard let slug = try typed("service slug", stored, page: "https://platform.ifttt.com/services") else { return true }
    guard ServiceSlug(parsing: slug) != nil else {
      console.say("'\(slug)' is not a service slug.")
      return false
    }
    return try store("the service", ["--service", slug])
  }

  private func serviceKey() throws -> Bool {
    let slug = try steps.stored?.settings[.service] ?? "SLUG"
    let page = "https://platform.ifttt.com/services/\(slug)/api"
    // An earlier attempt may have left a key that IFTTT rejected.
    session.credentials.forget(.serviceKey)
    keyFile = nil
    console.say("Step 2 of 4: the service key. IFTTT shows it at \(page).")
    if try steps.hasStored(.serviceKey) { console.say("The profile has a service key; an empty line keeps it.") }
    guard let file = try secret(.serviceKey, page: slug == "SLUG" ? "https://platform.ifttt.com/services" : page) else {
      return true
    }
    guard try steps.run(steps.verifying(keyFile: file)) else { return false }
    keyFile = file
    guard try session.options.isDryRun || console.agrees(inEnglish: "Store the service key in profile '\(name)'?")
    else {
      return true
    }
    guard try store("the service key", ["--service-key-file", file]) else { return false }
    if !session.options.isDryRun {
      session.credentials.forget(.serviceKey)
      keyFile = nil
    }
    return true
  }

  private func userToken() throws -> Bool {
    console.say(
      "Step 3 of 4: a user token. It is exchanged for the OAuth access token that your service issued for the user.")
    let stored = try steps.stored?.settings[.userID]
    let user = try typed("user id", stored) ?? stored
    if let user, let file = try secret(.accessToken) {
      defer { session.credentials.forget(.accessToken) }
      try steps.ensureProfile()
      let command = steps.exchanging(user: user, tokenFile: file, keyOption)
      guard try steps.run(command) else { return false }
      report("the user token of '\(user)'", command)
      return true
    }
    console.say("A user token also comes from the browser, where the user activates a connection.")
    guard let id = try typed("connection to activate", nil) else {
      guard let user, user != stored else { return true }
      return try store("the user id", ["--user-id", user])
    }
    try steps.ensureProfile()
    let command = steps.activating(id, (user.map { ["--user-id", $0] } ?? []) + keyOption)
    guard try steps.run(command) else { return false }
    report("the user token", command)
    return true
  }

  private func connections() throws -> Bool {
    console.say(
      "Step 4 of 4: the connections to track. An id is the last part of the URL of a connection's page, "
        + "https://ifttt.com/connections/ID.")
    guard let text = try typed("connection ids or URLs", nil) else { return true }
    let ids = text.split { $0 == " " || $0 == "," }.map(String.init)
    try steps.ensureProfile()
    let command = steps.adding(ids, keyOption)
    guard try steps.run(command) else { return false }
    steps.show(command)
    return true
  }

  // MARK: Parts of a step

  /// The option for a service key that is not stored.
  private var keyOption: [String] { keyFile.map { ["--service-key-file", $0] } ?? [] }

  private func store(_ what: String, _ words: [String]) throws -> Bool {
    let command = try steps.storing(words)
    guard try steps.run(command) else { return false }
    report(what, command)
    return true
  }

  private func report(_ what: String, _ command: [String]) {
    if !session.options.isDryRun { console.say("Stored \(what) in profile '\(name)'.") }
    steps.show(command)
  }

  /// Prompts for a line.
  /// - Parameters:
  ///   - stored: the value that an empty line keeps.
  ///   - page: the page that shows the value, which `?` opens.
  /// - Returns: nil if the step is skipped.
  private func typed(_ what: String, _ stored: String?, page: String? = nil) throws -> String? {
    let keeps = stored.map { " [\($0)]" } ?? ""
    while true {
      let text = try console.ask("\(what)\(keeps)\(page == nil ? "" : " (? opens the page)"): ").map { $0[...].trimmed }
      guard let text, !text.isEmpty else { return nil }
      guard let page, text == "?" else { return text }
      try open(page)
    }
  }

  /// Prompts for a secret, or for the file that contains it.
  /// - Returns: the file, or the placeholder of a file for a secret that was typed; nil if the step is skipped.
  private func secret(_ name: CredentialName, page: String? = nil) throws -> String? {
    while true {
      let suffix = page == nil ? "" : " (? opens the page)"
      guard let typed = try console.promptForOptionalSecret("\(name.noun) or its file\(suffix)") else { return nil }
      if let page, typed.revealed == "?" {
        try open(page)
        continue
      }
      let file = typed.revealed
      if session.world.files.exists(session.world.path(file)) { return file }
      do {
        try session.credentials.remember(typed, as: name)
        return "FILE"
      } catch let problem as Problem { console.say(Hint(problem.summary)) }
    }
  }

  private func open(_ page: String) throws { try session.open(page, shownAs: page, usesBrowser: true) }
}
