import IFTTT
import Session

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
    if plan.configuration != nil || plan.values != nil || plan.isComparedLater { configured += 1 }
    removals += plan.removals
    if removed.count < BatchFailures.limit {
      for difference in plan.differences where difference.change == .removed {
        if let setting = difference.setting { removed.append(setting.words) }
      }
    }
    if subject.provider == .applets { applets += 1 }
    if plan.isIrreversible || (plan.change == .disable && !canEnable) { irreversible.append(subject) }
  }

  package var changesStatus: Bool { enabled + disabled > 0 }
  package var changesSettings: Bool { configured > 0 }
}
