import HTTP
import Time

/// How far somebody came through an activation: which steps there are, which is next, and what was said on the way.
///
/// All of it travels in hidden fields, so that several windows do not disturb each other.
struct ActivationWalk {
  enum Step: String, CaseIterable {
    case account, service, configuration, connect
  }

  let visit: Visit
  private(set) var step = Step.account
  /// What is wrong with what was filled in, by the name of the input.
  private(set) var errors: [String: String] = [:]
  /// Whether a good code stands for signing in at the partner service.
  private(set) var isSignedInByCode = false
  private(set) var isAtEnd = false
  /// What the configuration form gave.
  private(set) var features: [SandboxFixtures.UserFeature] = []

  init(_ visit: Visit) { self.visit = visit }

  /// The person's address, as filled in or as asked for.
  var email: String? { visit.filled("email") ?? visit.value("email") }

  /// Whether a step has nothing to ask.
  func leavesOut(_ step: Step) -> Bool {
    switch step {
    case .account, .connect: false
    case .service: isSignedInByCode
    case .configuration: visit.skipsConfiguration || visit.thing.features.isEmpty
    }
  }

  /// Takes what the last form brought and goes on to the next step that asks something; stays where it is wrong.
  mutating func advance(_ emulator: inout Emulator, at now: Timestamp) {
    isSignedInByCode = visit.filled("signed_in") == "code" || emulator.codeIsGood(for: visit, at: now)
    guard let submitted = visit.filled("step").flatMap(Step.init) else { return }
    step = submitted
    switch submitted {
    case .account:
      guard emulator.person(of: self) != nil else {
        errors["email"] = "An e-mail address is needed, such as kai@mail.test"
        return
      }
      // A code is used up by the first page behind this step.
      if isSignedInByCode, visit.filled("signed_in") == nil { emulator.useCode(of: visit) }
    case .service: break
    case .configuration:
      readFeatures(&emulator)
      if !errors.isEmpty { return }
    case .connect:
      if !leavesOut(.configuration) { readFeatures(&emulator) }
      isAtEnd = errors.isEmpty
      return
    }
    let rest = Step.allCases.drop { $0 != submitted }.dropFirst()
    step = rest.first { !leavesOut($0) } ?? .connect
  }

  private mutating func readFeatures(_ emulator: inout Emulator) {
    var reading = ConfigurationScreenForm.Reading(visit)
    features = reading.features { emulator.state.makeUUID() }
    errors = reading.errors
  }

  /// What the next form has to bring along.
  var baggage: [HTML] {
    var items: [HTML] = [.hidden("step", step.rawValue)]
    if step != .account {
      if let email = visit.filled("email") { items.append(.hidden("email", email)) }
      if isSignedInByCode { items.append(.hidden("signed_in", "code")) }
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
  /// Nil where nobody could be meant. An account comes to be only at the end.
  func person(of walk: ActivationWalk) -> (account: SandboxState.Account, isNew: Bool)? {
    if walk.visit.filled("email") == nil, let login = walk.visit.value("username"),
      let account = account(login: login)
    {
      return (account, false)
    }
    guard let email = walk.email, isAddress(email) else { return nil }
    if let account = account(email: email) { return (account, false) }
    return (SandboxState.Account(email: email.lowercased(), login: ""), true)
  }

  private func isAddress(_ text: String) -> Bool {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    return halves.count == 2 && !halves[0].isEmpty && !halves[1].isEmpty && text.utf8.count <= 254
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
  }
}
