import HTTP
import World

/// The progress of an activation: its steps, the next step, and the input so far.
///
/// All of it is stored in hidden form fields, so that several windows do not affect one another.
struct ActivationProgress {
  enum Step: String, CaseIterable {
    case account, service, configuration, connect
  }

  let visit: Visit
  /// How the person signed in at the service; nil if they have not.
  let signIn: ServiceSignIn?
  private(set) var step = Step.account
  /// The errors in the submitted form, by input name.
  private(set) var errors: [String: String] = [:]
  /// Whether the browser goes to the service's own page next.
  private(set) var isAtService = false
  private(set) var isAtEnd = false
  /// The features from the configuration form.
  private(set) var features: [SandboxFixtures.UserFeature] = []

  init(_ visit: Visit, _ signIn: ServiceSignIn? = nil) { (self.visit, self.signIn) = (visit, signIn) }

  /// The email address from the form, or else from the query.
  var email: String? { visit.filled("email") ?? visit.value("email") }

  /// Whether a step requires no input and is skipped.
  func skips(_ step: Step) -> Bool {
    switch step {
    case .account, .connect: false
    case .service: signIn?.isByCode == true
    case .configuration: visit.skipsConfiguration || visit.subject.connection.features.isEmpty
    }
  }

  /// Process the submitted form and move to the next step that requires input. Stay at the current step if the form
  /// has errors.
  mutating func advance(_ emulator: inout Emulator) {
    guard let submitted = visit.filled("step").flatMap(Step.init) else { return }
    step = submitted
    let isSignInMissing = signIn == nil && emulator.hasSignInPage(for: visit)
    switch submitted {
    case .account:
      guard emulator.person(of: self) != nil else {
        errors["email"] = "Enter an email address, such as kai@mail.test"
        return
      }
      // The first page after this step uses up the code.
      if skips(.service), visit.filled("signed_in") == nil { emulator.useCode(of: visit) }
    case .service:
      isAtService = isSignInMissing
      if isAtService { return }
    case .configuration where isSignInMissing, .connect where isSignInMissing:
      step = .service
      return
    case .configuration:
      readFeatures(&emulator)
      if !errors.isEmpty { return }
    case .connect:
      if !skips(.configuration) { readFeatures(&emulator) }
      isAtEnd = errors.isEmpty
      return
    }
    let rest = Step.allCases.drop { $0 != submitted }.dropFirst()
    step = rest.first { !skips($0) } ?? .connect
  }

  private mutating func readFeatures(_ emulator: inout Emulator) {
    var reader = ConfigurationScreenForm.Reader(visit)
    features = reader.features { emulator.state.makeUUID() }
    errors = reader.errors
    if errors.isEmpty { validate(&emulator) }
  }

  /// Show the errors of values that the partner's server rejects.
  private mutating func validate(_ emulator: inout Emulator) {
    guard !visit.subject.connection.isApplet else { return }
    errors = emulator.rejections(of: features, in: visit.subject, for: emulator.user(of: self))
  }

  /// The hidden fields that the next form must include.
  var hiddenFields: [HTML] {
    var items: [HTML] = [.hidden("step", step.rawValue)]
    if step != .account {
      if let email = visit.filled("email") { items.append(.hidden("email", email)) }
      if let signIn { items.append(.hidden("signed_in", signIn.ticket)) }
    }
    if step == .connect {
      items += visit.form.filter { $0.name.hasPrefix(ConfigurationScreenForm.prefix) }.map {
        .hidden($0.name, $0.value)
      }
    }
    return items
  }
}

extension Emulator {
  /// The account of the person, or nil if it cannot be determined. A new account is created only at the end.
  func person(of progress: ActivationProgress) -> (account: SandboxState.Account, isNew: Bool)? {
    if progress.visit.filled("email") == nil, let login = progress.visit.value("username"),
      let account = account(login: login)
    {
      return (account, false)
    }
    guard let email = progress.email, isAddress(email) else { return nil }
    if let account = account(email: email) { return (account, false) }
    return (SandboxState.Account(email: email.lowercased(), login: ""), true)
  }

  /// The service's user who signed in, or else the one with the person's account; nil if the activation is yet to
  /// create it.
  func user(of progress: ActivationProgress) -> SandboxFixtures.User? {
    if let id = progress.signIn?.userID { return user(id, of: progress.visit.owner) }
    guard let login = person(of: progress)?.account.login else { return nil }
    return allUsers.first { $0.service == progress.visit.owner && $0.login == login }
  }

  private func isAddress(_ text: String) -> Bool {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    return halves.count == 2 && !halves[0].isEmpty && !halves[1].isEmpty && text.utf8.count <= 254
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
  }

  /// The partner's OAuth code that replaces signing in at the service; nil if the URL has none.
  ///
  /// In the SDKs' URL it is the code itself. In the Connect URL it is behind a provisional access code of the owner that
  /// is unused and has not expired.
  func oauthCode(of visit: Visit, at now: Timestamp) -> String? {
    guard let code = visit.value("code") else { return nil }
    switch visit.kind {
    case .embedded, .edit: return nil
    case .access: return code
    case .connect:
      guard let issued = state.codes.first(where: { $0.code == code }) else { return nil }
      let age = now.milliseconds - issued.issuedAt
      let isValid =
        !issued.isUsed && issued.service == visit.owner && (0..<Self.provisionalCodeLife).contains(age)
      return isValid ? issued.oauthCode : nil
    }
  }

