import JSON
import ProgramDriver
import Support
import Testing

/// One way to change subjects through the program: a line of the matrix.
///
/// Every command that changes subjects must be in ``all``; ``ChangeEntryTests`` compares it with the tree of commands.
struct ChangeEntry: Sendable, Hashable, CustomTestStringConvertible {
  enum Verb: String, CaseIterable, Sendable { case enable, disable, configure, apply, plan }
  /// Whose subjects are changed.
  enum Audience: String, CaseIterable, Sendable { case own, users, plugin, applets }
  enum Phase: String, CaseIterable, Sendable { case forward, undo, redo }

  let verb: Verb
  let audience: Audience
  let phase: Phase
  /// Whether an earlier run of the same command failed, and is resumed.
  let isResumed: Bool

  private static let verbs: [(Verb, [Audience])] = [
    (.enable, Audience.allCases), (.disable, Audience.allCases), (.configure, [.own]), (.apply, [.own, .users]),
    (.plan, [.own]),
  ]

  /// A plan leaves the same record as a file.
  private static func phases(_ verb: Verb) -> [Phase] { verb == .plan ? [.forward] : Phase.allCases }

  static let all = verbs.flatMap { verb, audiences in
    audiences.flatMap { audience in
      phases(verb).flatMap { phase in
        [false, true].map { ChangeEntry(verb: verb, audience: audience, phase: phase, isResumed: $0) }
      }
    }
  }

  /// The command of the entry.
  var path: [String] {
    if phase != .forward { return ["connections", phase.rawValue] }
    if audience == .applets { return ["applets", verb.rawValue] }
    switch verb {
    case .enable, .disable, .apply: return ["connections", verb.rawValue]
    case .plan: return ["connections", "apply"]
    case .configure: return ["configure"]
    }
  }

  var testDescription: String {
    var text = path.joined(separator: " ")
    if phase != .forward { text += " of \(audience == .applets ? "applets " : "")\(verb.rawValue)" }
    if verb == .plan, phase == .forward { text += " --plan" }
    if audience == .plugin { text += " at a provider" }
    if audience == .users { text += phase == .forward ? " --users" : " over users" }
    return isResumed ? text + " --resume" : text
  }

  // MARK: States

  /// The state before the run of the verb.
  private var before: ChangeServer.State { ChangeServer.State(verb == .enable ? "disabled" : "enabled") }

  /// The state after the run of the verb.
  private var after: ChangeServer.State {
    switch verb {
    case .enable: ChangeServer.State("enabled")
    case .disable: ChangeServer.State("disabled")
    case .configure: ChangeServer.State("enabled", name: "Study")
    case .apply, .plan: ChangeServer.State("disabled", name: "Study")
    }
  }

  /// The state before the entry.
  var start: ChangeServer.State { phase == .undo ? after : before }
  /// The state that the entry wants.
  var goal: ChangeServer.State { phase == .undo ? before : after }

  /// The requests that change a subject, in their order.
  var steps: [ChangeServer.Call.Verb] {
    switch verb {
    case .enable: [phase == .undo ? .disable : .enable]
    case .disable: [phase == .undo ? .enable : .disable]
    case .configure: [.configure]
    // IFTTT accepts no settings while a connection is disabled.
    case .apply, .plan: phase == .undo ? [.enable, .configure] : [.configure, .disable]
    }
  }

  /// Whether the settings can be compared only after a first step, which a dry run does not send.
  var isComparedLater: Bool { steps == [.enable, .configure] }

  var changesSettings: Bool { steps.contains(.configure) }
  var disables: Bool { steps.last == .disable }

  // MARK: Subjects

  /// A subject of an entry.
  struct Subject: Sendable, Hashable {
    /// The id in rows.
    let id: String
    /// The user in rows; nil for the profile's own user, who is `u1`.
    let user: String?
    /// The name at the server.
    var key: String { id.hasPrefix("lamps:") ? id : "\(user ?? "u1") \(id)" }
    var provider: String? { id.hasPrefix("lamps:") ? "lamps" : nil }
  }

  /// All subjects that the entry may have.
  var subjects: [Subject] {
    switch (audience, verb) {
    case (_, .configure): [Subject(id: "aa", user: nil)]
    case (.own, _): ["aa", "bb", "cc"].map { Subject(id: $0, user: nil) }
    case (.users, _): ["u1", "u2", "u3"].map { Subject(id: "aa", user: $0) }
    case (.plugin, _): ["lamps:l1", "lamps:l2", "lamps:l3"].map { Subject(id: $0, user: nil) }
    case (.applets, _): ["pa", "pb", "pc"].map { Subject(id: $0, user: nil) }
    }
  }

  var isSingle: Bool { subjects.count == 1 }
  /// Whether the output has a row per subject; `configure` prints fields.
  var printsSubjects: Bool { verb != .configure || phase != .forward }

  // MARK: Confirmation

  /// Whether the entry asks before it changes all its subjects, none of which is special.
  var asks: Bool {
    if isResumed { return false }
    return audience == .users || (phase == .forward && (verb == .apply || verb == .plan))
  }

  /// The question.
  /// - Parameter count: the number of subjects, which is that of users for a run over users.
  func question(_ count: Int) -> String {
    let word = changesSettings ? "Change" : disables ? "Disable" : "Enable"
    let noun = audience == .applets ? "Applet" : "connection"
    let subjects = count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    return "\(word) \(subjects)\(audience == .users && count > 1 ? " of \(count) users" : "")?"
  }
}

extension ChangeEntry {
  /// The options that the matrix uses, by command.
  static let offers: [String: Set<String>] = [
    "connections enable": ["users", "force", "resume", "report", "provider"],
    "connections disable": ["users", "force", "resume", "report", "provider"],
    // Its --force is that of an activation, which --skip begins with.
    "configure": ["force", "resume", "report"],
    "connections apply": ["users", "resume", "report", "plan"],
    "applets enable": ["force", "resume", "report"],
    "applets disable": ["force", "resume", "report"],
    "connections undo": ["force", "resume", "report"],
    "connections redo": ["force", "resume", "report"],
  ]

  /// Whether the entry can be given `--force`, which a resumed run has from the original run.
  var offersForce: Bool {
    !isResumed && path != ["configure"] && Self.offers[path.joined(separator: " ")]?.contains("force") == true
  }

  /// Whether `--force` sends a request although nothing would change.
  var forceSends: Bool { phase == .forward && !isResumed && (verb == .enable || verb == .disable) }
}
