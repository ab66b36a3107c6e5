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
  /// The file with a service key that was verified but not stored; a placeholder if the key was typed.
  private var keyFile: String?
  /// The user id of an earlier attempt.
  private var typedUser: String?
  private static let servicesPage = "https://platform.ifttt.com/services"

  init(_ steps: SetupSteps, in session: Session) { (self.steps, self.session) = (steps, session) }

  func run() throws {
    console.say(
      "This sets up profile '\(name)'. An empty line skips a step; Ctrl-C stops and keeps everything stored so far.")
    noteVariables()
    if try steps.stored != nil { _ = try steps.run(["profile", "show", name]) }
    try runUntilDone(service)
    try runUntilDone(serviceKey)
    try runUntilDone(userToken)
    try runUntilDone(connections)
    if try steps.hasTracked {
      console.say("")
      _ = try steps.run(steps.listCommand(keyOption))
    } else {
      console.say("Track a connection later with \(ifttt: SetupSteps.suggestion(steps.addCommand(["ID"], []))).")
    }
    if try steps.stored != nil, try session.storage.usualProfile != steps.profile {
      console.say(
        "Commands use this profile with --profile \(name), or without it after \(ifttt: "profile use \(name)").")
    }
    console.say("To check the setup, run \(ifttt: SetupSteps.suggestion(steps.checkCommand)).")
  }

  /// Names the variables that take precedence over the profile.
  private func noteVariables() {
    let variables: [EnvironmentVariable] = [.service, .serviceKey, .userID, .userToken, .accessToken]
    let names = variables.filter { session.world.environment[$0]?.isEmpty == false }.map(\.name)
    guard !names.isEmpty else { return }
    console.say(
      "\(names.listed(with: "and")) \(names.count == 1 ? "is" : "are") set, and used instead of the profile's values.")
  }

  /// Runs a step until it succeeds or is skipped.
  private func runUntilDone(_ step: () throws -> Bool) throws {
    repeat { console.say("") } while try !step()
  }

  // MARK: Steps. Each returns false if it failed and must run again.

  private func service() throws -> Bool {
    console.say("Step 1 of 4: your service. The slug is the last part of the URL of its page, https://ifttt.com/SLUG.")
    let stored = try steps.stored?.settings[.service]
    guard let slug = try promptForLine("service slug", stored, page: Self.servicesPage) else { return true }
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
    guard let file = try promptForSecret(.serviceKey, page: slug == "SLUG" ? Self.servicesPage : page) else {
      return true
    }
    guard try steps.run(steps.verifyCommand(keyFile: file)) else { return false }
    keyFile = file
    guard
      try session.options.isDryRun
        || console.agrees(
          inEnglish: "Store the service key in profile '\(name)'?", isYesByDefault: true)
    else {
      console.say("The service key is used until the end, but not stored.")
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
    let user = try promptForLine("user id", stored ?? typedUser) ?? stored ?? typedUser
    typedUser = user
    if let user, let file = try promptForSecret(.accessToken) {
      defer { session.credentials.forget(.accessToken) }
      try steps.ensureProfile()
      let command = steps.exchangeCommand(user: user, tokenFile: file, keyOption)
      guard try steps.run(command) else { return false }
      report("the user token of '\(user)'", command)
      return true
    }
    console.say("A user token also comes from the browser, where the user activates a connection.")
    guard let id = try promptForLine("connection to activate", nil) else {
      guard let user, user != stored else { return true }
      return try store("the user id", ["--user-id", user])
    }
    try steps.ensureProfile()
    let before = try steps.stored(.userToken)
    // The other page, which is the default with a service key, returns no token.
    let command = steps.activateCommand(id, ["--url", "sdk"] + (user.map { ["--user-id", $0] } ?? []) + keyOption)
    guard try steps.run(command) else { return false }
    guard try session.options.isDryRun || steps.stored(.userToken) != before else {
      console.say("IFTTT returned no user token.")
      return false
    }
    report("the user token", command)
    return true
  }

  private func connections() throws -> Bool {
    console.say(
      "Step 4 of 4: the connections to track. An id is the last part of the URL of a connection's page, "
        + "https://ifttt.com/connections/ID.")
    guard let text = try promptForLine("connection ids or URLs", nil) else { return true }
    let ids = text.split { $0 == " " || $0 == "," }.map(String.init)
    try steps.ensureProfile()
    let command = steps.addCommand(ids, keyOption)
    guard try steps.run(command) else { return false }
    steps.show(command)
    return true
  }

  // MARK: Parts of a step

  /// The option for a service key that is not stored.
  private var keyOption: [String] { keyFile.map { ["--service-key-file", $0] } ?? [] }

  private func store(_ noun: String, _ words: [String]) throws -> Bool {
    let command = try steps.storeCommand(words)
    guard try steps.run(command) else { return false }
    report(noun, command)
    return true
  }

  private func report(_ noun: String, _ command: [String]) {
    if !session.options.isDryRun { console.say("Stored \(noun) in profile '\(name)'.") }
    steps.show(command)
  }

  /// Prompts for a line.
  /// - Parameters:
  ///   - stored: the value that an empty line keeps.
  ///   - page: the web page that shows the value. The answer `?` opens it.
  /// - Returns: nil if the step is skipped.
  private func promptForLine(_ label: String, _ stored: String?, page: String? = nil) throws -> String? {
    let current = stored.map { " [\($0)]" } ?? ""
    let suffix = page == nil ? "" : " (? opens the page)"
    while true {
      let text = try console.ask("\(label)\(current)\(suffix): ").map { $0[...].trimmed }
      guard let text, !text.isEmpty else { return nil }
      guard let page, text == "?" else { return text }
      try open(page)
    }
  }

  /// Prompts for a secret, or for the file that contains it.
  /// - Returns: the file, or a placeholder if the secret was typed; nil if the step is skipped.
  private func promptForSecret(_ name: CredentialName, page: String? = nil) throws -> String? {
    let suffix = page == nil ? "" : " (? opens the page)"
    while true {
      guard let typed = try console.promptForOptionalSecret("\(name.noun) or its file\(suffix)") else { return nil }
      if let page, typed.revealed == "?" {
        try open(page)
        continue
      }
      let file = typed.revealed
      if session.world.files.exists(session.world.path(file)) { return file }
      // Otherwise a misspelled path would be sent to IFTTT.
      guard try !looksLikePath(file) || console.agrees(inEnglish: "No file has this name. Is it the \(name.noun)?")
      else {
        continue
      }
      do {
        try session.credentials.remember(typed, as: name)
        return "FILE"
      } catch let problem as Problem { console.say(Hint(problem.summary)) }
    }
  }

  private func looksLikePath(_ text: String) -> Bool {
    if text.includes("/") || text.hasPrefix("~") { return true }
    guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return false }
    let ending = text[dot...].utf8.dropFirst()
    return (1...5).contains(ending.count) && ending.allSatisfy(\.isLetter)
  }

  private func open(_ page: String) throws { try session.open(page, shownAs: page, usesBrowser: true) }
}
