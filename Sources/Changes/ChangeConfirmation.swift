import IFTTT
package import Session
import Text

/// The confirmation of a run, before anything is sent.
package struct ChangeConfirmation {
  /// The maximum number of subjects that a question names.
  static let nameLimit = 20

  let preview: ChangePreview
  let selectsMany: Bool

  package init(_ preview: ChangePreview, selectsMany: Bool) {
    (self.preview, self.selectsMany) = (preview, selectsMany)
  }

  package var isNeeded: Bool {
    preview.count > 0
      && (selectsMany || preview.removals > 0 || !preview.irreversible.isEmpty || !preview.questions.isEmpty
        || preview.userCount > 1)
  }

  /// The question, such as `Disable 5 connections?`, after the warning if there is one.
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
    let questions = preview.questions.isEmpty ? ["\(verb) \(subjects)\(users)\(removals)?"] : preview.questions
    return ([warning].compactMap(\.self) + questions).joined(separator: " ")
  }

  /// The warning about steps that cannot be reverted; nil if there are none.
  package var warning: String? {
    preview.irreversible.isEmpty ? nil : Self.warning(of: irreversible)
  }

  /// The names of the subjects whose step cannot be reverted.
  private var irreversible: [String] { preview.irreversible.map(preview.name) }

  /// The sentence about subjects whose step cannot be reverted.
  static func warning(of subjects: [String]) -> String {
    let shown = subjects.prefix(nameLimit).joined(separator: ", ")
    let more = subjects.count - nameLimit
    let names = more > 0 ? "\(shown) … and \(more) more" : shown
    return subjects.count == 1
      ? "Once disabled, \(names) cannot be enabled again until the user activates it in a browser."
      : "Once disabled, these cannot be enabled again until the user activates them in a browser: \(names)."
  }

  /// Prompts for the confirmation if it is needed.
  /// - Parameters:
  ///   - isRequired: whether to prompt even if ``isNeeded`` is false, because no subject was read.
  ///   - isConfirmed: whether `--yes` or an earlier part of the run has confirmed it.
  /// - Returns: whether the run is confirmed.
  /// - Throws: `confirmation_required` if a prompt is not possible; `refused` if the person declines.
  package func confirm(in session: Session, isRequired: Bool = false, isConfirmed: Bool) throws -> Bool {
    guard isNeeded || isRequired else { return isConfirmed }
    if isConfirmed {
      if let warning { session.console.note(Hint(warning)) }
      return true
    }
    try session.console.confirm(
      question, details: irreversible + preview.removed, hint: session.confirmingHint)
    return true
  }

  /// Prints the question that a run without `--dry-run` would ask.
  func announce(in session: Session) {
    guard isNeeded else { return }
    session.console.note(Hint("Would ask: \(question)"))
  }
}

extension ChangePreview {
  /// Approves or rejects a plan just before it is sent: its subject may have become pending since it was read for the
  /// confirmation.
  /// - Parameter isConfirmed: whether `--yes` or an earlier part of the run has confirmed all steps.
  mutating func decide(
    _ plan: ConnectionPlan, of subject: Subject, isConfirmed: Bool, in session: Session
  ) -> SubjectChange.Event {
    guard plan.isIrreversible, !irreversible.contains(subject) else { return .approved }
    guard isConfirmed else { return .refused(.notConfirmed(subject, in: session)) }
    lateWarnings += 1
    if lateWarnings <= ChangeConfirmation.nameLimit {
      session.console.note(Hint(ChangeConfirmation.warning(of: [name(of: subject)])))
    }
    return .approved
  }

  /// The name of a subject, with its user if there are several.
  fileprivate func name(of subject: Subject) -> String { userCount > 1 ? subject.fullName : subject.name }
}

/// The changes that a run would make, in the form that its confirmation needs.
package struct ChangePreview {
  package enum Unread {
    case perUser(Int)
    /// The number for all users together.
    case total(Int)
  }

  package private(set) var enabled = 0
  package private(set) var disabled = 0
  /// The number of subjects that change.
  package private(set) var count = 0
  package private(set) var applets = 0
  package private(set) var removals = 0
  /// The first settings that would be removed, as text.
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
  /// The command's own questions. They require a confirmation and replace the default question.
  package var questions: [String] = []

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