  mutating func useCode(of visit: Visit) {
    guard let code = visit.value("code") else { return }
    if visit.kind == .access {
      state.usedOAuthCodes.insert(code)
    } else if let index = state.codes.firstIndex(where: { $0.code == code }) {
      state.codes[index].isUsed = true
      state.usedOAuthCodes.insert(state.codes[index].oauthCode)
    }
  }

  /// Whether a code is valid without a server to verify it with: a code that starts with `oc_`, once.
  func isValid(oauthCode: String) -> Bool {
    oauthCode.utf8.starts(with: "oc_".utf8) && !state.usedOAuthCodes.contains(oauthCode)
  }
}

extension Emulator {
  /// Apply an outcome and redirect the browser, or show the result on a page if there is no redirect URI.
  ///
  /// - Parameter progress: The forms filled in so far; nil if the activation ends immediately.
  mutating func end(_ visit: Visit, with outcome: ActivationOutcome, _ progress: ActivationProgress?)
    -> EmulatorResponse
  {
    let owner = visit.owner
    var result = outcome.result(owner: owner)
    if outcome.completes {
      let user = enable(visit, outcome, progress, owner)
      if outcome != .completeWithoutToken, hasResult(visit) {
        result = result.map { "\($0)&user_token=\(state.issueToken(for: user))" }
      }
    }
    guard outcome != .stay, let redirectURI = visit.redirectURI else { return pages.endPage(visit, outcome).response }
    let sendsResult = hasResult(visit)
    var response = EmulatorResponse.redirect(
      to: redirectURI.location(sendsResult ? result : nil, inFragment: outcome == .oddFragment))
    response.assumptions = visit.kind == .connect ? [.connectRedirect] : [.redirectMatching]
    return response
  }

  /// Whether the redirect includes a result. An Applet's never does; the Connect URL's only does if enabled in the
  /// rules.
  private func hasResult(_ visit: Visit) -> Bool {
    switch visit.kind {
    case .access: true
    case .connect: web.addsResultsToConnect
    case .embedded, .edit: false
    }
  }

  private mutating func enable(
    _ visit: Visit, _ outcome: ActivationOutcome, _ progress: ActivationProgress?, _ owner: String
  ) -> SandboxFixtures.User {
    let user = user(visit, outcome, progress, owner)
    let seeded = visit.subject
    let (status, before) = (status(of: user, in: seeded), configuration(of: user, in: seeded))
    set(.enabled, of: user, in: seeded)
    // An Applet has no configuration.
    if seeded.connection.isApplet { return user }
    let skipsConfiguration = outcome == .completeSkipped || visit.skipsConfiguration
    let isConfigured = status == .enabled && !before.isPending
    if skipsConfiguration {
      if !isConfigured { set(.init(isPending: true, features: []), of: user, in: seeded) }
    } else if let features = progress?.features, !features.isEmpty {
      set(.init(features: features), of: user, in: seeded)
    } else if before.isPending || before.features.isEmpty {
      let features = seeded.connection.features.map { $0.withDefaults { state.makeUUID() } }
      set(.init(features: features), of: user, in: seeded)
    }
    return user
  }

  private mutating func user(
    _ visit: Visit, _ outcome: ActivationOutcome, _ progress: ActivationProgress?, _ owner: String
  ) -> SandboxFixtures.User {
    let progress = progress ?? ActivationProgress(visit)
    let named = visit.kind == .embedded ? visit.value("user_id") : nil
    if outcome == .completeAsAnother {
      let login = person(of: progress)?.account.login
      let other = allUsers.first { $0.service == owner && $0.login != login && $0.id != named }
      return other ?? makeUser(of: owner, makeAccount(email: "somebody.else@mail.test"))
    }
    if progress.signIn?.userID != nil, let user = user(of: progress) { return user }
    return makeUser(of: owner, account(of: progress), id: named)
  }

  /// The account of the person, created if necessary.
  mutating func account(of progress: ActivationProgress) -> SandboxState.Account {
    let person = person(of: progress)?.account
    if let person, !person.login.isEmpty { return person }
    let email = person.map(\.email).flatMap { $0.isEmpty ? nil : $0 }
    return makeAccount(email: email ?? "\(progress.visit.value("username") ?? "somebody")@mail.test")
  }
}

extension SandboxFixtures.Feature {
  /// An enabled instance with the fields' default values, or else their first possible values.
  fileprivate func withDefaults(_ newID: () -> String) -> SandboxFixtures.UserFeature {
    var instance = SandboxFixtures.UserFeature(id: newID(), feature: self, values: fields.map(\.start))
    for kind in StepKind.allCases {
      instance[keyPath: kind.ofUser] = self[keyPath: kind.ofFeature].map { step in
        SandboxFixtures.UserStep(newID(), values: step.fields.map(\.start))
      }
    }
    return instance
  }
}

extension SandboxFixtures.Field {
  /// The initial value: the default, or else the first possible value of a required field; nil for an optional field
  /// without a default.
  var start: SandboxFixtures.Value? {
    if let preset { return preset }
    guard isRequired else { return nil }
    switch type {
    case .textField, .textArea: return .text(label)
    case .collectionSelect, .doubleCollectionSelect:
      return options.first.map { .option($0.value, label: $0.label, group: $0.group) }
    case .checkboxMulti: return .options(options.prefix(1).map { (value: $0.value, label: $0.label) })
    case .locationPoint: return .location(38.7223, -9.1393, address: "Lisboa", description: "Lisboa", zoom: 14)
    case .locationRadius, .locationEnter, .locationExit, .locationEnterOrExit:
      return .location(38.7223, -9.1393, radius: 300, address: "Lisboa", description: "Lisboa", zoom: 14)
    }
  }
}
