import IFTTT
package import Session
import Text

/// The one confirmation of a run, before anything is sent.
package struct ChangeConfirmation {
  /// The maximum number of subjects that a question names.
  static let mostNames = 20

  let preview: ChangePreview
  let selectsMany: Bool

  package init(_ preview: ChangePreview, selectsMany: Bool) {
    (self.preview, self.selectsMany) = (preview, selectsMany)
  }

  package var isNeeded: Bool {
    preview.count > 0
      && (selectsMany || preview.removals > 0 || !preview.irreversible.isEmpty || !preview.reasons.isEmpty
        || preview.userCount > 1)
  }

  /// Such as `Disable 5 connections?`, after a sentence about what cannot be reverted.
  package var question: String {
    switch preview.unread {
    case .perUser(let each)?:
      return "Change \(each.counted("connection")) of each of \(preview.userCount) users?"
    case .total(let total)?: return "Change \(total) connections of \(preview.userCount) users?"
    case nil: break
    }
    let verb =
      preview.configured > 0 || (preview.enabled > 0 && preview.disabled > 0)
      ? "Change" : preview.enabled > 0 ? "Enable" : "Disable"
    let noun = preview.applets == preview.count && preview.count > 0 ? "Applet" : "connection"
    let subjects = preview.count.counted(noun)
    let users = preview.userCount > 1 ? " of \(preview.userCount) users" : ""
    let removed = preview.removals.counted("setting")
    let removals = preview.removals == 0 ? "" : ", removing \(removed)"
    // A command that knows more has its own questions.
    let questions = preview.reasons.isEmpty ? ["\(verb) \(subjects)\(users)\(removals)?"] : preview.reasons
    return ([warning].compactMap(\.self) + questions).joined(separator: " ")
  }

  /// The warning about steps that cannot be reverted; nil without any.
  package var warning: String? {
    preview.irreversible.isEmpty ? nil : Self.warning(of: irreversible)
  }

  /// The names of the subjects whose step cannot be reverted.
  private var irreversible: [String] { preview.irreversible.map(preview.name) }

  /// The sentence about subjects whose step cannot be reverted.
  static func warning(of subjects: [String]) -> String {
    let shown = subjects.prefix(mostNames).joined(separator: ", ")
    let more = subjects.count - mostNames
    let names = more > 0 ? "\(shown) … and \(more) more" : shown
    return subjects.count == 1
      ? "Once disabled, \(names) cannot be enabled again: the user must activate it in a browser."
      : "Once disabled, these cannot be enabled again, and the user must activate them in a browser: \(names)."
  }

  /// Asks, if it is needed.
  /// - Returns: whether it was needed, so that the run is confirmed now.
  /// - Throws: `confirmation_required` without a person to ask; `refused` if the answer is no.
  /// - Parameters:
  ///   - always: whether it is needed although nothing was read.
  ///   - isConfirmed: whether `--yes` or an earlier part of the run has confirmed it.
  package func ask(in session: Session, always: Bool = false, isConfirmed: Bool) throws -> Bool {
    guard isNeeded || always else { return isConfirmed }
    if isConfirmed {
      if let warning { session.console.note(Hint(warning)) }
      return true
    }
    try session.console.confirm(
      question, details: irreversible + preview.removed, hint: session.confirmingHint)
    return true
  }

  /// Says what a run without `--dry-run` would ask.
  func announce(in session: Session) {
    guard isNeeded else { return }
    session.console.note(Hint("It would ask: \(question)"))
  }
}

extension ChangePreview {
  /// Decides about a plan when it is its turn: its subject may have become pending since it was read for the question.
  /// - Parameter isConfirmed: whether `--yes` or an earlier part of the run has confirmed all steps.
  mutating func decide(
    _ plan: ConnectionPlan, of subject: Subject, isConfirmed: Bool, in session: Session
  ) -> SubjectChange.Event {
    guard plan.isIrreversible, !irreversible.contains(subject) else { return .approved }
    guard isConfirmed else { return .refused(.notAsked(subject, in: session)) }
    lateWarnings += 1
    if lateWarnings <= ChangeConfirmation.mostNames {
      session.console.note(Hint(ChangeConfirmation.warning(of: [name(of: subject)])))
    }
    return .approved
  }

  /// With its user, if several are changed.
  fileprivate func name(of subject: Subject) -> String { userCount > 1 ? subject.fullName : subject.name }
}

/// What a run would change, as far as its confirmation needs it.
package struct ChangePreview {
  package enum Unread {
    case perUser(Int)
    /// That of all users together.
    case total(Int)
  }

  package private(set) var enabled = 0
  package private(set) var disabled = 0
  /// The number of subjects that change.
  package private(set) var count = 0
  package private(set) var applets = 0
  package private(set) var removals = 0
  /// The settings that would be removed, as far as they are named.
  package private(set) var removed: [String] = []
  package private(set) var configured = 0
  /// The subjects whose step cannot be reverted.
  package private(set) var irreversible: [Subject] = []
  /// The number of warnings about subjects that became pending after they were read.
  var lateWarnings = 0
  /// The number of users; 0 for the profile's own user.
  package var userCount = 0
  /// The number of subjects, if they were not read.
  package var unread: Unread?
  /// Why it needs a confirmation beyond that.
  package var reasons: [String] = []

  package init() {}

  mutating func add(_ plan: ConnectionPlan, of subject: Subject, canEnable: Bool) {
    count += 1
    switch plan.change {
    case .enable?: enabled += 1
    case .disable?: disabled += 1
    case .configure?, .set?, nil: break
    }
    if plan.changesSettings { configured += 1 }
    removals += plan.removals
    if removed.count < BatchFailures.limit {
      for difference in plan.differences where difference.change == .removed {
        if let setting = difference.setting { removed.append(setting.summary) }
      }
    }
    if subject.provider == .applets { applets += 1 }
    if plan.isIrreversible || (plan.change == .disable && !canEnable) { irreversible.append(subject) }
  }

  package var changesStatus: Bool { enabled + disabled > 0 }
  package var changesSettings: Bool { configured > 0 }
}
