import HTTP

extension Emulator {
  /// Apply an outcome and redirect the browser, or show the result on a page if there is no redirect URI.
  ///
  /// - Parameter progress: The forms filled in so far; nil if the activation ends immediately.
  mutating func end(_ visit: Visit, with outcome: ActivationOutcome, _ progress: ActivationProgress?)
    -> EmulatorResponse
  {
    let owner = visit.subject.services.first?.slug ?? ""
    var result = outcome.result(owner: owner)
    if outcome.completes {
      let user = switchOn(visit, outcome, progress, owner)
      if outcome != .completeWithoutToken, hasResult(visit) {
        result = result.map { "\($0)&user_token=\(state.issueToken(for: user))" }
      }
    }
    guard outcome != .stay, let redirectURI = visit.redirectURI else { return pages.endPage(visit, outcome).response }
    var response = EmulatorResponse(status: 303)
    let sends = hasResult(visit)
    response.fields = [
      .init("Location", redirectURI.location(sends ? result : nil, inFragment: outcome == .oddFragment)),
      .init("Cache-Control", "no-store"), .init("Referrer-Policy", "no-referrer"),
    ]
    response.assumptions = visit.kind == .connect ? [.connectReturn] : [.returnMatching]
    return response
  }

  /// Whether the redirect includes a result. An Applet's never does; the Connect URL's only does if enabled in the
  /// rules.
  private func hasResult(_ visit: Visit) -> Bool {
    switch visit.kind {
    case .access: true
    case .connect: web.addsResultsToConnect
    case .embedded: false
    }
  }

  private mutating func switchOn(
    _ visit: Visit, _ outcome: ActivationOutcome, _ progress: ActivationProgress?, _ owner: String
  ) -> SandboxFixtures.User {
    let user = user(visit, outcome, progress, owner)
    switch visit.subject {
    case .applet(let seeded): set(.enabled, of: user, in: seeded)
    case .connection(let seeded):
      let skips = outcome == .completeSkipped || visit.skipsConfiguration
      let (status, before) = (status(of: user, in: seeded), configuration(of: user, in: seeded))
      set(.enabled, of: user, in: seeded)
      let isConfigured = status == .enabled && !before.isPending
      if skips {
        if !isConfigured { set(.init(isPending: true, features: []), of: user, in: seeded) }
      } else if let features = progress?.features, !features.isEmpty {
        set(.init(features: features), of: user, in: seeded)
      } else if before.isPending || before.features.isEmpty {
        let features = seeded.connection.features.map { $0.withDefaults { state.makeUUID() } }
        set(.init(features: features), of: user, in: seeded)
      }
    }
    return user
  }

  private mutating func user(
    _ visit: Visit, _ outcome: ActivationOutcome, _ progress: ActivationProgress?, _ owner: String
  ) -> SandboxFixtures.User {
    let person = person(of: progress ?? ActivationProgress(visit))?.account
    let named = visit.kind == .embedded ? visit.value("user_id") : nil
    if outcome == .completeAsAnother {
      let other = everyone.first { $0.service == owner && $0.login != person?.login && $0.id != named }
      return other ?? makeUser(of: owner, makeAccount(email: "somebody.else@mail.test"))
    }
    let email = person.map(\.email).flatMap { $0.isEmpty ? nil : $0 }
    let account: SandboxState.Account
    if let person, !person.login.isEmpty {
      account = person
    } else {
      account = makeAccount(email: email ?? "\(visit.value("username") ?? "somebody")@mail.test")
    }
    return makeUser(of: owner, account, id: named)
  }
}

extension SandboxFixtures.Feature {
  /// An enabled instance with the fields' default values, or else their first possible values.
  fileprivate func withDefaults(_ newID: () -> String) -> SandboxFixtures.UserFeature {
    var found = SandboxFixtures.UserFeature(id: newID(), feature: self, values: fields.map(\.start))
    for kind in StepKind.allCases {
      found[keyPath: kind.ofUser] = self[keyPath: kind.ofFeature].map { step in
        SandboxFixtures.UserStep(newID(), values: step.fields.map(\.start))
      }
    }
    return found
  }
}

extension SandboxFixtures.Field {
  /// The default value, or nil for an optional field without one.
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
